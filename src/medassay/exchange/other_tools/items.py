"""The file of items that raters were shown: which system and case each is of."""

import json
from collections.abc import Mapping
from pathlib import Path

from medassay.errors import InvalidInput, Problem
from medassay.tables import Sheet, read_json, read_sheet

__all__ = ["read_items"]


def read_items(path: Path) -> dict[str, Mapping[str, str]]:
    """Read the file of items: a table, or JSON with a list of objects."""
    if path.suffix.lower() == ".json":
        rows = read_json(path)
        if not isinstance(rows, list) or not all(isinstance(entry, dict) for entry in rows):
            raise InvalidInput(Problem(path.name, "be a list of items", "something else"))
        names = dict.fromkeys(name for row in rows for name in row)
        columns = {name: [row.get(name) for row in rows] for name in names}
        sheet = Sheet(path.name, list(range(1, len(rows) + 1)), columns)
    else:
        sheet = read_sheet(path)
    if "id" not in sheet.columns:
        hint = "It is the file that the server showed, with id, system and case."
        raise InvalidInput(Problem(sheet.file, "have the column id", "none", hint))
    return {
        str(cells.get("id", "")): {
            name: value if isinstance(value, str) else json.dumps(value)
            for name, value in cells.items()
        }
        for _, cells in sheet.records()
    }
