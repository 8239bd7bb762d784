"""The places of URLs, to be read from and added to: a folder, or an object store."""

import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol

from medassay.errors import InvalidInput, Problem
from medassay.models.install import need_installed
from medassay.study.files.urls import URLS_FILE, Url
from medassay.tables import writing_beside

__all__ = ["Facts", "FolderStore", "ObjectStore", "Store", "open_store"]

_PACKAGES: Final = {"s3": "s3fs", "gs": "gcsfs", "az": "adlfs"}
_NO_KEY: Final = ("NoCredentialsError", "PartialCredentialsError", "DefaultCredentialsError")
_ROUNDS: Final = 8
"""How far down a chain of causes is looked for one that says what was wrong."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What a store says of a version of a file.

    Attributes:
        mark: What differs between versions, such as the ETag.
        size: Its bytes.
    """

    mark: str
    size: int


class Store(Protocol):
    """A place. Its errors are its own; `telling` makes one `InvalidInput` of them."""

    def facts(self, url: Url) -> Facts:
        """Say which version of a file is there.

        Raises:
            FileNotFoundError: None is.
        """

    def files(self, url: Url) -> dict[str, Facts]:
        """List the files of a folder by name, not those of folders in it.

        Raises:
            FileNotFoundError: There is no such folder.
        """

    def fetch(self, url: Url, into: Path) -> None:
        """Copy a file from there, piece by piece."""

    def add(self, url: Url, file: Path) -> None:
        """Copy a file there. Whoever lists the folder sees all of it or nothing."""


class FolderStore:
    """A folder of this machine, or one that it mounts, as a place of `file:` URLs."""

    def facts(self, url: Url) -> Facts:
        """Say which version of a file is there, by its size and the moment it was written."""
        path = Path(url.path)
        status = path.stat()
        if not path.is_file():
            raise FileNotFoundError(url.path)
        return Facts(f"{status.st_size}-{status.st_mtime_ns}", status.st_size)

    def files(self, url: Url) -> dict[str, Facts]:
        """List the files of a folder."""
        names = sorted(path.name for path in Path(url.path).iterdir() if path.is_file())
        return {name: self.facts(url.inside(name)) for name in names}

    def fetch(self, url: Url, into: Path) -> None:
        """Copy a file from there."""
        shutil.copyfile(url.path, into)

    def add(self, url: Url, file: Path) -> None:
        """Copy a file there, beside its place first."""
        with writing_beside(Path(url.path)) as beside:
            shutil.copyfile(file, beside)


class ObjectStore:
    """S3 and what speaks as it does, Google Cloud, Azure: through fsspec.

    Its keys and its address come from the environment.

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


def open_store(url: Url) -> Store:
    """Open the store that a URL needs.

    Raises:
        MissingBackend: Its package is not installed.
    """
    if url.is_here:
        return FolderStore()
    need_installed(_PACKAGES[url.scheme], f"reading {url.scheme}:// URLs")
    with telling(url):
        return ObjectStore(url.scheme)


@contextmanager
def telling(url: Url) -> Iterator[None]:
    """Say of whatever a store raises in the block what it means for a URL.

    What a store says in words is not repeated: it may quote keys and signed addresses.

    Raises:
        InvalidInput: Something was raised.
    """
    try:
        yield
    except InvalidInput:
        raise
    except Exception as error:  # noqa: BLE001 - each store's library has errors of its own
        got, hint = _meant(error)
        raise InvalidInput(Problem(URLS_FILE, "be reachable", f"{got} at {url}", hint)) from None


def _meant(error: BaseException) -> tuple[str, str]:
    chain: list[BaseException] = [error]
    while (cause := chain[-1].__cause__ or chain[-1].__context__) and len(chain) < _ROUNDS:
        chain.append(cause)
    codes = {str(getattr(cause, "response", {}).get("Error", {}).get("Code", "")) for cause in chain
             if isinstance(getattr(cause, "response", None), dict)} - {""}  # fmt: skip
    names = [type(cause).__name__ for cause in chain]
    said = f" ({', '.join(sorted(codes))})" if codes else ""
    if any(name in _NO_KEY for name in names):
        hint = "Set it, such as AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY."
        return "no key in the environment", hint
    if any(isinstance(cause, PermissionError) for cause in chain):
        return (
            f"no permission{said}",
            "Check that the key in the environment may read and write it.",
        )
    if any(isinstance(cause, FileNotFoundError) for cause in chain):
        return f"nothing there{said}", "Check the names of bucket and file."
    if any("Connect" in name or "Timeout" in name or name == "gaierror" for name in names):
        return "no answer from the store", "Check the network, and the address of the store."
    if isinstance(error, OSError) and error.strerror and not codes:
        return error.strerror, ""
    return f"an error of the store, {names[0]}{said}", ""
