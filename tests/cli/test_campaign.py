"""medassay campaign: sheets out, sheets in, and how far everybody has come."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from medassay.judgements.campaign import find_plans
from medassay.tables import csv_bytes

Command = Callable[..., Any]


@pytest.fixture
def sent(medassay: Command, tmp_path: Path) -> Path:
    folder = tmp_path / "ankles"
    assert medassay("new", folder, "--protocol", "ratings").code == 0
    said = medassay("campaign", "export", folder, "--raters", "anna,ben", "--repeats", "1")
    assert said.code == 0
    assert "Campaign main: 4 answers, 2 raters." in said.out
    assert "Keep campaigns/main/key.csv to yourself" in said.out
    return folder


def back(folder: Path, rater: str, labels: list[str]) -> Path:
    codes = [one.code for one in find_plans(folder)["main"].of_rater(rater)]
    file = folder.parent / f"{rater}.csv"
    rows = [list(pair) for pair in zip(codes, labels, strict=True)]
    file.write_bytes(csv_bytes(["Code", "Overall quality"], rows))
    return file


def test_sheets_go_out_and_come_in(medassay: Command, sent: Path) -> None:
    half = back(sent, "anna", ["4", "5", "1.0", "", ""])
    said = medassay("campaign", "import", sent, half, back(sent, "ben", ["3"] * 5))
    assert said.code == 0
    assert "8 labels added." in said.out
    assert "wrote judgements.csv" in said.out
    row = next(line for line in said.out.splitlines() if line.split()[:1] == ["anna"])
    assert row.split() == ["anna", "5", "3", "0", "4", "quality", "2"]
    again = medassay("campaign", "import", sent, half)
    assert "0 labels added; 3 were there already." in again.out
    assert "note: anna.csv was imported before." in again.out
    assert medassay("check", sent).code == 0


def test_status_says_who_has_come_how_far(medassay: Command, sent: Path) -> None:
    medassay("campaign", "import", sent, back(sent, "ben", ["3", "", "", "", ""]))
    found = medassay("campaign", "status", sent, "--json").json()
    assert found == {
        "main": [
            {"rater": "anna", "asked": 5, "done": 0, "begun": 0, "next_position": 1,
             "missing": {"quality": 5}},
            {"rater": "ben", "asked": 5, "done": 1, "begun": 0, "next_position": 2,
             "missing": {"quality": 4}},
        ]
    }  # fmt: skip
    assert "ben" in medassay("campaign", "status", sent, "--name", "main").out
    wrong = medassay("campaign", "status", sent, "--name", "mian")
    assert wrong.code == 2
    assert "Known: main." in wrong.err


def test_status_of_a_study_without_a_campaign(medassay: Command, study: Path) -> None:
    assert "no campaign yet" in medassay("campaign", "status", study).out


def test_problems_come_as_data_too(medassay: Command, sent: Path) -> None:
    file = back(sent, "anna", ["4", "six", "", "", ""])
    said = medassay("campaign", "import", sent, file, "--json")
    assert said.code == 2
    (problem,) = said.json()["problems"]
    assert (problem["cell"], problem["row"], problem["column"]) == ("B3", 3, "Overall quality")


def test_export_in_json_and_what_may_be_hidden(medassay: Command, tmp_path: Path) -> None:
    folder = tmp_path / "ankles"
    medassay("new", folder, "--protocol", "ratings")
    words = ["campaign", "export", folder, "--raters", "1", "--format", "csv", "--json"]
    done = medassay(*words, "--hide", "references").json()
    assert done["loads"] == {"rater-1": 4}
    assert "campaigns/main/sheets/rubric.csv" in done["files"]
    sheet = folder / "campaigns" / "main" / "sheets" / "rater-1.csv"
    header = sheet.read_text(encoding="utf-8-sig").splitlines()[0]
    assert "Reference" not in header.split(",")
    assert "Evidence" in header.split(",")
    wrong = medassay(*words, "--name", "b", "--hide", "referenc")
    assert wrong.code == 2
    assert wrong.json()["problems"][0]["try"] == 'Did you mean "references"?'
