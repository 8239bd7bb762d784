"""XML read from beginning to end, a tag at a time, whatever prefixes its names have."""

from collections.abc import Callable
from itertools import count
from typing import IO, Final, Protocol
from xml.parsers import expat

from medassay.tables.workbooks.page import Damaged

__all__ = ["MARKUP_ERRORS", "Handler", "read_markup"]

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


def read_markup(source: IO[bytes], size: int, handler: Handler) -> None:
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
