"""Retrieval is trec_eval's to the last bit where scores, ids and grades are unkind."""

import json
from pathlib import Path
from typing import Any

import pytest

from medassay.answers import Answer
from medassay.cases import Case
from medassay.metrics import resolve
from medassay.scores import Reason, Score, Unscored

GOLDEN: dict[str, Any] = json.loads(
    (Path(__file__).parents[1] / "golden" / "trec_hostile.json").read_bytes()
)
OURS = {
    "map": "average_precision", "recip_rank": "reciprocal_rank", "Rprec": "r_precision",
    "bpref": "bpref",
    **{
        f"{theirs}_{k}": f"{ours}@{k}"
        for theirs, ours in (("P", "precision"), ("recall", "recall"), ("success", "success"),
                             ("ndcg_cut", "ndcg"))
        for k in (1, 5, 30)
    },
}  # fmt: skip


def pair(topic: str, grades: dict[str, int], scores: dict[str, float]) -> tuple[Case, Answer]:
    documents = [{"id": d, "grade": g} for d, g in grades.items()]
    retrieved = [{"document": d, "score": s} for d, s in scores.items()]
    return (
        Case.model_validate({"case": topic, "documents": documents}),
        Answer.model_validate({"system": "A", "case": topic, "retrieved": retrieved}),
    )


@pytest.mark.parametrize("level", [1, 2])
@pytest.mark.parametrize("theirs", OURS)
def test_every_value_is_trec_evals(theirs: str, level: int) -> None:
    name = OURS[theirs] if level == 1 or "ndcg" in theirs else f"{OURS[theirs]}(rel={level})"
    topics = list(GOLDEN["run"])
    pairs = [pair(topic, GOLDEN["qrels"][topic], GOLDEN["run"][topic]) for topic in topics]
    for topic, found in zip(topics, resolve(name).score_batch(pairs), strict=True):
        value = GOLDEN["values"][str(level)][topic][theirs]
        if isinstance(found, Score):
            assert found.value == value, topic
        else:
            # trec_eval prints 0 where no document is relevant; 0 of 0 is no value here.
            least = 1 if "ndcg" in theirs else level
            assert max(GOLDEN["qrels"][topic].values()) < least
            assert value == 0


def test_scores_that_single_precision_cannot_tell_apart_tie() -> None:
    # As floats of 32 bits both are .12345679, so "b" comes before "a", whatever the ninth digit.
    one = pair("1", {"a": 1}, {"a": 0.123456789, "b": 0.123456788})
    assert resolve("reciprocal_rank").score_batch([one]) == [Score(0.5)]
    assert resolve("judged@1").score_batch([one]) == [Score(0.0)]
    apart = pair("1", {"a": 1}, {"a": 0.1234568, "b": 0.1234567})
    assert resolve("reciprocal_rank").score_batch([apart]) == [Score(1.0)]
    assert resolve("judged@1").score_batch([apart]) == [Score(1.0)]


def test_a_list_that_lacks_a_score_is_taken_at_its_own_order() -> None:
    case, _ = pair("1", {"b": 1}, {})
    retrieved = [{"document": "a", "score": 0.1}, {"document": "b"}, {"document": "c", "score": 9}]
    answer = Answer.model_validate({"system": "A", "case": "1", "retrieved": retrieved})
    assert resolve("reciprocal_rank").score_batch([(case, answer)]) == [Score(0.5)]


def test_judged_ranks_as_the_others_do() -> None:
    # "b" and "a" tie, and "b" comes first; "9" stands before "10" as text does.
    one = pair("1", {"b": 0, "9": 0}, {"a": 1.0, "b": 1.0, "10": 0.0, "9": 0.0})
    found = [resolve(f"judged@{k}").score_batch([one])[0] for k in (1, 2, 3, 4)]
    assert found == [Score(1.0), Score(0.5), Score(2 / 3), Score(0.5)]


def test_a_grade_that_trec_eval_cannot_hold_is_a_reason_and_not_a_crash() -> None:
    # trec_eval reserves memory for every grade up to the highest: 3,000,000,000 ends the process.
    pairs = [pair("1", {"a": grade}, {"a": 1.0}) for grade in (10_000, 10_001, 3_000_000_000)]
    found = resolve("ndcg@5").score_batch(pairs)
    lacking = "no documents with whole-number grades of at most 10,000"
    assert found == [Score(1.0), *[Unscored(Reason.CASE_LACKS, lacking)] * 2]
