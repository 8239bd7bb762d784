"""What reaches the terminal: names and texts of a study may not give it orders."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TextIO

from medassay.tables import visible

__all__ = ["VisibleStream", "only_visible", "styled"]


class VisibleStream:
    """Writes to another stream, signs that a terminal would obey or that turn text as their codes.

    It has no `buffer`, so that nobody writes past it.

    Attributes:
        beneath: The other stream.
    """

    def __init__(self, beneath: TextIO) -> None:
        self.beneath = beneath

    def write(self, text: str) -> int:
        """Write text."""
        return self.beneath.write(visible(text))

    def writelines(self, lines: list[str]) -> None:
        """Write lines."""
        self.beneath.writelines(map(visible, lines))

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever the other stream has
        """Do everything else as the other stream does it."""
        if name == "buffer":
            raise AttributeError(name)
        return getattr(self.beneath, name)


@contextmanager
def only_visible() -> Iterator[None]:
    """Let whatever the block prints be visible text."""
    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = map(VisibleStream, before)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before


def styled(stream: TextIO) -> TextIO:
    """Give the stream itself to who writes orders of its own, and only visible text beside them."""
    return stream.beneath if isinstance(stream, VisibleStream) else stream
