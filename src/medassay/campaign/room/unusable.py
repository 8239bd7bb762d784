"""A database that cannot be used just now, told in one sentence with what to do."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from medassay.campaign.room.own_file import restoring
from medassay.campaign.room.sql import sql
from medassay.errors import InvalidInput, Problem

__all__ = ["UnusableRoom", "told_of"]

_RESTORE: Final = "Keep a copy of the file and move it away, then put your last backup back: "
_HINTS: Final = (
    (("full", "No space left"), "Make room on the disk, then go on: what was saved is kept."),
    (("locked", "busy"), "Another program holds it: end that, then run again."),
    (("readonly", "unable to open", "permission denied"), "Give yourself the right to write it."),
    (("malformed", "not a database", "no such", "disk I/O"), _RESTORE),
)
_ELSEWHERE: Final = "Look whether the database runs and its address is right, then run again."


class UnusableRoom(InvalidInput):
    """The room's database is broken, full, locked or cannot be reached.

    Attributes:
        full: Whether the disk is full, so that what is there can still be read.
    """

    def __init__(self, problem: Problem, *, full: bool) -> None:
        super().__init__(problem)
        self.full = full


@contextmanager
def told_of(name: str, *, is_file: bool) -> Iterator[None]:
    """Tell what a database refuses in the block, and leave the program's own mistakes as they are.

    Args:
        name: What messages call the database; it holds no password.
        is_file: Whether it is a file of SQLite.

    Raises:
        UnusableRoom: It cannot be used.
    """
    known = sql().exc
    ours = (known.IntegrityError, known.DataError, sqlite3.IntegrityError)
    try:
        yield
    except (known.DBAPIError, known.TimeoutError, sqlite3.Error) as error:
        if isinstance(error, ours):
            raise
        got = str(getattr(error, "orig", None) or error).strip().partition("\n")[0]
        hints = (hint for words, hint in _HINTS if any(word in got for word in words))
        hint = next(hints, _RESTORE) if is_file else _ELSEWHERE
        if hint is _RESTORE:
            hint += restoring(Path(name))
        full = hint is _HINTS[0][1] or "No space left" in got
        must = "be a database that can be read and written"
        raise UnusableRoom(Problem(name, must, got, hint), full=full) from error
