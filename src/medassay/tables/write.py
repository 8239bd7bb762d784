"""Write files whole or not at all, and the same rows as the same bytes, in every form."""

import csv
import hashlib
import io
import json
import os
import re
import tempfile
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar, copy_context
from datetime import UTC, datetime
from io import BytesIO
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Final

from medassay.errors import InvalidInput, Problem
from medassay.tables.characters import without_halves

if TYPE_CHECKING:
    from xlsxwriter import Workbook

_UNFINISHED: Final = ".unfinished"
_FILES_AT_ONCE: Final = 8
_UMASK: Final = threading.Lock()
_HOME: Final[ContextVar[Path | None]] = ContextVar("medassay_home", default=None)
_SHOWN: Final = 32
_ROWS_AT_ONCE: Final = 4_096
_ENCODER: Final = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"))
_ROW: Final = json.JSONEncoder(
    ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",\n      ", ": ")
)
# The first moment that a ZIP archive can name: the file tells nobody when or by whom it was made.
NO_MOMENT: Final = datetime(1980, 1, 1, tzinfo=UTC).replace(tzinfo=None)
# What Windows keeps for devices, with any ending and in small or large letters.
_DEVICE: Final = re.compile(
    r"(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin-|conout-)(?=\.|$)", re.IGNORECASE
)
_LONGEST: Final = 120
"""Bytes: with an ending, and the mark of a file that is being written, it stays below 255."""
_KEPT: Final = 100
_PORTION: Final = 10_000
"""Rows of CSV that are written at a time."""


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

    with ThreadPoolExecutor(_FILES_AT_ONCE) as threads:
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
    for place, folders, files in os.walk(folder):
        for name in files:
            if name.startswith(".") and name.endswith(_UNFINISHED):
                Path(place, name).unlink(missing_ok=True)
        if not deep:
            folders.clear()


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
    lines = map(json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode, records)
    return text_bytes("".join(f"{line}\n" for line in lines))


def csv_bytes(header: Sequence[str], rows: Iterable[Sequence[object]]) -> bytes:
    r"""Render CSV with a header; None is an empty cell, a float keeps all its digits.

    Example:
        >>> csv_bytes(["case", "value"], [["1", 0.1], ["2", None]]).decode()
        'case,value\n1,0.1\n2,\n'
    """
    # What can be gone through again is not held as a whole: millions of cells are.
    listed = list(rows) if isinstance(rows, Iterator) else rows
    content = _csv_bytes(header, listed, quoted=False)
    # The csv module leaves a lone carriage return without quotes, and readers end the row there.
    lone = (isinstance(cell, str) and "\r" in cell for row in listed for cell in row)
    if b"\r" in content and any(lone):
        content = _csv_bytes(header, listed, quoted=True)
    return content


def _csv_bytes(header: Sequence[str], rows: Iterable[Sequence[object]], *, quoted: bool) -> bytes:
    """Write rows a portion at a time: a buffer of text takes four times the room of its bytes."""
    content = bytearray()
    left = chain([header], rows)
    while portion := list(islice(left, _PORTION)):
        out = io.StringIO()
        csv.writer(
            out, lineterminator="\n", quoting=csv.QUOTE_ALL if quoted else csv.QUOTE_MINIMAL
        ).writerows(portion)
        content += text_bytes(out.getvalue())
    return bytes(content)


def write_rows(path: Path, rows: Sequence[dict[str, object]]) -> None:
    """Write rows to .jsonl, .csv or .parquet.

    JSONL keeps nested values as they are. CSV and Parquet have one column for each key that any row
    has, in the order of first sight, and hold lists and objects as JSON text in a cell.

    Raises:
        InvalidInput: The ending is another, or the file cannot be written.
    """
    renderers = {".jsonl": jsonl_bytes, ".csv": _csv, ".parquet": _parquet}
    render = renderers.get(path.suffix.lower())
    if render is None:
        must = f"end in one of {', '.join(renderers)}"
        raise InvalidInput(Problem(path.name, must, f'"{path.suffix}"'))
    write_atomically(path, render(rows))


def _header(rows: Sequence[dict[str, object]]) -> list[str]:
    return list(dict.fromkeys(key for row in rows for key in row))


def cell_text(value: object) -> object:
    """Give a list or an object as JSON text, and anything else as it is."""
    return json.dumps(value, ensure_ascii=False) if isinstance(value, dict | list) else value


def _whole(cell: object) -> object:
    return without_halves(cell) if isinstance(cell, str) else cell


def _csv(rows: Sequence[dict[str, object]]) -> bytes:
    header = _header(rows)
    return csv_bytes(header, ([cell_text(row.get(name)) for name in header] for row in rows))


def _parquet(rows: Sequence[dict[str, object]]) -> bytes:
    import polars as pl

    columns = {
        without_halves(name): [_whole(cell_text(row.get(name))) for row in rows]
        for name in _header(rows)
    }
    buffer = io.BytesIO()
    pl.DataFrame(columns, strict=False).write_parquet(buffer)
    return buffer.getvalue()


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


def long_json_bytes(value: Mapping[str, object]) -> bytes:
    r"""Render what `json_bytes` does, compact and in order, a few thousand rows of a list at once.

    Example:
        >>> long_json_bytes({"b": [1, 2], "a": {"é": None}}).decode()
        '{"b":[1,2],"a":{"é":null}}\n'
    """
    out = io.BytesIO()
    out.writelines(map(text_bytes, chain(_pieces(value), ("\n",))))
    return out.getvalue()


def _pieces(value: object) -> Iterator[str]:
    if isinstance(value, dict) and value and set(map(type, value)) == {str}:
        for place, (key, part) in enumerate(value.items()):
            yield f"{',' if place else '{'}{_ENCODER.encode(key)}:"
            yield from _pieces(part)
        yield "}"
    elif isinstance(value, list) and len(value) > _ROWS_AT_ONCE:
        for start in range(0, len(value), _ROWS_AT_ONCE):
            rows = _ENCODER.encode(value[start : start + _ROWS_AT_ONCE])
            yield f"{',' if start else '['}{rows[1:-1]}"
        yield "]"
    else:
        yield _ENCODER.encode(value)


def json_bytes_with_rows(
    value: Mapping[str, object], name: str, rows: Iterable[Mapping[str, object]]
) -> bytes:
    r"""Render what `json_bytes` does of an object with a list of rows, row by row.

    Args:
        value: All of the object but the list.
        name: The key of the list.
        rows: The rows, at least one cell in each; a cell holds a text, a number, true, false or
            null.

    Example:
        >>> rows = [{"case": "1", "a": None}, {"case": "2", "a": 0.5}]
        >>> made = json_bytes_with_rows({"b": 1}, "rows", iter(rows))
        >>> made == json_bytes({"b": 1, "rows": rows})
        True
    """
    # No text holds a line break, and what is deeper more blanks.
    place = text_bytes(f"\n  {_ENCODER.encode(name)}: ")
    before, _, after = json_bytes({**value, name: []}).partition(place + b"[]")
    out = io.BytesIO()
    out.write(before + place + b"[")
    between = "\n"
    for row in rows:
        cells = _ROW.encode(row)
        out.write(text_bytes(f"{between}    {{\n      {cells[1:-1]}\n    }}"))
        between = ",\n"
    out.write((b"" if between == "\n" else b"\n  ") + b"]" + after)
    return out.getvalue()


def new_workbook(out: BytesIO, title: str = "") -> "Workbook":
    """Begin a workbook whose bytes depend on its cells alone, and whose texts stay texts.

    Example:
        >>> out = BytesIO()
        >>> book = new_workbook(out)
        >>> book.add_worksheet("One").write(0, 0, "=1+1")
        0
        >>> book.close()
        >>> out.getvalue()[:2]
        b'PK'
    """
    import xlsxwriter
    from xlsxwriter.worksheet import Worksheet

    class WholeSigns(Worksheet):  # type: ignore[misc]  # xlsxwriter publishes no types
        def _write_string(self, row: int, col: int, string: str, *form: object) -> object:
            return super()._write_string(row, col, without_halves(string), *form)

    options = {
        "in_memory": True,
        "strings_to_formulas": False,
        "strings_to_urls": False,
        "strings_to_numbers": False,
    }
    book = xlsxwriter.Workbook(out, options)
    book.worksheet_class = WholeSigns
    book.set_properties({"created": NO_MOMENT, **({"title": title} if title else {})})
    return book


def file_stem(name: str) -> str:
    """Make a file's name of an id: what a file system may refuse becomes `-`.

    A name that Windows keeps for a device gets a `_`. One that is too long is cut, and ends in a
    hash of the whole, so that two long names stay two.

    Example:
        >>> file_stem("medcon(rule=compat)"), file_stem("../a b"), file_stem("CON"), file_stem("a.")
        ('medcon-rule-compat-', '-a-b', 'CON_', 'a-')
        >>> file_stem("nul.txt"), len(file_stem("a" * 300))
        ('nul_.txt', 109)
    """
    stem = "".join(c if c.isalnum() or c in "._-" else "-" for c in name).lstrip(".") or "-"
    stem = _DEVICE.sub(r"\1_", stem, count=1) if _DEVICE.match(stem) else stem
    if stem.endswith("."):
        stem = f"{stem[:-1]}-"
    if len(stem.encode()) > _LONGEST:
        digest = hashlib.sha256(name.encode(errors="surrogatepass")).hexdigest()[:8]
        stem = f"{stem.encode()[:_KEPT].decode(errors='ignore')}-{digest}"
    return stem


def file_stems(names: Iterable[str], plain: Callable[[str], str] = str) -> dict[str, str]:
    """Give each name a file's name of its own: of two that would be one, the later gets a number.

    Small and large letters are one to many file systems.

    Args:
        names: The names.
        plain: Makes a name shorter or plainer first.

    Example:
        >>> file_stems(["a/b", "A-B", "c"])
        {'a/b': 'a-b', 'A-B': 'A-B-2', 'c': 'c'}
    """
    stems: dict[str, str] = {}
    taken: set[str] = set()
    for name in dict.fromkeys(names):
        stem = first = file_stem(plain(name))
        turn = 1
        while stem.casefold() in taken:
            turn += 1
            stem = f"{first}-{turn}"
        taken.add(stem.casefold())
        stems[name] = stem
    return stems
