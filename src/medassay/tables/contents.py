"""The bytes of a file, or why there are none."""

import stat
from pathlib import Path

from medassay.errors import InvalidInput, Problem

__all__ = ["file_bytes"]


def file_bytes(path: Path, file: str) -> bytes:
    """Read a file whole.

    Args:
        path: The file.
        file: What messages call it.

    Raises:
        InvalidInput: It is not there, is no ordinary file, or may not be read.
    """
    try:
        mode = path.stat().st_mode
        # A pipe or a device may never end, and opening one may wait for ever.
        if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
            hint = "Save what comes out of it as a file first."
            raise InvalidInput(Problem(file, "be a file", "a pipe or a device", hint))
        return path.read_bytes()
    except FileNotFoundError as error:
        must, got, hint = "be a file that exists", "nothing there", ""
        raise InvalidInput(Problem(file, must, got, hint)) from error
    except IsADirectoryError as error:
        raise InvalidInput(Problem(file, "be a file", "a folder")) from error
    except PermissionError as error:
        hint = f"Give yourself the right to read it: chmod u+r {path}"
        raise InvalidInput(
            Problem(file, "be readable", "no permission to read it", hint)
        ) from error
    except OSError as error:
        raise InvalidInput(Problem(file, "be readable", error.strerror or str(error))) from error
