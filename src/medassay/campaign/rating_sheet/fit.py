"""How much text a cell can show: a spreadsheet's rows do not grow beyond some thirty lines."""

import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Final

__all__ = ["CellText", "fitting", "height_of", "in_chunks", "lines_of"]

MOST_LINES: Final = 30
_POINTER: Final = 2
_LINE: Final = 13.2
_PADDING: Final = 8
_TALLEST: Final = 409.0
# Calibri at ten points sets some 1.35 letters in a unit of width, its wider stand-ins some less.
_LETTERS_A_UNIT: Final = 1.3
_CHUNK: Final = 2_500


@dataclass(frozen=True, slots=True)
class CellText:
    """A paragraph, or a heading above some."""

    text: str
    bold: bool = False


def lines_of(pieces: Iterable[CellText], width: float) -> int:
    """Count the lines that paragraphs take in a column of this width."""
    room = max(1, int(width * _LETTERS_A_UNIT) - 3)
    return sum(
        max(1, ceil(len(line) / room)) for piece in pieces for line in piece.text.split("\n")
    )


def height_of(lines: int, least: int = 1) -> float:
    """Give the height of a row of so many lines, in points."""
    return min(_TALLEST, max(lines, least) * _LINE + _PADDING)


def fitting(pieces: Sequence[CellText], width: float) -> tuple[list[CellText], bool]:
    """Keep the paragraphs that a cell can show.

    Returns:
        The pieces that fit, with room left for a line that says where the rest is; and whether
        there is a rest.
    """
    if lines_of(pieces, width) <= MOST_LINES:
        return list(pieces), False
    shown: list[CellText] = []
    for piece in pieces:
        if lines_of([*shown, piece], width) > MOST_LINES - _POINTER:
            break
        shown.append(piece)
    if not any(not piece.bold for piece in shown):
        first = next(piece for piece in pieces if not piece.bold)
        room = int(width * _LETTERS_A_UNIT * (MOST_LINES - _POINTER - len(shown) - 1) * 0.9)
        shown.append(CellText(f"{first.text[:room].rsplit(None, 1)[0]} …"))
    while shown and shown[-1].bold:
        shown.pop()
    return shown, True


def in_chunks(text: str) -> list[str]:
    """Part a text into pieces that a wide cell can show."""
    if len(text) <= _CHUNK:
        return [text]
    return textwrap.wrap(text, _CHUNK, replace_whitespace=False, drop_whitespace=True)
