"""Write files whole or not at all, and the same rows as the same bytes."""

import csv
import io
import json
import os
import tempfile
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar, copy_context
from pathlib import Path
from typing import Final

from medassay.errors import InvalidInput, Problem

__all__ = [
    "csv_bytes",
    "json_bytes",
    "jsonl_bytes",
    "make_folder",
    "remove_unfinished",
    "staying_inside",
    "text_bytes",
    "write_all",
    "write_atomically",
    "writing_beside",
]

_UNFINISHED: Final = ".unfinished"
_AT_ONCE: Final = 8
_UMASK: Final = threading.Lock()
_HOME: Final[ContextVar[Path | None]] = ContextVar("medassay_home", default=None)


@contextmanager
def staying_inside(folder: Path) -> Iterator[None]:
    """Hold what the block writes under a folder's name inside that folder.

    Names of files come out of other people's data. A path that begins with the folder's and leads
    out of it, by `..` or over a link, is refused; paths elsewhere are the user's own choice.

    Example:
        >>> with staying_inside(Path("study")):
        ...     write_atomically(Path("study/../mine.csv"), b"")
        Traceback (most recent call last):
        ...
        medassay.errors.InvalidInput: study/../mine.csv: must lie inside study; got a name that \
leads out of it.
    """
    token = _HOME.set(folder)
    try:
        yield
    finally:
        _HOME.reset(token)


def write_atomically(path: Path, content: bytes, *, owner_only: bool = False) -> None:
    """Write beside the file, flush to disk, then rename over it.

    Args:
        path: The file.
        content: What it holds from now on.
        owner_only: Let nobody else read it, whatever is usual here.

    Raises:
        InvalidInput: The folder cannot be written or the disk is full, or the path leads out of the
            folder that it is to stay inside; the old file is untouched.
    """
    with writing_beside(path, owner_only=owner_only) as beside:
        beside.write_bytes(content)


def write_all(files: Mapping[Path, bytes]) -> None:
    """Write files as `write_atomically` does each, several at once: it is the disk that is slow.

    Args:
        files: What each holds from now on; they may come to be in any order.

    Raises:
        InvalidInput: As for `write_atomically`, of the first file that could not be written.
    """
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(_AT_ONCE) as threads:
        begun = [
            threads.submit(copy_context().run, write_atomically, path, content)
            for path, content in files.items()
        ]
    for written in begun:
        written.result()


@contextmanager
def writing_beside(path: Path, *, owner_only: bool = False) -> Iterator[Path]:
    """Let the block write a file beside another, flush it to disk, then rename it over that.

    If the block raises, the file is as it was.

    Args:
        path: The file that is to be written.
        owner_only: Let nobody else read it, whatever is usual here.

    Raises:
        InvalidInput: As for `write_atomically`.
    """
    _refuse_outside(path)
    beside = ""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, beside = tempfile.mkstemp(
            dir=path.parent, prefix=f".{path.name}.", suffix=_UNFINISHED
        )
        os.close(handle)
        yield Path(beside)
        with Path(beside).open("rb+") as file:
            os.fsync(file.fileno())
        # mkstemp makes files that only their owner can read; results are for sharing.
        if not owner_only:
            with _UMASK:  # it is read by setting it, for all threads
                umask = os.umask(0)
                os.umask(umask)
            Path(beside).chmod(0o666 & ~umask)
        Path(beside).replace(path)
    except OSError as error:
        _forget(beside)
        got = error.strerror or str(error)
        hint = "The old file, if there was one, is as it was. Make room, then run again."
        if isinstance(error, PermissionError):
            hint = "Give yourself the right to write there, then run again."
        raise InvalidInput(Problem(str(path), "be writable", got, hint)) from error
    except Exception:
        _forget(beside)
        raise


def _forget(beside: str) -> None:
    if beside:
        Path(beside).unlink(missing_ok=True)


def make_folder(path: Path) -> None:
    """Make a folder and those above it.

    Raises:
        InvalidInput: It cannot be made, or leads out of the folder that it is to stay inside.
    """
    _refuse_outside(path)
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        got = error.strerror or str(error)
        hint = "Choose another folder."
        raise InvalidInput(Problem(str(path), "be a folder that can be made", got, hint)) from error


def _refuse_outside(path: Path) -> None:
    home = _HOME.get()
    if home is None or not path.absolute().is_relative_to(home.absolute()):
        return
    parts = path.absolute().relative_to(home.absolute()).parts
    got = "a name that leads out of it" if ".." in parts else ""
    place = home
    for part in parts[:-1]:
        place /= part
        if not got and place.is_symlink():
            got = f"a way over {place}, a link"
    if got:
        raise InvalidInput(Problem(str(path), f"lie inside {home}", got))


def remove_unfinished(folder: Path, *, deep: bool = False) -> None:
    """Remove what a killed process was writing when it died.

    Only call this where nobody else can be writing into the folder.

    Args:
        folder: The folder.
        deep: Whether to look into the folders in it too.
    """
    find = folder.rglob if deep else folder.glob
    for path in find(f".*{_UNFINISHED}"):
        path.unlink(missing_ok=True)


def text_bytes(text: str) -> bytes:
    r"""Render a text in UTF-8; half of a character, which UTF-8 cannot hold, as its code.

    The codes are those of JSON: a JSON document says the same before and after.

    Example:
        >>> text_bytes("é \ud83d").decode()
        'é \\ud83d'
    """
    return text.encode("utf-8", "backslashreplace")


def json_bytes(value: object, *, compact: bool = False, in_order: bool = False) -> bytes:
    r"""Render JSON: sorted keys, no NaN; two spaces a level for people, or one line for machines.

    Args:
        value: What to render.
        compact: On one line.
        in_order: Keys stay in the order given, where that order says something.

    Example:
        >>> json_bytes({"b": 1, "a": "é"}).decode()
        '{\n  "a": "é",\n  "b": 1\n}\n'
        >>> json_bytes({"b": 1, "a": "é"}, compact=True).decode()
        '{"a":"é","b":1}\n'
    """
    layout: tuple[int | None, tuple[str, str] | None] = (None, (",", ":")) if compact else (2, None)
    text = json.dumps(
        value,
        ensure_ascii=False,
        sort_keys=not in_order,
        indent=layout[0],
        separators=layout[1],
        allow_nan=False,
    )
    return text_bytes(f"{text}\n")


def jsonl_bytes(records: Iterable[Mapping[str, object]]) -> bytes:
    r"""Render one JSON object a line, keys in the order given.

    Example:
        >>> jsonl_bytes([{"case": "1", "text": "é"}]).decode()
        '{"case": "1", "text": "é"}\n'
    """
    lines = (json.dumps(record, ensure_ascii=False, allow_nan=False) for record in records)
    return text_bytes("".join(f"{line}\n" for line in lines))


def csv_bytes(header: Sequence[str], rows: Iterable[Sequence[object]]) -> bytes:
    r"""Render CSV with a header; None is an empty cell, a float keeps all its digits.

    Example:
        >>> csv_bytes(["case", "value"], [["1", 0.1], ["2", None]]).decode()
        'case,value\n1,0.1\n2,\n'
    """
    out = io.StringIO()
    # What can be gone through again is not held as a whole: millions of cells are.
    listed = list(rows) if isinstance(rows, Iterator) else rows
    # The csv module leaves a lone carriage return without quotes, and readers end the row there.
    lone = any(isinstance(cell, str) and "\r" in cell for row in listed for cell in row)
    writer = csv.writer(
        out, lineterminator="\n", quoting=csv.QUOTE_ALL if lone else csv.QUOTE_MINIMAL
    )
    writer.writerow(header)
    writer.writerows(listed)
    return text_bytes(out.getvalue())
