"""A score is kept under exactly what its metric reads."""

import time

import pytest

from medassay.answers import Answer
from medassay.cases import Case
from medassay.metrics import resolve

FULL_CASE: dict[str, object] = {
    "case": "1",
    "question": "Why?",
    "narrative": "I fell.",
    "evidence": [
        {"id": 1, "text": "A.", "relevance": "essential"},
        {"id": 2, "text": "B.", "relevance": "supplementary"},
        {"id": 3, "text": "C.", "relevance": "essential"},
    ],
    "references": [{"text": "Because."}, {"text": "draft", "kind": "draft"}],
    "options": {"A": "x", "B": "z"},
    "gold": "A",
    "documents": [{"id": "d", "grade": 1}],
    "tags": {"condition": "asthma"},
}
FULL_ANSWER: dict[str, object] = {
    "system": "A",
    "case": "1",
    "text": "Because of this.",
    "retrieved": [{"document": "d"}],
    "reasoning": "So.",
    "choice": "A",
    "confidence": 0.5,
    "raw": "Because |1|",
}


def key(
    name: str,
    case: dict[str, object] | None = None,
    answer: dict[str, object] | None = None,
) -> str:
    return resolve(name).content_key(
        Case.model_validate({**FULL_CASE, **(case or {})}),
        Answer.model_validate({**FULL_ANSWER, **(answer or {})}),
    )


@pytest.mark.parametrize(
    "case",
    [
        {"case": "2"},
        {"tags": {}},
        {"gold": None},
        {"documents": []},
        {"question": "What?"},
        {"references": [{"text": "Because."}, {"text": "other", "kind": "draft"}]},
        {"evidence": []},
    ],
)
def test_what_a_metric_does_not_read_keeps_its_score(case: dict[str, object]) -> None:
    assert key("rouge1(ref=human)", case) == key("rouge1(ref=human)")


@pytest.mark.parametrize(
    "answer",
    [{"system": "B"}, {"choice": "B"}, {"confidence": 0.7}, {"raw": None}, {"retrieved": []}],
)
def test_what_a_metric_does_not_read_of_the_answer_keeps_its_score(
    answer: dict[str, object],
) -> None:
    assert key("rouge1(ref=human)", answer=answer) == key("rouge1(ref=human)")


@pytest.mark.parametrize(
    ("name", "case"),
    [
        ("rouge1(ref=human)", {"references": [{"text": "Because!"}]}),
        ("rouge1(ref=human)", {"references": []}),
        ("bleu(ref=note)", {"question": "What?"}),
        ("bleu(ref=note)", {"narrative": None}),
        ("bleu(ref=note)", {"evidence": [{"id": 1, "text": "A.", "relevance": "essential"}]}),
    ],
)
def test_what_a_metric_reads_changes_the_key(name: str, case: dict[str, object]) -> None:
    assert key(name, case) != key(name)


def test_each_metric_and_parameter_has_its_own_key() -> None:
    names = [
        "rouge1(ref=human)",
        "rouge1(ref=human,stemmer=yes)",
        "rouge2(ref=human)",
        "length",
        "length(unit=characters)",
    ]
    assert len({key(name) for name in names}) == len(names)


def test_an_empty_and_a_missing_text_differ() -> None:
    assert key("length", answer={"text": ""}) != key("length", answer={"text": None})


def test_two_texts_are_not_one_joined_text() -> None:
    two: dict[str, object] = {"references": [{"text": "a"}, {"text": "b"}]}
    assert key("bleu(ref=human)", two) != key("bleu(ref=human)", {"references": [{"text": "ab"}]})


def test_keys_of_a_shared_task_take_little_time() -> None:
    case = Case.model_validate({**FULL_CASE, "narrative": "word " * 300})
    answer = Answer.model_validate({**FULL_ANSWER, "text": "word " * 75})
    start = time.process_time()
    resolve("bleu(ref=note)").content_keys([(case, answer)] * 28_000)
    assert time.process_time() - start < 2.0
