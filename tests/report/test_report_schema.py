"""report.json is what its published schema says, in every standard study."""

import json

import pytest
from jsonschema import Draft202012Validator
from tools.make_report_schema import SCHEMA, schema, undescribed
from tools.standard import STANDARD
from tools.standard.shared import SharedRuns

SAID = json.loads(SCHEMA.read_bytes())


@pytest.mark.slow
def test_the_published_schema_is_that_of_the_records() -> None:
    assert SCHEMA.read_bytes() == schema(), "python -m tools.make_report_schema"
    Draft202012Validator.check_schema(SAID)


def test_every_property_says_what_it_holds() -> None:
    assert undescribed({"title": "A", "properties": {"n": {"type": "integer"}}}) == ["A.n"]
    assert undescribed(SAID) == [], "a docstring below the field, or tools/report_meanings.py"


@pytest.mark.parametrize("name", STANDARD)
def test_a_report_is_what_the_schema_says(standard_run: SharedRuns, name: str) -> None:
    told = json.loads((standard_run(name).folder / "report.json").read_text(encoding="utf-8"))
    found = [f"{error.json_path}: {error.message[:200]}" for error in
             Draft202012Validator(SAID).iter_errors(told)]  # fmt: skip
    assert not found


@pytest.mark.parametrize("changed", ["unknown", "gone", "wrong"])
def test_the_schema_refuses_what_is_no_report(standard_run: SharedRuns, changed: str) -> None:
    told = json.loads((standard_run("rated").folder / "report.json").read_text(encoding="utf-8"))
    if changed == "unknown":
        told["analyses"]["of_nobody"] = {}
    elif changed == "gone":
        del told["analyses"]["case_difficulty"]["dimensions"]
    else:
        told["analyses"]["leaderboards"]["standings"][0]["n"] = "many"
    assert list(Draft202012Validator(SAID).iter_errors(told))
