"""import and export: the format is named or known, and its options are its own."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from medassay.study import new_study

Command = Callable[..., Any]


@pytest.fixture
def study(tmp_path: Path) -> Path:
    new_study(tmp_path / "study", "ratings")
    return tmp_path / "study"


def test_what_is_known_needs_no_name(medassay: Command, study: Path, tmp_path: Path) -> None:
    file = tmp_path / "more.csv"
    file.write_text("system,case,text\nX,sprain,Rest.\n", encoding="utf-8")
    # A value before the file is none of the files, and the order of words means nothing.
    for words in (
        ["--into", study, file],
        [file, "--into", study],
        [f"--into={study}", "-c", "text=text", file],
        ["--into", study, "--", file],
    ):
        assert medassay("import", "--json", *words).json()["kind"] == "answers"


def test_a_rubric_is_for_a_new_study_and_yes_for_what_asks(
    medassay: Command, study: Path, tmp_path: Path
) -> None:
    file = tmp_path / "more.csv"
    file.write_text("system,case,text\nX,sprain,Rest.\n", encoding="utf-8")
    refused = medassay("import", file, "--into", study, "--rubric", "safety", "--yes")
    assert refused.code == 2
    assert "The study has its rubric: leave --rubric out." in refused.err
    assert medassay("import", "--json", file, "--into", study, "--yes").json()["added"] == 1


def test_two_that_it_may_be_are_a_question(medassay: Command, tmp_path: Path) -> None:
    file = tmp_path / "both.csv"
    table = "question,answer,model,human_score,scenario_id\nHow long?,Rest.,phi,4,S1\n"
    file.write_text(table, encoding="utf-8")
    study = tmp_path / "new"
    said = medassay("import", file, "--into", study)
    assert (said.code, said.out) == (2, "")
    assert said.err == (
        f"{file}: must be of one format; got files that may be environmental-health or med-gpt. "
        "Say which: --from environmental-health or --from med-gpt.\n"
    )
    told = medassay("import", file, "--into", study, "--json")
    assert told.code == 2
    assert json.loads(told.out)["problems"][0]["try"].startswith("Say which: --from env")
    assert not study.exists()
    said = medassay("import", file, "--into", study, "--from", "med-gpt")
    assert said.code == 0
    assert "Taken: 1 question, 1 model, 1 answer" in said.out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["import", "FILE", "--into", "STUDY"], "must be of a format that medassay knows by what"),
        (["import", "FILE", "--into", "STUDY"], "Say which: --from spreadsheet, answers"),
        (["import", "--into", "STUDY"], "got no files"),
        (["import", "lost.csv", "--into", "STUDY"], "lost.csv: must be a file that exists"),
        (["import", "FILE", "--from", "potatoe", "--into", "STUDY"], 'Did you mean "potato"?'),
        (["import", "FILE", "--from=potatoe", "--into", "STUDY"], 'Did you mean "potato"?'),
        (["export", "STUDY", "--to", "scores", "--into", "x"], "a format that is written"),
        (["export", "STUDY", "--into", "x"], "--to: must name a format; got none. One of: archehr"),
        (["import", "FILE", "--from", "potato", "--into", "STUDY", "--pair", "a"],
         "medassay import --from potato"),
        (["import", "FILE", "--from", "potato"], "Missing option '--into'"),
    ],
)  # fmt: skip
def test_what_leaves_a_doubt_is_said(
    medassay: Command, study: Path, tmp_path: Path, words: list[str], message: str
) -> None:
    file = tmp_path / "odd.txt"
    file.write_text("a,b\n1,2\n", encoding="utf-8")
    stand_for = {"FILE": file, "STUDY": study}
    said = medassay(*(stand_for.get(word, word) for word in words))
    assert said.code == 2
    assert message in said.err
    assert "Traceback" not in said.err


def test_a_text_document_is_told_to_be_a_spreadsheet(
    medassay: Command, study: Path, tmp_path: Path
) -> None:
    file = tmp_path / "answers.docx"
    file.write_bytes(b"PK answers")
    said = medassay("import", file, "--into", study).err
    assert said.startswith(f"{file}: must be a spreadsheet, or another tool's file; got a .docx")
    assert "save that as .xlsx" in said


def test_of_several_files_those_that_no_format_knows_are_named(
    medassay: Command, study: Path, tmp_path: Path
) -> None:
    odd, table, run = tmp_path / "odd.csv", tmp_path / "answers.csv", tmp_path / "a.run"
    odd.write_text("a,b\n1,2\n", encoding="utf-8")
    table.write_text("system,case,text\nX,1,Rest.\n", encoding="utf-8")
    run.write_text("t1 Q0 d1 1 0.5 mine\n", encoding="utf-8")
    said = medassay("import", table, odd, "--into", study).err
    assert said.startswith(f"{odd}: must be of a format that medassay knows")
    assert str(table) not in said
    said = medassay("import", table, run, "--into", study).err
    assert said.startswith(
        f"{table}, {run}: must be of one format together; got answers.csv as answers, a.run as "
        "trec-run. Import them one after the other, or say which for all: --from spreadsheet,"
    )
    broken = tmp_path / "cut.json"
    broken.write_text('[{"case": "1", "answer": "Re', encoding="utf-8")
    said = medassay("import", broken, "--into", study).err
    assert said.startswith("cut.json, row 1: must be JSON; got Unterminated string starting at ch")
    assert said.endswith("The file may be cut off there.\n")


@pytest.mark.parametrize("name", ["odd.jsonl", "odd.json"])
def test_records_under_names_that_nobody_knows_are_asked_about_as_a_table_s_columns_are(
    medassay: Command, tmp_path: Path, name: str
) -> None:
    rows = [f'{{"zorp": "Is {n} bad?", "glub": "say {n}", "fnord": {n}}}' for n in range(3)]
    whole = "\n".join(rows) if name == "odd.jsonl" else f"[{', '.join(rows)}]"
    (tmp_path / name).write_text(whole, encoding="utf-8")
    said = medassay("import", tmp_path / name, "--into", tmp_path / "new").err
    assert "With the likeliest reading, type: medassay import" in said


def test_our_own_tables_are_a_study_together_with_the_questions(
    medassay: Command, tmp_path: Path
) -> None:
    questions, answers, ratings = (tmp_path / f"{name}.csv" for name in ("q", "a", "r"))
    questions.write_text("id,question\n1,Why?\n2,How long?\n", encoding="utf-8")
    answers.write_text("system,case,text\nX,1,Rest.\nX,2,A week.\n", encoding="utf-8")
    ratings.write_text("rater,system,case,dimension,label\nanna,X,1,accuracy,4\n", encoding="utf-8")
    files, into = (questions, answers, ratings), tmp_path / "s"
    said = medassay("import", *files, "--into", into, "--rubric", "accuracy", "--yes")
    assert said.code == 0
    assert "2 questions, 1 system, 2 answers, 1 rater, 1 rating." in said.out
