"""Files that are never changed, named by the hash of their own bytes."""

import hashlib
from pathlib import Path
from typing import Final

from medassay.tables.write import write_atomically

__all__ = ["name_by_content", "write_by_content"]

_SHOWN: Final = 32


def name_by_content(content: bytes) -> str:
    """Give the name of a Parquet file with these bytes: one that is damaged does not bear it.

    Example:
        >>> name_by_content(b"rows")
        'bc51e9e65d79e1c90ba544ab2eae1044.parquet'
    """
    return f"{hashlib.sha256(content).hexdigest()[:_SHOWN]}.parquet"


def write_by_content(folder: Path, content: bytes) -> Path:
    """Write a file under that name, unless it is there; give its path."""
    path = folder / name_by_content(content)
    if not path.exists():
        write_atomically(path, content)
    return path
