"""Read a pickle that holds plain data, and nothing else."""

import bz2
import io
import pickle
from pathlib import Path
from typing import Final, NoReturn

from medassay.errors import InvalidInput, Problem

__all__ = ["plain_loads", "read_plain_pickle"]


# What a file that was cut off or changed makes the reader raise.
_BROKEN: Final = (
    AttributeError, EOFError, LookupError, OSError, OverflowError, TypeError, ValueError,
    pickle.UnpicklingError,
)  # fmt: skip


class _PlainUnpickler(pickle.Unpickler):
    """Makes strings, numbers, lists and dicts; refuses to look up any class or function."""

    def find_class(self, module: str, name: str) -> NoReturn:
        """Refuse: whatever is looked up here could be run."""
        raise pickle.UnpicklingError(f"{module}.{name}")

    def persistent_load(self, pid: object) -> NoReturn:
        """Refuse: plain data refers to nothing outside."""
        raise pickle.UnpicklingError(f"a reference to {pid}")


def plain_loads(content: bytes) -> object:
    """Read a pickle of plain data, as `pickle.loads` does; nothing that it asks for is ever run.

    Raises:
        pickle.UnpicklingError: It asks for code.

    Example:
        >>> plain_loads(pickle.dumps({("C0000001", "1")}))
        {('C0000001', '1')}
    """
    data: object = _PlainUnpickler(io.BytesIO(content)).load()
    return data


def read_plain_pickle(path: Path) -> object:
    """Read a bz2-compressed pickle of plain data. Nothing that the file asks for is ever run.

    Raises:
        InvalidInput: It asks for code, is cut off or is no such file.
    """
    try:
        return _PlainUnpickler(io.BytesIO(bz2.decompress(path.read_bytes()))).load()
    except _BROKEN as error:
        problem = Problem(
            str(path),
            "be a bz2-compressed pickle of plain data",
            str(error) or type(error).__name__,
            "Install that package again.",
        )
        raise InvalidInput(problem) from error
