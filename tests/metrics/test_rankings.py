"""Every measure of retrieval has, bit for bit, the value that ir-measures has for it."""

import ir_measures
import numpy as np
import pytest

from medassay.answers import Answer, Retrieved
from medassay.cases import Case, Document
from medassay.metrics import BoundMetric, resolve
from medassay.metrics.builtin.retrieval import _MEASURES, _WITH_K, _WITHOUT_REL, Rankings
from medassay.scores import Reason, Score, Unscored

CUTS = (1, 2, 3, 5, 10, 30)
TOPICS = 60
NOT_JUDGED, EMPTY = 7, 5  # every so many cases has no grade, and every so many answers no document


def topics(seed: int) -> list[tuple[dict[str, int], dict[str, float]]]:
    """Draw grades and scores: few scores, so that many tie; documents that nobody graded."""
    rng = np.random.default_rng(seed)
    drawn = []
    for _ in range(TOPICS):
        listed = rng.choice(30, size=int(rng.integers(1, 25)), replace=False).tolist()
        graded = rng.choice(30, size=int(rng.integers(1, 12)), replace=False).tolist()
        scores = (rng.integers(0, 6, size=len(listed)) / 4).tolist()
        grades = rng.integers(0, 4, size=len(graded)).tolist()
        drawn.append(
            (
                {f"d{i}": grade for i, grade in zip(graded, grades, strict=True)},
                {f"d{i}": score for i, score in zip(listed, scores, strict=True)},
            )
        )
    return drawn


def theirs(
    measure: str, qrels: dict[str, dict[str, int]], run: dict[str, dict[str, float]]
) -> object:
    parsed = ir_measures.parse_measure(measure)
    return {
        one.query_id: one.value for one in ir_measures.pytrec_eval.iter_calc([parsed], qrels, run)
    }


@pytest.mark.parametrize("rel", [1, 2, 3])
@pytest.mark.parametrize(
    "word",
    [f"{name}@{k}" for name in ("P", "R", "Success", "nDCG") for k in CUTS]
    + ["AP", "RR", "Rprec", "Bpref"],
)
def test_from_dictionaries(word: str, rel: int) -> None:
    drawn = topics(rel)
    qrels = {str(i): grades for i, (grades, _) in enumerate(drawn)}
    run = {str(i): scores for i, (_, scores) in enumerate(drawn)}
    name, _, cut = word.partition("@")
    with_rel = word if name == "nDCG" else f"{name}(rel={rel}){'@' * bool(cut)}{cut}"
    found = Rankings([*run.values()], [*qrels.values()], rel).values(word)
    assert dict(zip(run, found, strict=True)) == theirs(with_rel, qrels, run)


def every_metric() -> list[tuple[str, str]]:
    named = []
    for ours, (word, *_) in _MEASURES.items():
        if ours == "judged":
            continue  # ranked as trec_eval does, and not as ir-measures does
        for rel in (1,) if ours in _WITHOUT_REL else (1, 2):
            for cut in [f"@{k}" for k in CUTS] if ours in _WITH_K else [""]:
                least = "" if ours in _WITHOUT_REL else f"(rel={rel})"
                named.append((f"{ours}{cut}{least if rel > 1 else ''}", f"{word}{least}{cut}"))
    return named


@pytest.mark.parametrize(("ours", "their_name"), every_metric())
def test_from_cases_and_answers(ours: str, their_name: str) -> None:
    pairs: list[tuple[Case, Answer]] = []
    qrels: dict[str, dict[str, int]] = {}
    run: dict[str, dict[str, float]] = {}
    for place, (grades, scores) in enumerate(topics(9)):
        graded = {} if place % NOT_JUDGED == 0 else grades
        listed = {} if place % EMPTY == 0 else scores
        documents = tuple(Document(id=d, grade=g) for d, g in graded.items())
        retrieved = tuple(Retrieved(document=d, score=s) for d, s in listed.items())
        case = Case(case=str(place), question="What of it?", documents=documents)
        pairs.append((case, Answer(system="A", case=str(place), retrieved=retrieved)))
        qrels |= {str(place): graded} if graded else {}
        run |= {str(place): listed} if listed else {}
    metric: BoundMetric = resolve(ours)
    least = int(ours.partition("rel=")[2].rstrip(")") or 1)
    known = theirs(their_name, qrels, run)
    assert isinstance(known, dict)
    for (case, _), score in zip(pairs, metric.score_batch(pairs), strict=True):
        judged = qrels.get(case.case)
        if judged is None:
            assert isinstance(score, Unscored)
            assert score.reason is Reason.CASE_LACKS
        elif isinstance(score, Unscored):
            # trec_eval prints 0 where nothing is relevant: 0 of 0 is no value here.
            assert score.reason is Reason.UNDEFINED
            assert max(judged.values()) < least
            assert known.get(case.case, 0.0) == 0
        else:
            assert isinstance(score, Score)
            assert score.value == known.get(case.case, 0.0)
