"""Retrieval metrics are trec_eval's, ties and unjudged documents included."""

import pytest
import pytrec_eval
from hypothesis import given, settings
from hypothesis import strategies as st

from medassay.answers import Answer
from medassay.cases import Case
from medassay.metrics import resolve
from medassay.scores import Reason, Score, Unscored

NAMES = {
    "precision@1": "P_1",
    "precision@5": "P_5",
    "recall@5": "recall_5",
    "success@5": "success_5",
    "ndcg@5": "ndcg_cut_5",
    "average_precision": "map",
    "reciprocal_rank": "recip_rank",
    "r_precision": "Rprec",
    "bpref": "bpref",
}
IDS = [f"d{i}" for i in range(12)]
topics = st.tuples(
    st.dictionaries(st.sampled_from(IDS), st.integers(0, 3), min_size=1),
    # Few distinct scores, so that many documents tie.
    st.dictionaries(st.sampled_from(IDS), st.sampled_from([0.5, 1.0, 2.0]), min_size=1),
)


def pair(grades: dict[str, int], scores: dict[str, float]) -> tuple[Case, Answer]:
    case = Case.model_validate(
        {"case": "1", "documents": [{"id": d, "grade": g} for d, g in grades.items()]}
    )
    ranked = sorted(scores.items(), key=lambda one: -one[1])
    retrieved = [{"document": d, "score": s} for d, s in ranked]
    return case, Answer.model_validate({"system": "A", "case": "1", "retrieved": retrieved})


@settings(max_examples=60)
@given(st.lists(topics, min_size=1, max_size=4))
def test_values_are_those_of_trec_eval(
    drawn: list[tuple[dict[str, int], dict[str, float]]],
) -> None:
    qrels = {str(i): grades for i, (grades, _) in enumerate(drawn)}
    run = {str(i): scores for i, (_, scores) in enumerate(drawn)}
    theirs = pytrec_eval.RelevanceEvaluator(qrels, set(NAMES.values())).evaluate(run)
    pairs = [pair(*topic) for topic in drawn]
    for ours, name in NAMES.items():
        for i, found in enumerate(resolve(ours).score_batch(pairs)):
            if isinstance(found, Score):
                assert found.value == pytest.approx(theirs[str(i)][name], abs=1e-12)
            else:
                # trec_eval prints 0 where no document is relevant; 0 of 0 is no value here.
                assert max(drawn[i][0].values()) == 0
                assert theirs[str(i)][name] == 0


def test_worked_by_hand() -> None:
    # Relevant: d1 (1), d3 (2). Ranking d3, d9 (unjudged), d1: precisions at hits 1/1 and 2/3.
    one = pair({"d1": 1, "d2": 0, "d3": 2}, {"d3": 3.0, "d9": 2.5, "d1": 2.0})
    expected = {
        "precision@5": 2 / 5,
        "recall@1": 1 / 2,
        "average_precision": (1 + 2 / 3) / 2,
        "reciprocal_rank(rel=2)": 1.0,
        "judged@3": 2 / 3,
    }
    for name, value in expected.items():
        [found] = resolve(name).score_batch([one])
        assert isinstance(found, Score)
        assert found.value == pytest.approx(value)


def test_without_scores_the_order_given_is_the_ranking() -> None:
    case, _ = pair({"d1": 1}, {"d1": 1.0})
    answer = Answer.model_validate(
        {"system": "A", "case": "1", "retrieved": [{"document": "d2"}, {"document": "d1"}]}
    )
    assert resolve("reciprocal_rank").score_batch([(case, answer)]) == [Score(0.5)]


def test_what_is_missing_is_a_reason() -> None:
    case, answer = pair({"d1": 0}, {"d1": 1.0})
    found = resolve("recall@5").score_batch([(case, answer)])
    assert found == [Unscored(Reason.UNDEFINED, "no document of the case is relevant")]
    bare = Case.model_validate({"case": "1", "documents": [{"id": "d1"}]})
    [lacking] = resolve("recall@5").score_batch([(bare, answer)])
    assert isinstance(lacking, Unscored)
    assert lacking.reason is Reason.CASE_LACKS
    nothing = Answer.model_validate({"system": "A", "case": "1", "retrieved": []})
    relevant, _ = pair({"d1": 1}, {"d1": 1.0})
    assert resolve("recall@5").score_batch([(relevant, nothing)]) == [Score(0.0)]
    [empty] = resolve("judged@5").score_batch([(relevant, nothing)])
    assert isinstance(empty, Unscored)
    assert resolve("recall@5").score_no_answer(relevant) == Score(0.0)
