"""Answers with citations: every citation is one that the note has, within 75 words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from medassay.cases import Case
from medassay.systems.dialogue import Prompt, converse, own_prompts
from medassay.systems.reference import answer_first, answer_together, quote_note, read_statements

NOTE = Case(
    case="1",
    question="Why did he get oxygen?",
    narrative="My father was in hospital.",
    evidence=[
        {"id": "1", "text": "He was short of breath."},
        {"id": "2", "text": "Oxygen was given for\nlow saturation."},
        {"id": "3", "text": "The window was open."},
    ],
)


def test_together_cites_what_the_note_has() -> None:
    asked: list[Prompt] = []

    def model(prompt: Prompt) -> str:
        asked.append(prompt)
        return "His saturation was low [2, 7]. He was short of breath. [1] He left."

    answer = converse(answer_together(NOTE, "s", own_prompts("cited")), model)
    assert [(s.text, s.citations) for s in answer.statements or ()] == [
        ("His saturation was low.", ("2",)),
        ("He was short of breath.", ("1",)),
        ("He left.", ()),
    ]
    assert "[2] Oxygen was given for low saturation." in asked[0].messages[-1].text
    assert "at most 75 words" in asked[0].messages[-1].text


def test_answer_first_keeps_the_first_words() -> None:
    replies = iter(["It was low. He left.", "It was low [2]. He went home happily [1]."])
    answer = converse(answer_first(NOTE, "s", own_prompts("cited")), lambda _: next(replies))
    assert [(s.text, s.citations) for s in answer.statements or ()] == [
        ("It was low.", ("2",)),
        ("He left.", ()),
    ]


def test_without_a_model_sentences_are_quoted_in_their_order() -> None:
    answer = converse(quote_note(NOTE, "s"))
    assert [s.citations for s in answer.statements or ()] == [("2",)]
    long = Case(
        case="2",
        question="oxygen",
        evidence=[{"id": str(i), "text": f"oxygen {'word ' * 30}{i}"} for i in range(5)],
    )
    quoted = converse(quote_note(long, "s"))
    assert len((quoted.text or "").split()) <= 75


@pytest.mark.parametrize("said", ["", "[1]", "  "])
def test_a_reply_with_nothing_is_an_empty_answer(said: str) -> None:
    answer = converse(answer_together(NOTE, "s", own_prompts("cited")), lambda _: said)
    assert answer.text == ""
    assert answer.is_blank


@given(st.text(alphabet="ab .[]123,\n", max_size=300))
def test_no_reply_breaks_the_limits(text: str) -> None:
    statements = read_statements(text, NOTE, words=10)
    assert sum(len(s.text.split()) for s in statements) <= 10
    assert {c for s in statements for c in s.citations} <= {"1", "2", "3"}


def test_what_a_note_says_is_never_read_as_a_field() -> None:
    case = Case(case="1", question="{{ words }}", evidence=[{"id": "1", "text": "{{ answer }}"}])
    asked: list[Prompt] = []

    def model(prompt: Prompt) -> str:
        asked.append(prompt)
        return "Yes."

    converse(answer_together(case, "s", own_prompts("cited")), model)
    text = asked[0].messages[-1].text
    assert "[1] {{ answer }}" in text
    assert "A patient asks: {{ words }}" in text


@pytest.mark.parametrize("words", [1, 3])
def test_a_first_sentence_that_is_too_long_is_cut(words: int) -> None:
    [only] = read_statements("One two three four. Five.", NOTE, words=words)
    assert len(only.text.split()) == words
