"""Render JSON of very many rows piece by piece: the same bytes as at once, in far less memory."""

import io
import json
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Final

from medassay.tables.write import json_bytes, text_bytes

__all__ = ["json_bytes_with_rows", "long_json_bytes"]

_AT_ONCE: Final = 4_096
_ENCODER: Final = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"))
_ROW: Final = json.JSONEncoder(
    ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",\n      ", ": ")
)


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
    elif isinstance(value, list) and len(value) > _AT_ONCE:
        for start in range(0, len(value), _AT_ONCE):
            rows = _ENCODER.encode(value[start : start + _AT_ONCE])
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
