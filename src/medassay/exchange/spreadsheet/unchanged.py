"""A study's folder stays as it was where an import is refused while it writes."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import Final

from medassay.study.files.names import ANSWERS, SCORES
from medassay.tables import write_atomically

_WRITTEN: Final = ("", ANSWERS, SCORES)
"""The folders of a study that an import writes into."""


@contextmanager
def unchanged_if_refused(into: Path) -> Iterator[None]:
    """Give a folder back what it held, and take away what it did not, where anything goes wrong.

    Args:
        into: The study's folder, which need not be there yet.
    """
    before = {path: path.read_bytes() for path in _files(into)}
    folders = {into / name for name in _WRITTEN if (into / name).exists()}
    try:
        yield
    except BaseException:
        for path in _files(into):
            if path not in before:
                path.unlink()
            elif path.read_bytes() != before[path]:
                write_atomically(path, before[path])
        for name in reversed(_WRITTEN):
            if into / name not in folders:
                shutil.rmtree(into / name, ignore_errors=True)
        raise


def _files(into: Path) -> list[Path]:
    held = chain.from_iterable((into / name).glob("*") for name in _WRITTEN)
    return [path for path in held if path.is_file()]
