"""Passages that raters mark: pairwise F1 of characters, and nothing that asks for labels."""

import numpy as np
import pytest

from medassay.agreement import agree, agree_on_passages
from medassay.consensus import consensus
from medassay.errors import InvalidInput
from medassay.judgements import Dimension, Judgements, Label, Rubric

RUBRIC = Rubric(
    name="close",
    dimensions=(
        Dimension(
            id="errors", question="Which?", scale="nominal", about="span",
            kinds=(Label(label="dose"), Label(label="fact")),
        ),
    ),
)  # fmt: skip


def judged(*said: tuple[str, str, str, str]) -> Judgements:
    return Judgements.from_rows(
        [
            {"rater": rater, "system": "A", "case": case, "dimension": "errors", "about": about,
             "kind": kind}
            for rater, case, about, kind in said
        ],
        RUBRIC,
    )  # fmt: skip


def test_f1_counts_characters_once_however_many_passages_hold_them() -> None:
    judgements = judged(
        ("r1", "1", "span:0-10", "dose"),
        ("r1", "1", "span:5-12", "fact"),
        ("r2", "1", "span:8-20", "dose"),
    )
    of_any, dose, fact = agree_on_passages(judgements)
    assert (of_any.kind, dose.kind, fact.kind) == ("", "dose", "fact")
    assert of_any.value == pytest.approx(2 * 4 / (12 + 12))
    assert dose.value == pytest.approx(2 * 2 / (10 + 12))
    assert fact.value == 0
    assert (fact.both, fact.one, fact.neither) == (0, 1, 0)


def test_who_found_nothing_counts_and_who_did_not_read_does_not() -> None:
    judgements = judged(
        ("r1", "1", "span:0-10", "dose"),
        ("r2", "1", "", "none"),
        ("r1", "2", "", "none"),
        ("r2", "2", "", "none"),
        ("r1", "3", "span:0-10", "dose"),
    )
    of_any = agree_on_passages(judgements)[0]
    assert (of_any.both, of_any.one, of_any.neither) == (0, 1, 1)
    assert (of_any.value, of_any.n_answers, of_any.n_cases) == (0.0, 2, 2)


def test_a_passage_that_was_taken_back_is_none() -> None:
    judgements = judged(
        ("r1", "1", "span:0-10", "dose"),
        ("r1", "1", "span:0-10", "none"),
        ("r2", "1", "", "none"),
    )
    of_any = agree_on_passages(judgements)[0]
    assert (of_any.value, of_any.neither) == (None, 1)
    assert "nobody marked" in of_any.reason


def test_the_value_is_that_of_plain_sets_pair_by_pair() -> None:
    rng = np.random.default_rng(4)
    said, above, below = [], 0, 0
    for case in range(30):
        marked = []
        for rater in ("r1", "r2", "r3"):
            start, end = sorted(rng.choice(60, 2, replace=False).tolist())
            said.append((rater, f"{case:02}", f"span:{start}-{end}", "dose"))
            marked.append(set(range(start, end)))
        for i in range(3):
            for j in range(i):
                above += 2 * len(marked[i] & marked[j])
                below += len(marked[i]) + len(marked[j])
    of_any = agree_on_passages(judged(*said))[0]
    assert of_any.value == pytest.approx(above / below)
    assert of_any.interval is not None
    assert 0 <= of_any.interval.low < above / below < of_any.interval.high <= 1


def test_a_cluster_of_cases_counts_as_one() -> None:
    said = [(r, f"{c}", f"span:0-{5 + c + 3 * (r == 'r2')}", "dose")
            for c in range(6) for r in ("r1", "r2")]  # fmt: skip
    free = agree_on_passages(judged(*said))[0].interval
    tied = agree_on_passages(judged(*said), clusters={str(c): str(c // 2) for c in range(6)})[0]
    assert free is not None
    assert tied.interval is not None
    assert tied.interval.high - tied.interval.low > free.high - free.low


def test_passages_have_no_kappa_and_no_consensus() -> None:
    judgements = judged(("r1", "1", "span:0-10", "dose"), ("r2", "1", "span:0-10", "dose"))
    assert list(agree(judgements)) == []
    assert consensus(judgements).frame.height == 0
    with pytest.raises(InvalidInput, match="adjudication"):
        agree_on_passages(judgements, phases=("adjudication",))
