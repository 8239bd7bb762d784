"""A folder of this machine, or one that it mounts, as a place of `file:` URLs."""

import shutil
from pathlib import Path

from medassay.study.urls.address import Url
from medassay.study.urls.store import Facts
from medassay.tables import writing_beside

__all__ = ["FolderStore"]


class FolderStore:
    """Files; see `Store`."""

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
