"""A score is kept under exactly what its metric reads."""

import time
from dataclasses import replace

import pytest

from medassay.answers import Answer
from medassay.cases import Case
from medassay.metrics import bound, registry, resolve
from medassay.models import installed_versions

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
    texts: list[dict[str, object]] = [{"text": text, "choice": None} for text in ("", None)]
    empty, missing = (key("length", answer=text) for text in texts)
    assert empty != missing


def test_two_texts_are_not_one_joined_text() -> None:
    two: dict[str, object] = {"references": [{"text": "a"}, {"text": "b"}]}
    assert key("bleu(ref=human)", two) != key("bleu(ref=human)", {"references": [{"text": "ab"}]})


def test_keys_of_a_shared_task_take_little_time() -> None:
    case = Case.model_validate({**FULL_CASE, "narrative": "word " * 300})
    answer = Answer.model_validate({**FULL_ANSWER, "text": "word " * 75})
    start = time.process_time()
    resolve("bleu(ref=note)").content_keys([(case, answer)] * 28_000)
    assert time.process_time() - start < 2.0


@pytest.mark.parametrize("of", ["sacrebleu", "numpy"])
def test_another_version_of_what_computes_it_is_another_key(
    monkeypatch: pytest.MonkeyPatch, of: str
) -> None:
    before = key("bleu(ref=human)"), key("length")
    real = installed_versions

    def changed(*packages: str) -> dict[str, str]:
        return {**real(*packages), **{one: "99.0" for one in packages if one == of}}

    monkeypatch.setattr(bound, "installed_versions", changed)
    assert key("bleu(ref=human)") != before[0]
    assert f"|{of}:99.0|" in str(resolve("bleu(ref=human)").signature)
    assert key("length") == before[1]  # it runs on nothing but Python


@pytest.mark.parametrize(
    ("what", "value"), [("python_version", "3.99"), ("provided_by", "medassay 99")]
)
def test_another_python_or_package_is_another_key_and_the_same_signature(
    monkeypatch: pytest.MonkeyPatch, what: str, value: str
) -> None:
    before, signature = key("length"), str(resolve("length").signature)
    monkeypatch.setattr(bound, what, lambda *_: value)
    assert key("length") != before
    assert str(resolve("length").signature) == signature


def test_another_definition_is_another_key(monkeypatch: pytest.MonkeyPatch) -> None:
    before = key("length")
    declared, compute = registry.REGISTRY.known["length"]
    raised = replace(declared, version=declared.version + 1)
    monkeypatch.setitem(registry.REGISTRY.known, "length", (raised, compute))
    assert key("length") != before
