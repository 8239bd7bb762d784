"""Potato: what its server wrote of our own export, and what its annotators said elsewhere.

`examples/other-tools/potato` was made by Potato 2.12.1 itself: `make_potato.py` in tests/golden
ran its server on our export, let two annotators answer, and let it export. The hand-out beside it
says which answer each of its codes stands for.
"""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from medassay.study import Study, new_study

Run = Callable[..., Any]
Refused = Callable[..., list[str]]
SAID = {
    ("anna", "system-a", "antibiotics"): (None, "cannot_judge"),
    ("anna", "system-a", "sprain"): ("4", None),
    ("anna", "system-b", "antibiotics"): ("4", None),
    ("anna", "system-b", "sprain"): ("4", None),
    ("ben", "system-a", "antibiotics"): (None, "cannot_judge"),
    ("ben", "system-a", "sprain"): ("2", None),
    ("ben", "system-b", "antibiotics"): ("2", None),
    ("ben", "system-b", "sprain"): ("2", None),
}


def said_by(study: Path, *raters: str) -> dict[tuple[str, ...], tuple[str | None, str | None]]:
    rows = Study.open_whole(study).judgements.current().iter_rows(named=True)
    return {
        (row["rater"], row["system"], row["case"]): (row["label"], row["reason"])
        for row in rows
        if not raters or row["rater"] in raters
    }


def test_the_export_is_what_potatos_server_was_started_with(
    study: Path, tmp_path: Path, data: Path, medassay: Run
) -> None:
    shutil.copytree(data / "campaigns", study / "campaigns")
    given = medassay("export", "--to", "potato", study, "--into", tmp_path / "out")
    assert given["counts"] == {"answer": 4}
    ours = yaml.safe_load((tmp_path / "out" / "config.yaml").read_bytes())
    theirs = yaml.safe_load((data / "potato" / "config.yaml").read_bytes())
    assert {**ours, "annotation_task_name": ""} == {**theirs, "annotation_task_name": ""}
    items = (tmp_path / "out" / "items.jsonl").read_bytes()
    assert items == (data / "potato" / "items.jsonl").read_bytes()


def test_nothing_in_the_export_says_whose_an_answer_is(
    study: Path, tmp_path: Path, medassay: Run
) -> None:
    given = medassay("export", "--to", "potato", study, "--into", tmp_path / "out")
    for file in (tmp_path / "out").iterdir():
        assert "system-" not in file.read_text(encoding="utf-8")
    key = study / "campaigns" / "potato" / "handout.csv"
    assert given["files"][0] == "campaigns/potato/handout.csv"
    assert key.read_text(encoding="utf-8").count("system-a") == 2
    again = medassay("export", "--to", "potato", study, "--into", tmp_path / "again")
    assert again["files"][0] == given["files"][0]
    for file in (tmp_path / "out").iterdir():
        assert (tmp_path / "again" / file.name).read_bytes() == file.read_bytes()


@pytest.mark.parametrize("form", [".", "annotations.csv", "annotations.tsv", "annotations.jsonl"])
def test_what_annotators_said_comes_back_from_every_form(
    study: Path, data: Path, medassay: Run, form: str
) -> None:
    shutil.copytree(data / "campaigns", study / "campaigns")
    taken = medassay("import", "--from", "potato", data / "potato" / form, "--into", study)
    assert (taken["added"], taken["known"]) == (8, 0)
    assert said_by(study, "anna", "ben") == SAID
    again = medassay(
        "import", "--from", "potato", data / "potato" / "annotations.jsonl", "--into", study
    )
    assert (again["added"], again["known"], again["files"]) == (0, 8, [])
    comments = Study.open_whole(study).judgements.current().filter(rater="ben", system="system-b")
    assert dict(comments.select("case", "comment").iter_rows()) == {
        "antibiotics": "Clear, I think.",
        "sprain": None,
    }


def test_ratings_of_pseudonyms_are_refused_on_their_way_back(
    study: Path, tmp_path: Path, medassay: Run, refused: Refused
) -> None:
    given = medassay("export", "--to", "potato", study, "--into", tmp_path / "out", "--ratings")
    assert any("pseudonyms, as in raters-key.csv" in note for note in given["notes"])
    sent = tmp_path / "out" / "annotations.jsonl"
    assert "r1" not in sent.read_text(encoding="utf-8")
    assert "rater-A" in (study / "raters-key.csv").read_text(encoding="utf-8")
    problems = refused("import", "--from", "potato", sent, "--into", study)
    assert "must be a rater's name as in the study's own files" in problems[0]


def test_ratings_go_out_and_come_back_the_same(
    named_raters: Path, tmp_path: Path, medassay: Run
) -> None:
    study = named_raters
    given = medassay("export", "--to", "potato", study, "--into", tmp_path / "out", "--ratings")
    assert any("every phase that does not count" in note for note in given["notes"])
    before = said_by(study)
    taken = medassay(
        "import", "--from", "potato", tmp_path / "out" / "annotations.jsonl", "--into", study
    )
    assert (taken["added"], taken["known"]) == (0, 8)
    lines = (study / "judgements.csv").read_text(encoding="utf-8").splitlines(keepends=True)
    (study / "judgements.csv").write_text(lines[0], encoding="utf-8")
    taken = medassay(
        "import", "--from", "potato", tmp_path / "out" / "annotations.jsonl", "--into", study
    )
    assert (taken["added"], taken["known"]) == (8, 0)
    assert said_by(study) == before


def test_items_of_somebody_elses_task_are_named_by_their_data_file(
    study: Path, tmp_path: Path, medassay: Run, refused: Refused
) -> None:
    table = tmp_path / "annotations.csv"
    table.write_text(
        "instance_id,user_id,overall.scale_4,overall._spans,mood.good\n7,anna,4,[],good\n",
        encoding="utf-8",
    )
    words = ["import", "--from", "potato", table, "--into", study]
    (problem,) = refused(*words)
    assert problem == (
        "the files: must answer a dimension of the rubric: quality; got mood, overall. Name one: "
        "--column quality=mood"
    )
    words += ["--column", "quality=overall"]
    (problem,) = refused(*words)
    assert problem.startswith(
        "annotations.csv, row 2, column overall: must be a code of this study, or say its system "
        'and case; got the item "7" with no fields.'
    )
    items = tmp_path / "items.json"
    items.write_text(json.dumps([{"id": 7, "model": "system-a", "case": "sprain"}]))
    taken = medassay(*words, "--items", items, "--column", "system=model")
    assert said_by(study, "anna") == {("anna", "system-a", "sprain"): ("4", None)}
    assert taken["notes"] == [
        "not carried over: spans marked in a text (1).",
        "not carried over: answers to mood, which is no dimension of the rubric (1).",
    ]


def test_times_come_from_the_trail_and_models_are_models(
    study: Path, tmp_path: Path, medassay: Run
) -> None:
    # Early versions kept every click: the trail says which came last.
    code = next(iter(_codes(study, tmp_path, medassay)))
    labels = [[{"schema": "quality", "name": word}, word] for word in ("5", "4")]
    changes = [
        {"timestamp": moment, "schema_name": "quality", "action": "select", "label_name": word}
        for moment, word in ((1_767_600_000.0, "4"), (1_767_600_009.0, "5"))
    ]
    state = {
        "user_id": "judge-1",
        "origin": {"kind": "llm", "model": "m"},
        "instance_id_to_label_to_value": {code: labels},
        "instance_id_to_behavioral_data": {
            code: {"annotation_changes": changes, "total_time_ms": 9500}
        },
    }
    (tmp_path / "judge-1").mkdir()
    file = tmp_path / "judge-1" / "user_state.json"
    file.write_text(json.dumps(state), encoding="utf-8")
    medassay("import", "--from", "potato", file, "--into", study)
    row = Study.open_whole(study).everyone.current().filter(rater="judge-1").row(0, named=True)
    assert (row["rater_kind"], row["label"], row["seconds"]) == ("model", "5", 9.5)
    assert row["time"].isoformat() == "2026-01-05T08:00:09+00:00"


def _codes(study: Path, tmp_path: Path, medassay: Run) -> list[str]:
    medassay("export", "--to", "potato", study, "--into", tmp_path / "codes")
    lines = (tmp_path / "codes" / "items.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line)["id"] for line in lines]


def test_every_problem_is_said_with_its_place(
    study: Path, tmp_path: Path, medassay: Run, refused: Refused
) -> None:
    one, two, *_ = _codes(study, tmp_path, medassay)
    rows = [
        {"instance_id": one, "user_id": "anna", "labels": {"quality": {"6": "6"}}},
        {"instance_id": two, "user_id": "anna", "labels": {"quality": {"4": "4", "5": "5"}}},
        {"instance_id": two, "user_id": "", "labels": {"quality": {"4": "4"}}},
        {"instance_id": two, "user_id": "ben", "labels": ["4"]},
    ]
    file = tmp_path / "annotations.jsonl"
    file.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    assert refused("import", "--from", "potato", file, "--into", study) == [
        (
            "annotations.jsonl, row 2, column quality: must choose one thing; got 4, 5. "
            "A dimension takes one label."
        ),
        "annotations.jsonl, row 3, column user_id: must be given; got nothing.",
        (
            "annotations.jsonl, row 4, column labels: must be an object of schemas, each with what "
            "was chosen; got something else."
        ),
    ]
    file.write_text(json.dumps(rows[0]), encoding="utf-8")
    assert refused("import", "--from", "potato", file, "--into", study) == [
        'annotations.jsonl, row 1, column quality: must be one of 1, 2, 3, 4, 5; got "6".'
    ]
    other = tmp_path / "other.csv"
    other.write_text("item,rater\n1,anna\n", encoding="utf-8")
    (problem,) = refused("import", "--from", "potato", other, "--into", study)
    assert "got a table without instance_id and user_id" in problem


def test_every_hand_out_draws_its_own_codes_and_one_that_is_there_keeps_them(
    study: Path, tmp_path: Path, medassay: Run, refused: Refused
) -> None:
    other = tmp_path / "other"
    new_study(other, "ratings")
    for number, folder in enumerate((study, other, study)):
        medassay("export", "--to", "potato", folder, "--into", tmp_path / str(number))
    items = [(tmp_path / str(number) / "items.jsonl").read_bytes() for number in range(3)]
    assert items[0] == items[2]
    lines = [json.loads(line)["id"] for one in items[:2] for line in one.splitlines()]
    assert len(set(lines)) == 8
    answers = study / "answers" / "system-a.jsonl"
    answers.write_text("".join(answers.read_text(encoding="utf-8").splitlines(keepends=True)[:1]))
    (problem,) = refused("export", "--to", "potato", study, "--into", tmp_path / "less")
    assert "which exists with other answers" in problem


def test_an_answer_that_changed_takes_no_rating(study: Path, data: Path, refused: Refused) -> None:
    shutil.copytree(data / "campaigns", study / "campaigns")
    answers = study / "answers" / "system-a.jsonl"
    lines = [json.loads(line) for line in answers.read_text(encoding="utf-8").splitlines()]
    for line in lines:
        line.pop("statements", None)
        line["text"] = "Another answer."
    answers.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    problems = refused("import", "--from", "potato", data / "potato", "--into", study)
    assert len(problems) == 2
    assert all("has not changed since the rater read" in problem for problem in problems)


def test_private_texts_stay_at_home(tmp_path: Path, medassay: Run, refused: Refused) -> None:
    study = tmp_path / "private"
    new_study(study, "ratings")
    with (study / "study.toml").open("a", encoding="utf-8") as settings:
        settings.write('\n[privacy]\ntexts = "none"\n')
    given = medassay("export", "--to", "potato", study, "--into", tmp_path / "out")
    lines = (tmp_path / "out" / "items.jsonl").read_text(encoding="utf-8").splitlines()
    assert all(set(json.loads(line)) == {"id", "text"} for line in lines)
    assert all(json.loads(line)["id"] == json.loads(line)["text"] for line in lines)
    assert any("the items have no texts" in note for note in given["notes"])
    (problem,) = refused("export", "--to", "potato", study, "--into", tmp_path / "out")
    assert "--into: must be a new folder" in problem
