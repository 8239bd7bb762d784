"""Readings and citation scores are those of the official scorers; see golden/make_archehr.py."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from medassay.answers import Answer
from medassay.cases import Case
from medassay.exchange.archehr.answer import read_answer, read_officially
from medassay.metrics import resolve
from medassay.scores import ScoreTable
from medassay.text import first_words
from medassay.validity import Composite, Term, composite_values

GOLDEN: dict[str, Any] = json.loads(
    (Path(__file__).parents[2] / "golden" / "archehr_scorer.json").read_text(encoding="utf-8")
)
MEASURES = ("precision", "recall", "f1")


@pytest.mark.parametrize("one", GOLDEN["readings"])
def test_answers_are_read_as_the_scorer_reads_them(one: dict[str, Any]) -> None:
    sentences = read_officially(one["raw"])
    cited = sorted({i for sentence in sentences for i in sentence.ids})
    found = read_answer(one["raw"], file="a.json", case="1")
    refused = any(finding.kind == "no-citations" for finding in found.findings)
    assert refused == (one["read"] is None)
    if one["read"] is not None:
        text = " ".join(sentence.text for sentence in sentences if sentence.text)
        assert first_words(text, 75) == one["read"]["answer"]
        assert cited == one["read"]["citations"]
        derived = Answer.model_validate({"system": "A", "case": "1", "statements": found.official})
        assert derived.text == text
        assert [c.replace("␣", " ") for c in sorted(derived.citations)] == sorted(
            cited, key=lambda i: i.replace(" ", "␣")
        )


def values(batch: dict[str, Any], gold: str, rules: str) -> dict[str, dict[str, float]]:
    """Score a batch as we do, macro and micro."""
    pairs = []
    for case, key in batch["keys"].items():
        evidence = [{"id": i, "text": "x", "relevance": word} for i, word in key.items()]
        statements = [{"text": "x", "citations": batch["cited"][case]}]
        pairs.append(
            (
                Case.model_validate({"case": case, "evidence": evidence}),
                Answer.model_validate({"system": "A", "case": case, "statements": statements}),
            )
        )
    found: dict[str, dict[str, float]] = {"macro": {}, "micro": {}}
    for measure in MEASURES:
        metric = resolve(f"citation_{measure}(gold={gold},rules={rules})")
        name = str(metric.name)
        scores = metric.score_batch(pairs)
        table = ScoreTable.from_rows(
            [("A", case.case, name, one) for (case, _), one in zip(pairs, scores, strict=True)]
        )
        for average, term in (("macro", Term(name)), ("micro", Term(name, "micro"))):
            [one] = composite_values(
                table,
                Composite(average, ((term,),)),
                systems=["A"],
                cases=list(batch["keys"]),
                metrics={name: metric},
                rng=np.random.default_rng(1),
                replicates=100,
            )
            assert one.value is not None
            found[average][measure] = one.value
    return found


@pytest.mark.parametrize("batch", GOLDEN["batches"])
@pytest.mark.parametrize("rules", ["archehr2025", "archehr2026"])
@pytest.mark.parametrize("gold", ["strict", "lenient"])
def test_macro_and_micro_are_the_scorers(batch: dict[str, Any], rules: str, gold: str) -> None:
    found = values(batch, gold, rules)
    for average in ("macro", "micro"):
        assert found[average] == pytest.approx(batch[rules][gold][average])


@pytest.mark.parametrize("batch", GOLDEN["batches"])
def test_alignment_is_scored_by_the_strict_rule_of_2025(batch: dict[str, Any]) -> None:
    found = values(batch, "strict", "archehr2025")
    for measure in MEASURES:
        assert found["macro"][measure] == pytest.approx(batch["alignment"][f"macro_{measure}"])
        assert found["micro"][measure] == pytest.approx(batch["alignment"][f"micro_{measure}"])
