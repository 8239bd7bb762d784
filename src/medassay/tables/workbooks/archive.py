"""The parts of a workbook that is a ZIP archive, and the XML in them, a tag at a time."""

import io
import posixpath
import zipfile
from collections.abc import Callable
from itertools import count
from typing import IO, Final, Protocol, Self
from xml.parsers import expat

from medassay.errors import InvalidInput, Problem
from medassay.tables.workbooks.page import Damaged

__all__ = ["MARKUP_ERRORS", "Archive", "Handler"]

_LARGEST: Final = 512 * 1024 * 1024
MARKUP_ERRORS: Final = (expat.ExpatError,)
_CHUNK: Final = 1 << 16
_MOST_CHUNKS: Final = 8
_MOST_TAGS: Final = 10_000_000


class Handler(Protocol):
    """What is told of each tag, its name without prefix, and of the text between tags."""

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """Take a tag that opens."""

    def end(self, name: str) -> None:
        """Take a tag that closes."""

    def text(self, data: str) -> None:
        """Take a piece of text."""


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
            _read_markup(source, part.file_size, handler)


def _plain(name: str) -> str:
    return posixpath.normpath(name.replace("\\", "/")).lstrip("/").lower()


def _read_markup(source: IO[bytes], size: int, handler: Handler) -> None:
    """Tell a handler all that a document holds.

    Args:
        source: The document.
        size: About how many bytes it has.
        handler: What is told.

    Raises:
        Damaged: The document declares its own type (entities could fill the memory, or hide text),
            or has more tags than any sheet that is read.
        ExpatError: It is no XML.
    """
    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartDoctypeDeclHandler = _refuse
    parser.StartElementHandler = _without_prefix(handler.start)
    parser.EndElementHandler = _end(handler.end)
    parser.CharacterDataHandler = handler.text
    # A tag that never ends is scanned anew with every piece: few pieces keep that short.
    step = max(_CHUNK, size // _MOST_CHUNKS)
    while piece := source.read(step):
        parser.Parse(piece, False)  # noqa: FBT003 - expat takes it by place
    parser.Parse(b"", True)  # noqa: FBT003 - as above


def _refuse(*_: object) -> None:
    raise Damaged("a declaration of the document's type, which workbooks have not")


def _without_prefix(
    start: Callable[[str, dict[str, str]], None],
) -> Callable[[str, dict[str, str]], None]:
    tags = count(1)

    def counted(name: str, attributes: dict[str, str]) -> None:
        if next(tags) > _MOST_TAGS:
            raise Damaged(f"more than {_MOST_TAGS:,} tags")
        start(name.rpartition(":")[2], attributes)

    return counted


def _end(end: Callable[[str], None]) -> Callable[[str], None]:
    return lambda name: end(name.rpartition(":")[2])
