"""A finished run, frozen: made, written, read back."""

import csv
import io
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tools.freezing.numbers import keys_of, numbers_of, shown
from tools.freezing.page_text import visible_text

_NUMBERS, _TABLES, _PAGE = "numbers.txt", "tables.txt", "page.txt"
_RUN: Final = "(the run's name)"
"""Stands where the run's name stood: it changes with every word of a file that it was made of."""
_HASH: Final = re.compile(r"\b[0-9a-f]{64}\b")
"""Of an input file: what is in it shows in the numbers, and some hold a last digit themselves."""
_HEAD: Final = "== "


@dataclass(frozen=True)
class Frozen:
    """What the report of one study says.

    Attributes:
        numbers: Path in report.json to value, such as `standings[length, A].mean`.
        tables: Table to its CSV: heading and rows.
        page: The lines of the page.
    """

    numbers: Mapping[str, str]
    tables: Mapping[str, list[list[str]]]
    page: list[str]

    def cells(self) -> dict[str, str]:
        """Give every cell of every table under a path, such as `tables.standings[length, A].mean`.

        The order of a table's rows stands under `tables.standings.order`.
        """
        made: dict[str, str] = {}
        for table, (header, *rows) in self.tables.items():
            found = keys_of([dict(zip(header, _worded(row), strict=True)) for row in rows])
            made[f"tables.{table}.columns"] = ", ".join(header)
            made[f"tables.{table}.order"] = "; ".join(found)
            for key, row in zip(found, rows, strict=True):
                path = f"tables.{table}[{key}]"
                made |= {f"{path}.{name}": cell for name, cell in zip(header, row, strict=True)}
        return made


def freeze(folder: Path) -> Frozen:
    """Freeze the run in a folder: report.json, tables/*.csv, paper/*.csv and report.html."""
    report = json.loads((folder / "report.json").read_bytes())
    name = str(report["run"]["name"])
    numbers = {
        f"{record}.{field}" if record else field: value
        for record, field, value in numbers_of(report)
    }
    files = sorted([*(folder / "tables").glob("*.csv"), *(folder / "paper").glob("*.csv")])
    tables = {f"{path.parent.name}/{path.stem}": _rounded(_nameless(path, name)) for path in files}
    lines = visible_text(_nameless(folder / "report.html", name)).splitlines()
    return Frozen(numbers, tables, lines)


def _nameless(path: Path, name: str) -> str:
    """Read a file of a run without the run's name and the hashes of what it was made of."""
    return _HASH.sub("(hash)", path.read_text(encoding="utf-8").replace(name, _RUN))


def write_frozen(frozen: Frozen, folder: Path) -> None:
    """Write one study's part of a freeze."""
    folder.mkdir(parents=True, exist_ok=True)
    records: dict[str, list[str]] = {}
    for path, value in frozen.numbers.items():
        # Up to the last bracket a path names a record; what follows are its fields.
        at = path.rfind("]") + 1
        records.setdefault(path[:at], []).append(f"{path[at:].removeprefix('.')}={value}")
    lines = ["\t".join([record, *fields]) + "\n" for record, fields in records.items()]
    (folder / _NUMBERS).write_text("".join(lines), encoding="utf-8")
    out = io.StringIO()
    for table, rows in frozen.tables.items():
        out.write(f"{_HEAD}{table}\n")
        csv.writer(out, lineterminator="\n").writerows(rows)
    (folder / _TABLES).write_text(out.getvalue(), encoding="utf-8")
    (folder / _PAGE).write_text("".join(f"{line}\n" for line in frozen.page), encoding="utf-8")


def read_frozen(folder: Path) -> Frozen:
    """Read one study's part of a freeze."""
    numbers: dict[str, str] = {}
    for line in _lines(folder / _NUMBERS):
        record, *fields = line.split("\t")
        for one in fields:
            field, _, value = one.rpartition("=")
            dot = "." if record and not field.startswith("[") and field else ""
            numbers[f"{record}{dot}{field}"] = value
    tables: dict[str, list[list[str]]] = {}
    parts = (folder / _TABLES).read_text(encoding="utf-8").split(f"\n{_HEAD}")
    for part in parts:
        name, _, content = part.removeprefix(_HEAD).partition("\n")
        tables[name] = list(csv.reader(io.StringIO(content)))
    return Frozen(numbers, tables, list(_lines(folder / _PAGE)))


def _lines(path: Path) -> Iterator[str]:
    yield from path.read_text(encoding="utf-8").splitlines()


def _rounded(content: str) -> list[list[str]]:
    return [[_cell(one) for one in row] for row in csv.reader(io.StringIO(content))]


def _cell(text: str) -> str:
    """Keep of a number with a fraction the digits that every machine agrees on."""
    try:
        return shown(float(text)) if set(text) & set(".e") else text
    except ValueError:
        return text


def _worded(row: list[str]) -> list[str]:
    """Leave out numbers: a row is named by its words."""
    return ["" if _is_number(one) else one for one in row]


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
