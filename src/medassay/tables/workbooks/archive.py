"""The parts of a workbook that is a ZIP archive, as far as they are wanted."""

import io
import posixpath
import zipfile
from typing import Final, Self

from medassay.errors import InvalidInput, Problem
from medassay.tables.workbooks.markup import Handler, read_markup
from medassay.tables.workbooks.page import Damaged

__all__ = ["Archive"]

_LARGEST: Final = 512 * 1024 * 1024


class Archive:
    """Gives the parts of an archive by name, large and small letters alike."""

    def __init__(self, content: bytes, file: str) -> None:
        """Open an archive.

        Raises:
            InvalidInput: It unpacks to more than any table.
            BadZipFile: It is no archive.
        """
        self._archive = zipfile.ZipFile(io.BytesIO(content))
        parts = self._archive.infolist()
        # Of a part no more is ever unpacked than the archive says that it holds.
        if sum(part.file_size for part in parts) > _LARGEST:
            must, hint = f"unpack to at most {_LARGEST:,} bytes", "Save it as CSV UTF-8."
            raise InvalidInput(Problem(file, must, "more", hint))
        self._parts = {_plain(part.filename): part for part in parts}

    def __enter__(self) -> Self:
        """Open the archive."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the archive."""
        self._archive.close()

    def __contains__(self, name: str) -> bool:
        """Tell whether there is such a part."""
        return _plain(name) in self._parts

    def start_of(self, name: str, length: int) -> bytes:
        """Give the first bytes of a part, or nothing where there is none."""
        if name not in self:
            return b""
        with self._archive.open(self._parts[_plain(name)]) as part:
            return part.read(length)

    def read(self, name: str, handler: Handler) -> None:
        """Tell a handler all that a part holds.

        Raises:
            Damaged: There is no such part.
            BadZipFile: What is unpacked is not what was packed.
        """
        if name not in self:
            raise Damaged(f"no {name} in it")
        part = self._parts[_plain(name)]
        with self._archive.open(part) as source:
            read_markup(source, part.file_size, handler)


def _plain(name: str) -> str:
    return posixpath.normpath(name.replace("\\", "/")).lstrip("/").lower()
