"""Write records to the form that the file's ending names."""

import io
import json
from collections.abc import Sequence
from pathlib import Path

from medassay.errors import InvalidInput, Problem
from medassay.tables.visible import without_halves
from medassay.tables.write import csv_bytes, jsonl_bytes, write_atomically

__all__ = ["write_rows"]


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


def _cell(value: object) -> object:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, dict | list) else value


def _whole(cell: object) -> object:
    return without_halves(cell) if isinstance(cell, str) else cell


def _csv(rows: Sequence[dict[str, object]]) -> bytes:
    header = _header(rows)
    return csv_bytes(header, ([_cell(row.get(name)) for name in header] for row in rows))


def _parquet(rows: Sequence[dict[str, object]]) -> bytes:
    import polars as pl

    columns = {
        without_halves(name): [_whole(_cell(row.get(name))) for row in rows]
        for name in _header(rows)
    }
    buffer = io.BytesIO()
    pl.DataFrame(columns, strict=False).write_parquet(buffer)
    return buffer.getvalue()
