"""REDCap: what goes out is a project that asks the rubric, and what raters entered comes back.

The exports are written by `tests.exchange.redcap_exports` as REDCap writes them: as codes and as
labels, with repeating instances, surveys and double data entry.
"""

import csv
import io
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from tests.exchange.redcap_exports import exported, rows_of
from tools.standard import write_standard

from medassay.study import Study

Run = Callable[..., Any]
Refused = Callable[..., list[str]]
CARRIED = ("rater", "system", "case", "sample", "dimension", "label", "number", "reason",
           "comment", "confidence")  # fmt: skip
HEADER = (
    '"Variable / Field Name","Form Name","Section Header","Field Type","Field Label","Choices, '
    'Calculations, OR Slider Labels","Field Note","Text Validation Type OR Show Slider Number",'
    '"Text Validation Min","Text Validation Max",Identifier?,"Branching Logic (Show field only '
    'if...)","Required Field?","Custom Alignment","Question Number (surveys only)","Matrix Group '
    'Name","Matrix Ranking?","Field Annotation"'
)
"""As REDCap itself writes it."""


def said(study: Path, *dimensions: str) -> list[tuple[object, ...]]:
    """Give what people say now, as far as REDCap carries it."""
    rows = Study.open_whole(study).judgements_on_file.in_phases(["main"])
    people = rows.filter(pl.col("rater_kind") == "person", pl.col("about") == "")
    if dimensions:
        people = people.filter(pl.col("dimension").is_in(dimensions))
    shortest = people.with_columns(
        pl.col("number").map_elements(lambda number: f"{number:.15g}", pl.String)
    )
    return sorted(shortest.select(CARRIED).rows(), key=repr)


def given(study: Path, folder: Path, medassay: Run, *words: str) -> tuple[bytes, list[Any]]:
    """Export, and give the dictionary and the records."""
    medassay("export", "--to", "redcap", study, "--into", folder, *words)
    dictionary = (folder / "data_dictionary.csv").read_bytes()
    return dictionary, rows_of((folder / "records.csv").read_bytes())


@pytest.fixture
def measured(tmp_path: Path) -> Path:
    """Give a study with numbers, confidence, repeated answers, reasons and comments; named."""
    study = write_standard("measured", tmp_path)
    with (study / "study.toml").open("a", encoding="utf-8") as file:
        file.write('\n[privacy]\nraters = "named"\n')
    table = study / "judgements.csv"
    rows = list(csv.DictReader(io.StringIO(table.read_text(encoding="utf-8"), newline="")))
    people = [row for row in rows if row["rater_kind"] != "model" and row["dimension"] != "errors"]
    for place, row in enumerate(people):
        row["comment"] = ("", "Clear.", "- on two\nlines", "= odd; \"quoted\", 'so'")[place % 4]
    people[0].update(label="", number="", reason="cannot_judge", confidence="")
    adequate = [row for row in people if row["dimension"] == "adequacy"]
    adequate[5].update(number="", reason="not_applicable", confidence="")
    adequate[6].update(number="0.1234567890123456789")
    out = io.StringIO(newline="")
    writer = csv.DictWriter(out, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    table.write_text(out.getvalue(), encoding="utf-8")
    return study


def test_the_dictionary_is_one_that_redcap_takes(
    measured: Path, tmp_path: Path, medassay: Run
) -> None:
    dictionary, _ = given(measured, tmp_path / "out", medassay)
    first = dictionary.decode().splitlines()[0]
    assert next(csv.reader([first])) == next(csv.reader([HEADER]))
    fields = rows_of(dictionary)
    names = [row["Variable / Field Name"] for row in fields]
    assert len(set(names)) == len(names)
    assert all(re.fullmatch(r"[a-z](?:_?[a-z0-9]){1,25}", name) for name in names)
    by_name = {row["Variable / Field Name"]: row for row in fields}
    usable = by_name["usable"]
    assert usable["Field Type"] == "radio"
    assert usable["Choices, Calculations, OR Slider Labels"] == (
        "1, yes | 0, no | 98, cannot judge | 99, not applicable"
    )
    number = by_name["adequacy"]
    assert (number["Field Type"], number["Text Validation Type OR Show Slider Number"]) == (
        "text",
        "number",
    )
    assert (number["Text Validation Min"], number["Text Validation Max"]) == ("0", "100")
    assert by_name["adequacy_why"]["Branching Logic (Show field only if...)"] == '[adequacy] = ""'
    assert by_name["usable_sure"]["Choices, Calculations, OR Slider Labels"] == (
        "1, unsure | 2, fairly sure | 3, sure"
    )
    assert by_name["rater"]["Field Annotation"].endswith("@USERNAME")
    # Forms stand together, and no tag begins a cell: a spreadsheet would run it.
    forms = [row["Form Name"] for row in fields]
    assert forms == sorted(forms)
    assert not [cell for row in fields for cell in row.values() if cell[:1] in "=+-@" and cell]


@pytest.mark.slow
@pytest.mark.parametrize("form", ["records", "raw", "labels", "label cells", "label headers"])
@pytest.mark.parametrize("with_dictionary", [True, False])
def test_ratings_go_out_and_come_back_the_same(
    measured: Path, tmp_path: Path, medassay: Run, form: str, *, with_dictionary: bool
) -> None:
    dictionary, records = given(measured, tmp_path / "out", medassay, "--ratings")
    back = tmp_path / "back.csv"
    forms = {
        "raw": {"cells": "raw"},
        "labels": {"cells": "labels"},
        "label cells": {"cells": "labels", "header": "raw"},
        "label headers": {"cells": "raw", "header": "labels"},
    }
    if form == "records":
        back = tmp_path / "out" / "records.csv"
    else:
        back.write_bytes(exported(dictionary, records, **forms[form]))
    files = [back, *([tmp_path / "out" / "data_dictionary.csv"] if with_dictionary else [])]
    before = said(measured, "adequacy", "seconds", "usable")
    held = (measured / "judgements.csv").read_bytes()
    taken = medassay("import", *files, "--into", measured)
    assert taken["added"] == 0
    assert taken["known"] == len(before)
    assert (measured / "judgements.csv").read_bytes() == held

    lines = held.decode().splitlines(keepends=True)
    (measured / "judgements.csv").write_text(lines[0], encoding="utf-8")
    taken = medassay("import", "--from", "redcap", *files, "--into", measured)
    assert taken["added"] == len(before)
    after = said(measured)
    assert after == before
    again = medassay("import", *files, "--into", measured)
    assert (again["added"], again["known"], again["files"]) == (0, len(before), [])


@pytest.mark.slow
@pytest.mark.parametrize("tool", ["potato", "label-studio", "redcap"])
def test_what_comes_back_unchanged_adds_nothing_whatever_the_export_dropped(
    measured: Path, tmp_path: Path, medassay: Run, tool: str
) -> None:
    medassay("export", "--to", tool, measured, "--into", tmp_path / "out", "--ratings")
    name = {"potato": "annotations.jsonl", "label-studio": "tasks.json", "redcap": "records.csv"}
    held = (measured / "judgements.csv").read_bytes()
    for _ in range(2):
        back = tmp_path / "out" / name[tool]
        taken = medassay("import", "--from", tool, back, "--into", measured)
        assert taken["added"] == 0
        assert taken["known"] > 0
    assert (measured / "judgements.csv").read_bytes() == held


@pytest.mark.slow
def test_a_rater_who_thinks_again_corrects_what_they_said(
    measured: Path, tmp_path: Path, medassay: Run
) -> None:
    dictionary, records = given(measured, tmp_path / "out", medassay, "--ratings")
    changed = [row for row in records if row["rater"]][:3]
    changed[0]["usable_comment"] = "On second thoughts."
    changed[1]["usable_sure"] = "3" if changed[1]["usable_sure"] == "1" else "1"
    changed[2]["seconds"] = "987.5"
    back = tmp_path / "back.csv"
    back.write_bytes(exported(dictionary, records, cells="labels"))
    taken = medassay("import", back, "--into", measured)
    assert taken["added"] == 3
    again = medassay("import", back, "--into", measured)
    assert again["added"] == 0
    now = said(measured)
    assert [row for row in now if row[8] == "On second thoughts."]
    assert [row for row in now if row[6] == "987.5"]


def test_every_repeated_answer_is_a_record_of_its_own(
    measured: Path, tmp_path: Path, medassay: Run
) -> None:
    _, records = given(measured, tmp_path / "out", medassay)
    answers = list(Study.open_whole(measured).answers)
    assert len(records) == len(answers) == len({row["record_id"] for row in records})
    assert sorted(row["shown_answer"] for row in records) == sorted(
        answer.text or "" for answer in answers
    )
    key = (measured / "campaigns" / "redcap" / "handout.csv").read_text(encoding="utf-8")
    assert key.startswith("code,case,system,shown,sample\n")


def test_nothing_in_the_export_says_whose_an_answer_is(
    study: Path, tmp_path: Path, medassay: Run
) -> None:
    given(study, tmp_path / "out", medassay)
    for file in (tmp_path / "out").iterdir():
        assert "system-" not in file.read_text(encoding="utf-8")
    again = medassay("export", "--to", "redcap", study, "--into", tmp_path / "again")
    assert again["files"][:2] == [
        "campaigns/redcap/handout.csv",
        "campaigns/redcap/dictionary.csv",
    ]
    for file in (tmp_path / "out").iterdir():
        assert (tmp_path / "again" / file.name).read_bytes() == file.read_bytes()


def test_what_is_hidden_is_not_there(study: Path, tmp_path: Path, medassay: Run) -> None:
    dictionary, records = given(study, tmp_path / "out", medassay, "--hide", "references,evidence")
    assert "shown_references" not in records[0]
    assert "[shown_references]" not in dictionary.decode()
    assert "shown_question" in records[0]


def test_a_rubric_that_changed_needs_a_hand_out_of_its_own(
    study: Path, tmp_path: Path, medassay: Run, refused: Refused
) -> None:
    given(study, tmp_path / "out", medassay)
    settings = (study / "study.toml").read_text(encoding="utf-8")
    settings = settings.replace('[protocol]\nname = "ratings"', '[[dimensions]]\nrubric = "harm"')
    (study / "study.toml").write_text(settings, encoding="utf-8")
    lines = (study / "judgements.csv").read_text(encoding="utf-8").splitlines(keepends=True)
    (study / "judgements.csv").write_text(lines[0], encoding="utf-8")
    (study / "preferences.csv").unlink()
    (problem,) = refused("export", "--to", "redcap", study, "--into", tmp_path / "more")
    assert "must name a new hand-out where the rubric has changed" in problem
    medassay("export", "--to", "redcap", study, "--into", tmp_path / "more", "--name", "harm")


def test_two_people_who_enter_every_record_are_two_raters(
    study: Path, data: Path, tmp_path: Path, medassay: Run
) -> None:
    shutil.copytree(data / "campaigns", study / "campaigns")
    dictionary = (data / "redcap" / "data_dictionary.csv").read_bytes()
    code = "LBJV-HTDX"
    records = [
        {"record_id": f"{code}--1", "quality": "4"},
        {"record_id": f"{code}--2", "quality": "5"},
        {"record_id": code, "quality": "4"},
    ]
    back = tmp_path / "twice.csv"
    back.write_bytes(exported(dictionary, records))
    taken = medassay("import", back, "--into", study)
    assert taken["added"] == 2
    assert "not carried over: merged records of double data entry (1)." in taken["notes"]
    rows = (
        Study.open_whole(study).judgements.current().filter(pl.col("rater").str.contains("entry"))
    )
    assert dict(rows.select("rater", "label").iter_rows()) == {
        "data-entry-person-1": "4",
        "data-entry-person-2": "5",
    }


def test_a_survey_names_its_rater_by_its_identifier(
    study: Path, data: Path, tmp_path: Path, medassay: Run
) -> None:
    shutil.copytree(data / "campaigns", study / "campaigns")
    dictionary = (data / "redcap" / "data_dictionary.csv").read_bytes()
    row = {
        "record_id": "LBJV-HTDX",
        "redcap_repeat_instrument": "rating",
        "redcap_repeat_instance": "1",
        "redcap_data_access_group": "ward_2",
        "redcap_survey_identifier": "anna@example.org",
        "rating_timestamp": "2026-03-06 15:52:43",
        "rater": "[survey respondent]",
        "quality": "3",
        "rating_complete": "2",
    }
    for cells, known in (("raw", 0), ("labels", 1)):
        back = tmp_path / f"{cells}.csv"
        back.write_bytes(exported(dictionary, [row], cells=cells))
        taken = medassay("import", back, "--into", study)
        assert taken["notes"] == [
            "not carried over: names of data access groups (1).",
            "not carried over: moments of surveys, which lack a time zone (1).",
        ]
        assert taken["known"] == known
    rows = Study.open_whole(study).judgements.current().filter(rater="anna@example.org")
    assert rows["label"].to_list() == ["3"]
    named = ["--column", "rater=redcap_data_access_group"]
    taken = medassay("import", tmp_path / "raw.csv", "--from", "redcap", "--into", study, *named)
    assert taken["added"] == 1
    assert "not carried over: identifiers of survey participants (1)." in taken["notes"]


def test_missing_data_codes_are_no_labels(measured: Path, tmp_path: Path, medassay: Run) -> None:
    dictionary, records = given(measured, tmp_path / "out", medassay)
    rows = [
        {**records[place], "rater": "dr-new", "usable": usable, "adequacy": adequacy}
        for place, (usable, adequacy) in enumerate([("UNK", "NA"), ("NA", "50"), ("1", "NI")])
    ]
    back = tmp_path / "back.csv"
    back.write_bytes(exported(dictionary, rows))
    taken = medassay("import", back, "--into", measured)
    assert taken["added"] == 4
    assert (
        "not carried over: missing data codes, which say no more than that (2)." in taken["notes"]
    )
    new = Study.open_whole(measured).judgements.current().filter(rater="dr-new")
    assert sorted(new.select("dimension", "label", "number", "reason").rows(), key=repr) == [
        ("adequacy", None, 50.0, None),
        ("adequacy", None, None, "not_applicable"),
        ("usable", "yes", None, None),
        ("usable", None, None, "not_applicable"),
    ]


def test_private_texts_stay_at_home(study: Path, tmp_path: Path, medassay: Run) -> None:
    with (study / "study.toml").open("a", encoding="utf-8") as settings:
        settings.write('\n[privacy]\ntexts = "none"\n')
    dictionary, records = given(study, tmp_path / "out", medassay)
    assert all(set(row) == {"record_id", "answer_complete"} for row in records)
    assert "[shown_" not in dictionary.decode()
    full, records = given(study, tmp_path / "full", medassay, "--texts", "full")
    assert b"[shown_answer]" in full
    assert records[0]["shown_answer"]


def test_pseudonyms_are_refused_on_their_way_back(
    study: Path, tmp_path: Path, medassay: Run, refused: Refused
) -> None:
    _, records = given(study, tmp_path / "out", medassay, "--ratings")
    assert {row["rater"] for row in records} == {"", "rater-A", "rater-B"}
    problems = refused("import", tmp_path / "out" / "records.csv", "--into", study)
    assert "must be a rater's name as in the study's own files" in problems[0]


def test_an_answer_that_changed_takes_no_rating(study: Path, data: Path, refused: Refused) -> None:
    shutil.copytree(data / "campaigns", study / "campaigns")
    answers = study / "answers" / "system-b.jsonl"
    answers.write_text(
        answers.read_text(encoding="utf-8").replace("six weeks", "ten weeks"), encoding="utf-8"
    )
    (problem,) = refused("import", data / "redcap" / "export_raw.csv", "--into", study)
    assert "has not changed since the rater read" in problem


def test_longer_texts_than_redcap_keeps_are_told(
    study: Path, tmp_path: Path, medassay: Run
) -> None:
    answers = study / "answers" / "system-b.jsonl"
    text = answers.read_text(encoding="utf-8").replace("six weeks", "six weeks " * 7000)
    answers.write_text(text, encoding="utf-8")
    outcome = medassay("export", "--to", "redcap", study, "--into", tmp_path / "out")
    assert any("1 text of more than 65,535 bytes" in note for note in outcome["notes"])
