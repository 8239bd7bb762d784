"""The standard studies together fill every key of report.json and every table."""

import ast
import csv
import json
import re
from collections.abc import Iterator
from pathlib import Path

from tools.standard import STANDARD
from tools.standard.shared import SharedRuns

from medassay.analyses.registry import analyses, is_ours

ROOT = Path(__file__).parents[2]
ELSEWHERE = {
    "metric-uses": "of metrics that are shown usable, which takes many systems: test_opening.py",
    "overview": "the numbers of the first figure, in the Word document alone: test_word.py",
    "plan-tau": "a table of `medassay plan`, and of no report",
    "side-by-side": "of one system; of two, as here, each has one under its own name",
}
EMBEDDED = re.compile(rb'<script type="application/json" id="csv-data">(.*?)</script>', re.DOTALL)


def test_every_key_of_report_json_is_filled(standard_run: SharedRuns) -> None:
    reports = [json.loads((standard_run(s).folder / "report.json").read_bytes()) for s in STANDARD]
    keys = {key for report in reports for key in report}
    assert {"sources", "shortened"} <= keys
    # False and 0 say something; nothing, an empty text and an empty list do not.
    empty = {k for k in keys if all(report[k] in (None, "", [], {}) for report in reports)}
    # Two scores for one column are a mistake to ask about: test_imported_columns.py makes it.
    empty -= {"questions"}
    assert not empty, "A standard study must fill what is new: see tools/standard."
    found = {name for report in reports for name in report["analyses"]}
    unasked = {one.id for one in analyses() if is_ours(one)} - found
    assert not unasked, "No standard study has something to say to these analyses."


def test_every_table_has_rows(standard_run: SharedRuns) -> None:
    filled: set[str] = set()
    files: set[str] = set()
    for study in STANDARD:
        folder = standard_run(study).folder
        written = {path.stem: path.read_text(encoding="utf-8") for path in folder.rglob("*.csv")}
        [embedded] = EMBEDDED.findall((folder / "report.html").read_bytes())
        files |= written.keys()
        filled |= {t for t, text in (json.loads(embedded) | written).items() if _has_rows(text)}
    assert not files - filled
    defined = set(_defined_tables())
    assert {"trust", "judges", "left-out", "table-4"} <= defined
    assert set(ELSEWHERE) <= defined
    missing = defined - filled - ELSEWHERE.keys()
    assert not missing, "No standard study has these tables."


def _has_rows(text: str) -> bool:
    return len(list(csv.reader(text.splitlines()))) > 1


def _defined_tables() -> Iterator[str]:
    """Find the tables that the code names where it makes them; some get their name from a value."""
    rooms = ("report", "analyses/builtin")
    files = (f for room in rooms for f in (ROOT / "src" / "medassay" / room).rglob("*.py"))
    for path in files:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        constants = dict(_constants(tree))
        for call in ast.walk(tree):
            if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Name)):
                continue
            if call.func.id in {"Table", "table_of"}:
                named = [k.value for k in call.keywords if k.arg == "id"]
                # The first argument of `table_of` is its rows.
                placed = call.args if call.func.id == "Table" else []
                for one in _either([*named, *placed][0]):
                    name = one.value if isinstance(one, ast.Constant) else None
                    name = constants.get(one.id) if isinstance(one, ast.Name) else name
                    if isinstance(name, str) and re.fullmatch(r"[a-z0-9-]+[a-z0-9]", name):
                        yield name


def _either(name: ast.expr) -> list[ast.expr]:
    return [name.body, name.orelse] if isinstance(name, ast.IfExp) else [name]


def _constants(tree: ast.Module) -> Iterator[tuple[str, str]]:
    for line in tree.body:
        pairs: list[tuple[ast.expr, ast.expr | None]]
        if isinstance(line, ast.Assign):
            names = line.targets[0]
            pairs = (
                [*zip(names.elts, line.value.elts, strict=True)]
                if isinstance(names, ast.Tuple) and isinstance(line.value, ast.Tuple)
                else [(names, line.value)]
            )
        elif isinstance(line, ast.AnnAssign):
            pairs = [(line.target, line.value)]
        else:
            continue
        for name, value in pairs:
            if isinstance(name, ast.Name) and isinstance(value, ast.Constant):
                yield name.id, str(value.value)
