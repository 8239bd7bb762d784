"""The bytes of a file, or why there are none."""

import os
import stat
from pathlib import Path
from typing import Final

from medassay.errors import InvalidInput, Problem
from medassay.tables.characters import holds_halves

__all__ = ["file_bytes", "file_problem", "folder_problem", "is_there"]

_LOST: Final = "Fetch what it points to (git annex get, datalad get), or put the thing itself here."


def is_there(path: Path) -> bool:
    """Tell whether anything bears this name, even if it cannot be read."""
    return os.path.lexists(path)


def file_bytes(path: Path, file: str) -> bytes:
    """Read a file whole.

    Args:
        path: The file.
        file: What messages call it.

    Raises:
        InvalidInput: It is not there, is no ordinary file, or may not be read.
    """
    problem = file_problem(path, file)
    if problem is not None:
        raise InvalidInput(problem)
    try:
        return path.read_bytes()
    except OSError as error:
        raise InvalidInput(_refused(path, file, error)) from error


def file_problem(path: Path, file: str) -> Problem | None:
    """Say why a file cannot be read, if it cannot: a link to nothing, a folder, a pipe, no right.

    A name in another encoding cannot become a system's name, nor stand in any other file.

    Args:
        path: The file.
        file: What messages call it.
    """
    if holds_halves(path.name):
        return Problem(file, "have a name in UTF-8", ascii(path.name), "Rename the file.")
    try:
        mode = path.stat().st_mode
        if stat.S_ISDIR(mode):
            return Problem(file, "be a file", "a folder")
        # A pipe or a device may never end, and opening one may wait for ever.
        if not stat.S_ISREG(mode):
            hint = "Save what comes out of it as a file first."
            return Problem(file, "be a file", "a pipe or a device", hint)
        path.open("rb").close()
    except OSError as error:
        return _refused(path, file, error)
    return None


def folder_problem(path: Path, file: str) -> Problem | None:
    """Say why what lies in a folder cannot be listed, if it cannot.

    Args:
        path: The folder.
        file: What messages call it.
    """
    try:
        if not stat.S_ISDIR(path.stat().st_mode):
            got = "a file" if path.is_file() else "a pipe or a device"
            return Problem(file, "be a folder", got)
        os.scandir(path).close()
    except OSError as error:
        return _refused(path, file, error)
    return None


def _refused(path: Path, file: str, error: OSError) -> Problem:
    if isinstance(error, FileNotFoundError):
        if path.is_symlink():
            return Problem(file, "be there", "a link to nothing", _LOST)
        return Problem(file, "be a file that exists", "nothing there")
    if isinstance(error, PermissionError):
        hint = f"Give yourself the right to read it: chmod u+r {path}"
        return Problem(file, "be readable", "no permission to read it", hint)
    return Problem(file, "be readable", error.strerror or str(error))
