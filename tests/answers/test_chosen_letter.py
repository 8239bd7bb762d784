"""A stated choice is the option it names, however its letter is dressed."""

from pathlib import Path

import pytest

from medassay.answers import read_answers
from medassay.answers.choice import letter_meant
from medassay.cases import read_cases

OPTIONS = {"A": "Rest", "B": "Ice"}


@pytest.mark.parametrize("choice", ["A", "a", "(A)", "(a)", "[a]", "A.", "a)", "A:", "( A )"])
def test_capitals_brackets_and_full_stops_are_looked_past(choice: str) -> None:
    assert letter_meant(choice, OPTIONS) == "A"


@pytest.mark.parametrize("choice", ["E", "AB", "A or B", "A, B", "Rest", "-", "(A) Rest", "None"])
def test_anything_else_is_left_as_it_is(choice: str) -> None:
    assert letter_meant(choice, OPTIONS) is None


def test_an_option_that_is_written_so_itself_is_kept() -> None:
    assert letter_meant("(a)", {"A": "Rest", "(a)": "Ice"}) == "(a)"
    assert letter_meant("b", {"yes": "", "no": ""}) is None
    assert letter_meant("Yes.", {"yes": "", "no": ""}) == "yes"


def test_what_was_read_so_is_counted_in_a_note(tmp_path: Path) -> None:
    cases = tmp_path / "cases.jsonl"
    one = '"question": "Why?", "options": {"A": "Rest", "B": "Ice"}, "gold": "A"'
    lines = [f'{{"case": "{name}", {one}}}' for name in ("c1", "c2", "c3")]
    cases.write_text("\n".join(lines) + "\n", encoding="utf-8")
    answers = tmp_path / "answers.csv"
    answers.write_text("system,case,choice\nx,c1,A\nx,c2,(a)\nx,c3,b\n", encoding="utf-8")
    read = read_answers(answers, read_cases(cases))
    assert [one.choice for one in read.records] == ["A", "A", "B"]
    [note] = read.warnings
    assert note.got == '2 of "x" that do not, c2 first: "(a)" as A'
    assert note.column == "choice"
