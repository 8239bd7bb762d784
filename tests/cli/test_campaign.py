"""medassay campaign: sheets out, sheets in, and how far everybody has come."""

import csv
import hashlib
import re
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
    options = folder / "campaigns" / "main" / "campaign.toml"
    options.parent.mkdir(parents=True)
    options.write_text("[plan]\nrepeats = 1\n", encoding="utf-8")
    said = medassay("campaign", "create", folder, "--raters", "anna,ben")
    assert said.code == 0
    assert medassay("campaign", "sheets", folder).code == 0
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
    said = medassay("campaign", "collect", sent, half, back(sent, "ben", ["3"] * 5))
    assert said.code == 0
    assert "8 labels added." in said.out
    assert "wrote judgements.csv" in said.out
    row = next(line for line in said.out.splitlines() if line.split()[:1] == ["anna"])
    assert row.split() == ["anna", "5", "3", "0", "4", "quality", "2"]
    again = medassay("campaign", "collect", sent, half)
    assert "0 labels added; 3 were there already." in again.out
    assert "note: anna.csv was imported before." in again.out
    assert medassay("check", sent).code == 0


def test_raters_come_and_go(medassay: Command, sent: Path) -> None:
    medassay("campaign", "collect", sent, back(sent, "ben", ["3", "3", "", "", ""]))
    said = medassay("campaign", "raters", sent, "--drop", "ben", "--add", "cleo", "--why", "leave")
    assert said.code == 0
    assert "ben leaves; 2 judged answers stay." in said.out
    row = next(line for line in said.out.splitlines() if line.split()[:1] == ["cleo"])
    assert row.split() == ["cleo", "3"]
    assert "wrote campaigns/main/reassigned.csv" in said.out
    assert medassay("campaign", "sheets", sent).out.startswith(
        "wrote campaigns/main/sheets/added-1/cleo.xlsx"
    )
    refused = medassay("campaign", "raters", sent, "--drop", "zoe")
    assert refused.code == 2
    assert "Traceback" not in refused.out


def test_status_says_who_has_come_how_far(medassay: Command, sent: Path) -> None:
    medassay("campaign", "collect", sent, back(sent, "ben", ["3", "", "", "", ""]))
    found = medassay("campaign", "status", sent, "--json").json()
    assert found == {
        "main": [
            {"rater": "anna", "asked": 5, "done": 0, "begun": 0, "next_position": 1,
             "missing": {"quality": 5}},
            {"rater": "ben", "asked": 5, "done": 1, "begun": 0, "next_position": 2,
             "missing": {"quality": 4}},
        ]
    }  # fmt: skip
    assert "ben" in medassay("campaign", "status", sent).out


def test_status_of_a_study_without_a_campaign(medassay: Command, study: Path) -> None:
    assert "no campaign yet" in medassay("campaign", "status", study).out


def test_problems_come_as_data_too(medassay: Command, sent: Path) -> None:
    file = back(sent, "anna", ["4", "six", "", "", ""])
    said = medassay("campaign", "collect", sent, file, "--json")
    assert said.code == 2
    (problem,) = said.json()["problems"]
    assert (problem["cell"], problem["row"], problem["column"]) == ("B3", 3, "Overall quality")


def test_good_rows_are_offered_once_and_only_where_there_are_any(
    medassay: Command, sent: Path
) -> None:
    offer = "To take the other rows now, add --good-rows."
    said = medassay("campaign", "collect", sent, back(sent, "anna", ["4", "six", "ten", "", ""]))
    assert said.code == 2
    assert (said.err.count(offer), said.err.splitlines()[-1].endswith(offer)) == (1, True)
    file = back(sent, "anna", ["4", "", "", "", ""])
    file.write_text(file.read_text("utf-8").replace("Overall quality", "Gone"), encoding="utf-8")
    assert offer not in medassay("campaign", "collect", sent, file).err
    none = back(sent, "anna", ["six"] * 5)
    assert offer not in medassay("campaign", "collect", sent, none).err
    refused = medassay("campaign", "collect", sent, none, "--good-rows")
    assert (refused.code, 'got "six"' in refused.err) == (2, True)


def test_a_plan_in_json_and_what_may_be_hidden(medassay: Command, tmp_path: Path) -> None:
    folder = tmp_path / "ankles"
    medassay("new", folder, "--protocol", "ratings")
    words = ["campaign", "create", folder, "--raters", "1", "--json"]
    done = medassay(*words).json()
    assert done["loads"] == {"rater-1": 4}
    options = folder / "campaigns" / "main" / "campaign.toml"
    text = options.read_text(encoding="utf-8")
    hidden = text.replace("# hide =", "hide =")
    options.write_text(hidden, encoding="utf-8")
    assert "campaigns/main/plan.toml" in medassay(*words).json()["files"]
    done = medassay("campaign", "sheets", folder, "--format", "csv", "--json").json()
    assert "campaigns/main/sheets/rubric.csv" in done["files"]
    sheet = folder / "campaigns" / "main" / "sheets" / "rater-1.csv"
    header = sheet.read_text(encoding="utf-8-sig").splitlines()[0]
    assert "Reference" not in header.split(",")
    assert "Evidence" in header.split(",")
    options.write_text(hidden.replace('"references"', '"referenc"'), encoding="utf-8")
    wrong = medassay(*words)
    assert wrong.code == 2
    assert wrong.json()["problems"][0]["column"] == "plan.hide[1]"
    options.write_text(text, encoding="utf-8")
    late = medassay(*words)
    assert "name a new campaign" in late.json()["problems"][0]["must"]


def test_every_campaign_draws_a_secret_of_its_own_whatever_the_study_s_seed(
    medassay: Command, tmp_path: Path
) -> None:
    codes: list[set[str]] = []
    secrets = set()
    for name in ("one", "other"):
        folder = tmp_path / name
        medassay("new", folder, "--protocol", "ratings")
        medassay("campaign", "create", folder, "--raters", "anna,ben")
        codes.append(set(find_plans(folder)["main"].by_code))
        secrets.add((folder / "campaigns" / "main" / "secret.txt").read_text(encoding="ascii"))
    assert not codes[0] & codes[1]
    assert {len(bytes.fromhex(one)) for one in secrets} == {32}
    assert len(secrets) == 2


def test_what_tells_systems_behind_codes_is_the_owner_s_alone(sent: Path) -> None:
    folder = sent / "campaigns" / "main"
    open_to = {
        path.name: path.stat().st_mode & 0o077 for path in folder.rglob("*") if path.is_file()
    }
    assert {name for name, others in open_to.items() if not others} == {"key.csv", "secret.txt"}
    assert len(open_to) > 3


def _opened(path: Path) -> list[bytes]:
    """Give a file's bytes, and those of what is packed into it."""
    content = path.read_bytes()
    if not zipfile.is_zipfile(path):
        return [content]
    with zipfile.ZipFile(path) as archive:
        return [content, *(archive.read(name) for name in archive.namelist())]


MARK = "zqxvk"


def marked(folder: Path) -> Path:
    """Put a word that nobody writes into every text of a study whose texts are private."""
    for path in (folder / "cases.jsonl", *(folder / "answers").iterdir()):
        text = path.read_text(encoding="utf-8")
        path.write_text(re.sub(r'("(?:question|text)": ")', rf"\1{MARK} ", text), encoding="utf-8")
    with (folder / "study.toml").open("a", encoding="utf-8") as file:
        file.write('\n[privacy]\ntexts = "ids"\n[run]\nreplicates = 100\n')
    return folder


def holding(folder: Path, word: str) -> set[str]:
    """Name the files of a folder that hold a word, packed ones opened."""
    return {
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*")
        if path.is_file() and any(word.encode() in part.lower() for part in _opened(path))
    }


@pytest.mark.slow
def test_texts_go_to_raters_and_come_back_and_neither_they_nor_secrets_reach_a_report(
    medassay: Command, tmp_path: Path
) -> None:
    medassay("new", tmp_path / "study", "--protocol", "ratings")
    study = marked(tmp_path / "study")
    own = holding(study, MARK)
    assert own == {"cases.jsonl", "answers/system-a.jsonl", "answers/system-b.jsonl"}
    create, send = ["campaign", "create", study], ["campaign", "sheets", study, "--texts", "full"]
    said = [medassay(*create, "--raters", "anna,ben"), medassay(*send)]
    assert "note: --texts full: the sheets in campaigns/main have texts" in said[1].out
    twice = medassay(*create, "--raters", "anna,ben", "--name", "csv", "--json")
    assert twice.code == 2  # the same raters, asked twice
    said.append(medassay(*create, "--raters", "cleo", "--name", "csv"))
    said.append(medassay(*send, "--name", "csv", "--format", "csv"))
    sheets = holding(study, MARK) - own
    assert sheets == {
        "campaigns/main/sheets/anna.xlsx",
        "campaigns/main/sheets/ben.xlsx",
        "campaigns/csv/sheets/cleo.csv",
    }
    with (study / "campaigns/csv/sheets/cleo.csv").open(encoding="utf-8-sig", newline="") as file:
        cleo = list(csv.reader(file))
    place = cleo[0].index("Overall quality")
    returned = tmp_path / "cleo.csv"
    rows = [[*row[:place], "4", *row[place + 1 :]] for row in cleo[1:]]
    returned.write_bytes(csv_bytes(cleo[0], rows))
    said += [
        medassay("campaign", "collect", study, returned, "--json"),
        medassay("campaign", "collect", study, back(study, "anna", ["4"] * 4)),
        medassay(
            "export", "--to", "potato", study, "--into", tmp_path / "potato", "--texts", "full"
        ),
        medassay(
            "export", "--to", "label-studio", study, "--into", tmp_path / "ls", "--texts", "full"
        ),
        medassay("export", "--to", "redcap", study, "--into", tmp_path / "rc", "--texts", "full"),
        medassay("report", study, "--to", "html,json,md,csv,latex,xlsx", "--into", tmp_path / "r"),
        medassay("run", study),
        medassay("campaign", "status", study, "--json"),
        medassay("check", study, "--json"),
        medassay("triage", study, "--n", "2", "--out", study / "queue.csv"),
    ]
    assert [one.code for one in said] == [0] * len(said), [one.err for one in said]
    assert not any(MARK in (one.out + one.err).lower() for one in said)
    found = holding(study, MARK) - own - sheets
    assert {path.split("-")[0][:22] for path in found} == {"campaigns/csv/returned"}
    assert not holding(tmp_path / "r", MARK)
    assert holding(tmp_path / "potato", MARK) == {"items.jsonl"}
    assert holding(tmp_path / "ls", MARK) == {"tasks.json"}
    assert holding(tmp_path / "rc", MARK) == {"records.csv"}
    for name in ("main", "csv"):
        kept = study / "campaigns" / name / "secret.txt"
        secret = kept.read_text(encoding="ascii").strip()
        assert not any(secret in one.out + one.err for one in said)
        # Not as it is, nor as the hash by which a manifest would name it.
        for word in (secret, hashlib.sha256(kept.read_bytes()).hexdigest()):
            there = holding(tmp_path, word)
            assert there == ({f"study/campaigns/{name}/secret.txt"} if word == secret else set())
    refused = medassay("report", study, "--into", tmp_path / "potato")
    assert refused.code == 2
    assert "--into: must lie apart from tasks for raters" in refused.err
    refused = medassay(
        "export", "--to", "potato", study, "--into", tmp_path / "r" / "x", "--texts", "full"
    )
    assert refused.code == 2
    assert "--into: must be outside of folders with reports" in refused.err
    assert not (tmp_path / "r" / "x").exists()


def test_the_sheets_of_a_shared_task_hold_texts_when_asked(
    medassay: Command, tmp_path: Path
) -> None:
    task, study = Path(__file__).parents[2] / "examples" / "shared-task", tmp_path / "task"
    words = ["--cases", task / "cases.xml", "--key", task / "key.json", "--into", study]
    assert (
        medassay(
            "import", "--from", "archehr", *(task / "submissions").glob("S0*.json"), *words
        ).code
        == 0
    )
    create = ["campaign", "create", study, "--raters", "26", "--per-answer", "3"]
    assert medassay(*create).code == 0
    for more, said in (([], False), (["--texts", "full"], True)):
        assert medassay("campaign", "sheets", study, "--format", "csv", *more).code == 0
        sheet = study / "campaigns" / "main" / "sheets" / "rater-07.csv"
        header = sheet.read_text(encoding="utf-8-sig").splitlines()[0]
        assert ("Answer" in header.split(",")) == said
        assert ("Evidence" in header.split(",")) == said
