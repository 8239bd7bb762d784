"""Small ways of making a sound file a bad one."""

import errno
import io
import os
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from unittest.mock import patch

Make = Callable[[Path], object]
Cells = Sequence[Sequence[str | float]]


def written(name: str, text: str) -> Make:
    """Write this text instead."""
    return lambda folder: (folder / name).write_text(text, encoding="utf-8")


def bytes_written(name: str, content: bytes) -> Make:
    """Write these bytes instead."""
    return lambda folder: (folder / name).write_bytes(content)


def replaced(name: str, old: str, new: str, encoding: str = "utf-8") -> Make:
    """Replace a piece of the text, and save it in this encoding."""

    def make(folder: Path) -> None:
        path = folder / name
        text = path.read_text(encoding="utf-8")
        if old not in text:
            message = f"{old!r} is not in {name}"
            raise ValueError(message)
        path.write_bytes(text.replace(old, new).encode(encoding))

    return make


def added(name: str, text: str) -> Make:
    """Write this text behind what is there."""

    def make(folder: Path) -> None:
        path = folder / name
        path.write_text(path.read_text(encoding="utf-8") + text, encoding="utf-8")

    return make


def workbook(name: str, sheets: dict[str, Cells], instead_of: str = "") -> Make:
    """Write a workbook; a cell that begins with `=` becomes a formula whose value is an error."""

    def make(folder: Path) -> None:
        import xlsxwriter

        out = io.BytesIO()
        book = xlsxwriter.Workbook(out, {"in_memory": True})
        for title, rows in sheets.items():
            sheet = book.add_worksheet(title)
            for row, cells in enumerate(rows):
                for column, cell in enumerate(cells):
                    if isinstance(cell, str) and cell.startswith("="):
                        sheet.write_formula(row, column, cell, None, "#DIV/0!")
                    else:
                        sheet.write(row, column, cell)
        book.close()
        (folder / name).write_bytes(out.getvalue())
        if instead_of:
            (folder / instead_of).unlink()

    return make


def renamed(old: str, new: str) -> Make:
    """Give the file another name."""
    return lambda folder: (folder / old).rename(folder / new)


def linked_to_nothing(name: str) -> Make:
    """Put a link in the file's place, as git-annex and DataLad leave one of what is not fetched."""

    def make(folder: Path) -> None:
        (folder / name).unlink()
        (folder / name).symlink_to("annex/judgements.csv")

    return make


def unreadable(name: str) -> Make:
    """Take from everybody the right to read."""
    return lambda folder: (folder / name).chmod(0)


def full_disk(_: Path) -> AbstractContextManager[object]:
    """Let the disk be full whenever a file is to be flushed to it."""
    return patch("os.fsync", side_effect=OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)))
