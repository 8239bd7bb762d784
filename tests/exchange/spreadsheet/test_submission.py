"""A submission to a task of one's own is held against its questions before anything is imported."""

from pathlib import Path

import pytest

from medassay.cases import Case, Cases
from medassay.exchange.spreadsheet.submission import check_answers

QUESTIONS = Cases.of(Case(case=name, question="Why?") for name in ("TQ1", "TQ2", "TQ3"))


def submission(folder: Path, *rows: str) -> Path:
    file = folder / "ours.csv"
    file.write_text("\n".join(rows), encoding="utf-8")
    return file


def test_a_whole_submission_has_nothing_to_mend(tmp_path: Path) -> None:
    file = submission(tmp_path, "case,text,system", "TQ1,Rest.,A", "TQ2,Walk a bit.,A", "TQ3,No.,A")
    found = check_answers(file, QUESTIONS)
    assert found.problems == []
    assert found.lines() == [
        "ours.csv: A answers 3 of 3 questions",
        "Words an answer: 1 to 3, half of them at most 1.",
    ]


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (["TQ1,a", "TQ2,b"], "ours.csv: must answer every question; got no row of ours for TQ3."),
        (["tq-2,b"], 'row 5, column case: must be the id of a question; got "tq-2". Did you mean'),
        (["TQ9,b"], 'row 5, column case: must be the id of a question; got "TQ9".'),
        ([",b"], "row 5, column case: must be the id of a question; got none."),
        (["TQ2,b"], 'column case: must answer each question once; got "TQ2" in row 3 too. Delete'),
        (
            ["TQ1,a", "TQ2,", "TQ3,c"],
            "row 3, column answer: must hold an answer; got an empty cell",
        ),
    ],
)
def test_what_a_team_has_to_mend_is_named(tmp_path: Path, rows: list[str], said: str) -> None:
    whole = [] if len(rows) > 1 else ["TQ1,a", "TQ2,b", "TQ3,c"]
    (problem,) = check_answers(
        submission(tmp_path, "case,answer", *whole, *rows), QUESTIONS
    ).problems
    assert said in str(problem)


def test_a_table_without_ids_is_named_with_its_columns(tmp_path: Path) -> None:
    (problem,) = check_answers(submission(tmp_path, "who,said", "A,Rest."), QUESTIONS).problems
    assert str(problem) == (
        "ours.csv: must have a column of ids called case, and one of answers called answer; got "
        "only who, said."
    )
