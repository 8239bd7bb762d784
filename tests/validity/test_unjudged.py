"""The ranking by three rules for answers that nobody judged."""

import csv
from pathlib import Path

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from medassay.scores import Grid
from medassay.validity import Source, unjudged_ranks

TABLE = Path(__file__).parents[2] / "examples" / "data" / "openqa_nq301.csv"


def judged(values: NDArray[np.float64], known: NDArray[np.bool_], order: list[int]) -> Source:
    systems = tuple(f"S{i}" for i in order)
    cases = tuple(f"{i:02}" for i in range(values.shape[1]))
    return Source("h", Grid(systems, cases, values[order], known[order]))


def test_by_hand() -> None:
    # S0 1 1 0 ?   dropped 2/3, as wrong (0 of 0 to 2) 2/4, shared: cases 0 and 1, 1
    # S1 2 ? ? 1   dropped 3/2, as wrong 3/4;               shared: none but case 0 has both
    values = np.array([[1.0, 1, 0, 0], [2, 0, 0, 1]])
    known = np.array([[True, True, True, False], [True, False, False, True]])
    a, b = unjudged_ranks(judged(values, known, [0, 1]), np.ones((2, 4), dtype=bool), 0.0)
    assert (a.judged, a.unjudged, b.judged, b.unjudged) == (3, 1, 2, 2)
    assert (a.dropped, a.worst, a.shared) == (2 / 3, 0.5, 1.0)
    assert (b.dropped, b.worst, b.shared) == (1.5, 0.75, 2.0)
    assert a.shared_cases == 1
    assert not a.moves
    assert not b.moves


def test_an_answer_never_given_is_not_counted() -> None:
    values, known = np.array([[2.0, 0.0]]), np.array([[True, False]])
    [one] = unjudged_ranks(judged(values, known, [0]), known, 0.0)
    assert (one.unjudged, one.worst) == (0, 2.0)


def test_a_system_without_a_judgement_has_no_place_but_by_the_worst_score() -> None:
    values, known = np.array([[2.0], [0.0]]), np.array([[True], [False]])
    a, b = unjudged_ranks(judged(values, known, [0, 1]), np.ones((2, 1), dtype=bool), 1.0)
    assert (b.dropped, b.dropped_rank, b.shared, b.shared_rank) == (None, None, None, None)
    assert (b.worst, b.worst_rank, a.worst_rank) == (1.0, 2, 1)


def test_on_the_twelve_systems_the_rule_decides_who_is_first() -> None:
    with TABLE.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    systems = tuple(sorted({row["system"] for row in rows}))
    cases = tuple(sorted({row["case"] for row in rows}))
    values, known = np.zeros((12, 301)), np.zeros((12, 301), dtype=bool)
    for row in rows:
        at = systems.index(row["system"]), cases.index(row["case"])
        known[at] = row["acceptable"] != ""
        values[at] = float(row["acceptable"] or 0)
    source = Source("h", Grid(systems, cases, values, known))
    found = {one.system: one for one in unjudged_ranks(source, known | True, 0.0)}
    assert sum(one.unjudged for one in found.values()) == 88
    # docs/validity-examples.md prints these of examples/trust_openqa.py, which counts on its own.
    first, other = found["EMDR2"], found["text-davinci-003_fewshot-n64"]
    assert (first.dropped_rank, first.worst_rank) == (1, 3)
    assert (other.dropped_rank, other.worst_rank) == (2, 1)
    assert first.dropped is not None
    assert first.worst is not None
    assert (round(first.dropped, 3), round(first.worst, 3)) == (0.801, 0.724)


@given(st.integers(0, 2**32 - 1))
def test_the_order_of_systems_changes_nothing(seed: int) -> None:
    rng = np.random.default_rng(seed)
    values = rng.integers(0, 3, (4, 6)).astype(float)
    known = rng.random((4, 6)) < 0.7
    given_ = np.ones((4, 6), dtype=bool)
    order = rng.permutation(4).tolist()
    plain = unjudged_ranks(judged(values, known, [0, 1, 2, 3]), given_, 0.0)
    assert unjudged_ranks(judged(values, known, order), given_, 0.0) == plain
