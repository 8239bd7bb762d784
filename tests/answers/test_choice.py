"""What an answer in free text chooses, held against forms that answers really have."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from medassay.answers import NoChoice, parse_choice


def _lines(name: str) -> list[dict[str, Any]]:
    text = Path(__file__).with_name(name).read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


FORMS = _lines("choices.jsonl")
OPTIONS = {"A": "Amoxicillin", "B": "Azithromycin", "C": "Doxycycline"}


def test_there_are_enough_forms_of_every_kind() -> None:
    assert len(FORMS) >= 400
    assert {form["reason"] for form in FORMS} == {None, *NoChoice}


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form["text"][:40])
def test_each_form_is_read_as_a_person_reads_it(form: dict[str, Any]) -> None:
    parsed = parse_choice(form["text"], form["options"])
    assert (parsed.choice, parsed.reason) == (form["choice"], form["reason"])


@pytest.mark.parametrize(
    "form", _lines("choices_not_read.jsonl"), ids=lambda form: form["text"][:40]
)
def test_a_form_that_is_beyond_the_phrases_gives_no_choice_rather_than_a_wrong_one(
    form: dict[str, Any],
) -> None:
    assert parse_choice(form["text"], form["options"]).choice is None


PIECES = "A B C E a not or and ( ) . , answer is I cannot".split()  # noqa: SIM905 - read as words


@pytest.mark.slow
@given(st.text() | st.lists(st.sampled_from(PIECES)).map(" ".join))
def test_any_text_gives_an_option_or_a_reason(text: str) -> None:
    parsed = parse_choice(text, OPTIONS)
    assert (parsed.choice in OPTIONS) != (parsed.reason is not None)


@given(st.sampled_from(sorted(OPTIONS)), st.sampled_from(sorted(OPTIONS)))
def test_the_last_word_counts(first: str, last: str) -> None:
    text = f"The answer is {first}. On reflection the answer is {last}."
    assert parse_choice(text, OPTIONS).choice == last


def test_without_options_nothing_is_chosen() -> None:
    assert parse_choice("The answer is B.", {}).reason is NoChoice.NONE


def test_options_with_the_same_words_cannot_be_told_apart_by_them() -> None:
    options = {"A": "Observe", "B": "observe."}
    assert parse_choice("Observe", options).reason is NoChoice.SEVERAL
    assert parse_choice("B. observe", options).choice == "B"
