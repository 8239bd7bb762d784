"""A room's file is a room's: no link, no other program's, and read by its owner alone."""

import os
import stat
from pathlib import Path
from typing import Final

from medassay.campaign.plans import campaign_command
from medassay.errors import InvalidInput, Problem
from medassay.judgements.campaign import FOLDER

__all__ = ["is_empty", "make_own", "refuse_foreign", "restoring"]

_MARK: Final = 0x6D645F72
"""What SQLite calls an application id: `md_r`. `PRAGMA application_id` shows it."""
_MAGIC: Final = b"SQLite format 3\x00"
_MARK_AT: Final = 68
_HEADER: Final = 100
_NO_LINK: Final = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
_BESIDE: Final = ("", "-wal", "-shm", "-journal")
"""What SQLite opens with a database, by its name alone, and follows where it is a link."""


def is_empty(path: Path) -> bool:
    """Say whether there is no file, or one of no bytes."""
    return not os.path.lexists(path) or path.lstat().st_size == 0


def refuse_foreign(path: Path) -> None:
    """Refuse a file that no rating room made, before SQLite sees it.

    Raises:
        InvalidInput: It, or what SQLite keeps beside it, is a link or no file; or it is another
            program's database, or none.
    """
    for end in _BESIDE:
        beside = path.with_name(f"{path.name}{end}")
        if not os.path.lexists(beside):
            continue
        # A room writes ahead (-wal). A -journal names files that SQLite would remove.
        if end == "-journal" or not stat.S_ISREG(beside.lstat().st_mode):
            got = f'a link to "{beside.readlink()}"' if beside.is_symlink() else "something else"
            hint = "Move it away: the room reads and writes its own file alone."
            raise InvalidInput(Problem(str(beside), "be a file that the room made", got, hint))
    if is_empty(path):
        return
    handle = os.open(path, os.O_RDONLY | _NO_LINK)
    try:
        header = os.read(handle, _HEADER)
    finally:
        os.close(handle)
    must = "be a rating room's file"
    if not header.startswith(_MAGIC):
        hint = (
            "If a room was here, its file is broken. Move it away, then put your last backup "
            f"back: {restoring(path)}"
        )
        raise InvalidInput(Problem(str(path), must, "a file that holds no database", hint))
    if int.from_bytes(header[_MARK_AT : _MARK_AT + 4], "big") != _MARK:
        hint = "Move it away: nothing is written into it."
        raise InvalidInput(Problem(str(path), must, "another program's database", hint))


def restoring(path: Path) -> str:
    """Give the command that puts a backup back, as it is typed."""
    study = path.parents[2] if path.parent.parent.name == FOLDER else Path("STUDY")
    name = path.parent.name if path.parent.parent.name == FOLDER else "main"
    return f"{campaign_command('restore', study, name)} FILE"


def make_own(path: Path) -> None:
    """Make a room's file, for its owner alone; SQLite gives what is beside it the same rights.

    Raises:
        InvalidInput: It cannot be made, or the disk is full.
    """
    import sqlite3

    try:
        handle = os.open(path, os.O_RDWR | os.O_CREAT | _NO_LINK, 0o600)
        os.close(handle)
        connection = sqlite3.connect(path, isolation_level=None)
        try:
            # Before the room writes ahead: so the mark stands in the file itself.
            connection.execute(f"PRAGMA application_id={_MARK}")
        finally:
            connection.close()
    except (OSError, sqlite3.Error) as error:
        got = getattr(error, "strerror", None) or str(error)
        hint = "Give yourself the right to write there, or make room, then run again."
        raise InvalidInput(Problem(str(path), "be writable", got, hint)) from error
