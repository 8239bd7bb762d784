"""medassay campaign: sheets out, sheets in, and how far everybody has come."""

import hashlib
import zipfile
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
    assert "Keep campaigns/main/key.csv and secret.txt to yourself" in said.out
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


def test_every_campaign_draws_a_secret_of_its_own_whatever_the_study_s_seed(
    medassay: Command, tmp_path: Path
) -> None:
    codes: list[set[str]] = []
    secrets = set()
    for name in ("one", "other"):
        folder = tmp_path / name
        medassay("new", folder, "--protocol", "ratings")
        medassay("campaign", "export", folder, "--raters", "anna,ben")
        codes.append(set(find_plans(folder)["main"].by_code))
        secrets.add((folder / "campaigns" / "main" / "secret.txt").read_text(encoding="ascii"))
    assert not codes[0] & codes[1]
    assert {len(bytes.fromhex(one)) for one in secrets} == {32}
    assert len(secrets) == 2


def test_no_command_tells_a_secret(medassay: Command, sent: Path) -> None:
    kept = sent / "campaigns" / "main" / "secret.txt"
    secret = kept.read_text(encoding="ascii").strip()
    said = [
        medassay("campaign", "export", sent, "--raters", "anna,ben", "--repeats", "1", "--json"),
        medassay("campaign", "import", sent, back(sent, "ben", ["3"] * 5), "--json"),
        medassay("campaign", "status", sent, "--json"),
        medassay("check", sent, "--json"),
        medassay("report", sent, "--to", "html,json,md,csv,latex,xlsx", "--into", sent / "report"),
        medassay("triage", sent, "--for", "mean", "--n", "2", "--out", sent / "queue.csv"),
        medassay("export", "potato", sent, "--into", sent / "potato", "--ratings"),
        medassay("export", "label-studio", sent, "--into", sent / "studio", "--ratings"),
    ]
    assert [one.code for one in said] == [0] * len(said), [one.err for one in said]
    assert not any(secret in one.out + one.err for one in said)
    words = [secret.encode(), secret.upper().encode(), bytes.fromhex(secret)]
    holding = {
        path.relative_to(sent).as_posix()
        for path in sent.rglob("*")
        if path.is_file() and any(word in part for part in _opened(path) for word in words)
    }
    assert holding == {"campaigns/main/secret.txt"}
    # Not as it is, nor as the hash by which a manifest would name it.
    digest = hashlib.sha256(kept.read_bytes()).hexdigest()
    assert not any(digest in one.read_text() for one in sent.rglob("manifest.json"))


def _opened(path: Path) -> list[bytes]:
    """Give a file's bytes, and those of what is packed into it."""
    content = path.read_bytes()
    if not zipfile.is_zipfile(path):
        return [content]
    with zipfile.ZipFile(path) as archive:
        return [content, *(archive.read(name) for name in archive.namelist())]
