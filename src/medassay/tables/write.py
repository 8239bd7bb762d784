"""Write files whole or not at all, and the same rows as the same bytes."""

import csv
import io
import json
import os
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

from medassay.errors import InvalidInput, Problem

__all__ = ["csv_bytes", "json_bytes", "jsonl_bytes", "remove_unfinished", "write_atomically"]

_UNFINISHED: Final = ".unfinished"


def write_atomically(path: Path, content: bytes) -> None:
    """Write beside the file, flush to disk, then rename over it.

    Raises:
        InvalidInput: The folder cannot be written or the disk is full; the old file is untouched.
    """
    handle: int | None = None
    beside = ""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, beside = tempfile.mkstemp(
            dir=path.parent, prefix=f".{path.name}.", suffix=_UNFINISHED
        )
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        # mkstemp makes files that only their owner can read; results are for sharing.
        umask = os.umask(0)
        os.umask(umask)
        Path(beside).chmod(0o666 & ~umask)
        Path(beside).replace(path)
    except OSError as error:
        if beside:
            Path(beside).unlink(missing_ok=True)
        got = error.strerror or str(error)
        hint = "The old file, if there was one, is as it was. Make room, then run again."
        if isinstance(error, PermissionError):
            hint = "Give yourself the right to write there, then run again."
        raise InvalidInput(Problem(str(path), "be writable", got, hint)) from error


def make_folder(path: Path) -> None:
    """Make a folder and those above it.

    Raises:
        InvalidInput: It cannot be made.
    """
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        got = error.strerror or str(error)
        hint = "Choose another folder."
        raise InvalidInput(Problem(str(path), "be a folder that can be made", got, hint)) from error


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
    return f"{text}\n".encode()


def jsonl_bytes(records: Iterable[Mapping[str, object]]) -> bytes:
    r"""Render one JSON object a line, keys in the order given.

    Example:
        >>> jsonl_bytes([{"case": "1", "text": "é"}]).decode()
        '{"case": "1", "text": "é"}\n'
    """
    lines = (json.dumps(record, ensure_ascii=False, allow_nan=False) for record in records)
    return "".join(f"{line}\n" for line in lines).encode()


def csv_bytes(header: Sequence[str], rows: Iterable[Sequence[object]]) -> bytes:
    r"""Render CSV with a header; None is an empty cell, a float keeps all its digits.

    Example:
        >>> csv_bytes(["case", "value"], [["1", 0.1], ["2", None]]).decode()
        'case,value\n1,0.1\n2,\n'
    """
    out = io.StringIO()
    kept = [list(row) for row in rows]
    # The csv module leaves a lone carriage return without quotes, and readers end the row there.
    lone = any(isinstance(cell, str) and "\r" in cell for row in kept for cell in row)
    writer = csv.writer(
        out, lineterminator="\n", quoting=csv.QUOTE_ALL if lone else csv.QUOTE_MINIMAL
    )
    writer.writerow(header)
    writer.writerows(kept)
    return out.getvalue().encode()
