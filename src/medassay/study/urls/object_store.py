"""An object store, through fsspec: S3 and what speaks as it does, Google Cloud, Azure."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from medassay.study.urls.address import Url
from medassay.study.urls.store import Facts

__all__ = ["ObjectStore"]


class ObjectStore:
    """Objects; see `Store`. Its keys and its address come from the environment.

    A store shows an object when it is whole, also one that comes in parts.
    """

    def __init__(self, scheme: str) -> None:
        import fsspec

        # What is there is asked each time: another run may have added to it.
        self._system: Any = fsspec.filesystem(
            scheme, use_listings_cache=False, skip_instance_cache=True
        )

    def facts(self, url: Url) -> Facts:
        """Say which version of an object is there."""
        found = self._system.info(url.path)
        if found["type"] != "file":
            raise FileNotFoundError(url.path)
        return _facts(found)

    def files(self, url: Url) -> dict[str, Facts]:
        """List the objects right below a prefix."""
        found = self._system.ls(url.path, detail=True)
        names = {entry["name"].rpartition("/")[2]: entry for entry in found
                 if entry["type"] == "file"}  # fmt: skip
        # Some tools mark a folder by an object without a name.
        return {name: _facts(names[name]) for name in sorted(names) if name}

    def fetch(self, url: Url, into: Path) -> None:
        """Copy an object from there."""
        self._system.get_file(url.path, str(into))

    def add(self, url: Url, file: Path) -> None:
        """Copy a file there."""
        self._system.put_file(str(file), url.path)


def _facts(found: Mapping[str, Any]) -> Facts:
    # Each store has its own word for what tells versions apart.
    marks = (found.get(name) for name in ("ETag", "etag", "generation"))
    mark = next((str(mark) for mark in marks if mark), "")
    return Facts(mark.strip('"'), int(found["size"]))
