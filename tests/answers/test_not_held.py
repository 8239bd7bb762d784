"""Answers known by their ids alone: a third state, beside empty and never given."""

from pathlib import Path

import pytest

from medassay.answers import Answer, Answers, answer_row, read_answers, write_answers
from medassay.errors import InvalidInput
from medassay.study.intake.answers import completed, other_than

BARE = Answer(system="A", case="1", held=False)
TEXT = Answer(system="A", case="1", text="Rest.")


def test_it_is_neither_empty_nor_given() -> None:
    assert (BARE.status, BARE.is_blank, BARE.text) == ("not held", False, None)
    assert Answer(system="A", case="1", text="").status == "empty"
    tally = Answers.of([BARE, Answer(system="A", case="2", text="")]).tally
    assert (tally.given["A"], tally.blank["A"], tally.not_held["A"]) == (2, 1, 1)


@pytest.mark.parametrize(
    "more",
    [
        {"text": "Rest."},
        {"raw": "Rest."},
        {"statements": [{"text": "Rest."}]},
        {"turns": [{"role": "assistant", "text": "Rest."}]},
    ],
)
def test_whatever_was_written_is_a_contradiction(more: dict[str, object]) -> None:
    with pytest.raises(InvalidInput, match='Leave out "held": false, or the'):
        Answer(system="A", case="1", held=False, **more)


def test_what_is_known_without_the_text_may_stand_beside_it() -> None:
    beside = Answer(
        system="A", case="1", held=False, choice="B", reasoning="Since.", text=" ",
        retrieved=[{"document": "d"}], seconds=2.0,
    )  # fmt: skip
    assert beside.text is None
    assert (beside.choice, beside.tells_choice, BARE.tells_choice) == ("B", True, False)


@pytest.mark.parametrize("form", ["jsonl", "csv", "parquet"])
def test_it_comes_back_from_every_form_of_file(tmp_path: Path, form: str) -> None:
    answers = [BARE, Answer(system="A", case="2", text=""), Answer(system="B", case="1", text="x")]
    write_answers(tmp_path / f"all.{form}", answers)
    assert list(read_answers(tmp_path / f"all.{form}", None)) == answers


def test_a_cell_may_say_no_in_any_form_that_a_table_has(tmp_path: Path) -> None:
    rows = [f"{case},{word}" for case, word in enumerate(["false", "FALSE", "0", "no"])]
    (tmp_path / "A.csv").write_text("\n".join(["case,held", *rows]), "utf-8")
    assert [answer.held for answer in read_answers(tmp_path, None)] == [False] * 4


def test_the_field_is_written_only_where_it_is_false() -> None:
    assert answer_row(TEXT) == {"system": "A", "case": "1", "text": "Rest."}
    assert answer_row(BARE) == {"system": "A", "case": "1", "held": False}


def test_a_text_that_comes_later_is_no_contradiction() -> None:
    assert other_than(BARE, TEXT) == []
    assert completed(BARE, TEXT) == TEXT
    assert other_than(TEXT, BARE) == []
    assert completed(TEXT, BARE) == TEXT
    empty = Answer(system="A", case="1", text="")
    assert completed(BARE, empty) == empty
    choice = Answer(system="A", case="1", choice="B")
    assert other_than(Answer(system="A", case="1", choice="C", held=False), choice) == ["choice"]


def test_a_choice_that_comes_later_says_nothing_of_the_text() -> None:
    both = completed(BARE, Answer(system="A", case="1", choice="B"))
    assert (both.choice, both.held) == ("B", False)
