"""Intervals of acc_eq, precision and recall: cases, or whole clusters of them, are independent."""

import numpy as np
import pytest
from numpy.typing import NDArray
from tools.endurance import Endurance

from medassay.scores import Grid
from medassay.stats import calibrate_ties, clopper_pearson
from medassay.stats.means import bounded_intervals, moments
from medassay.validity import BadAnswers, Source, Target, find_bad_answers

CASES = tuple(f"{i:02}" for i in range(40))


def found(
    scores: NDArray[np.float64], bad: NDArray[np.float64], clusters: dict[str, str] | None = None
) -> BadAnswers:
    systems = tuple(f"S{i}" for i in range(len(scores)))
    known = np.ones(scores.shape, dtype=bool)
    metric = Source("m", Grid(systems, CASES, scores, known))
    target = Target("d", "dangerous", Grid(systems, CASES, bad, known))
    [one] = find_bad_answers(
        [metric],
        [target],
        rng=np.random.default_rng(1),
        clusters=clusters,
        thresholds={"m": 0.5},
    )
    return one


def test_with_one_answer_a_case_they_are_clopper_and_pearsons() -> None:
    # 20 flagged, 15 of them bad; 5 bad answers pass.
    scores = np.repeat([0.0, 1.0], 20)[None]
    bad = np.repeat([1.0, 0.0, 1.0, 0.0], [15, 5, 5, 15])[None]
    one = found(scores, bad)
    assert (one.precision, one.recall) == (0.75, 0.75)
    for interval in (one.precision_interval, one.recall_interval):
        assert interval is not None
        exact = clopper_pearson(15, 20, estimand="an example")
        assert (interval.low, interval.high) == pytest.approx((exact.low, exact.high))


def test_copies_of_a_system_tell_no_more_than_the_system() -> None:
    rng = np.random.default_rng(2)
    scores = rng.random((1, 40))
    bad = ((scores < 0.5) ^ (rng.random((1, 40)) < 0.2)).astype(float)
    one, four = found(scores, bad), found(np.repeat(scores, 4, 0), np.repeat(bad, 4, 0))
    for alone, copied in (
        (one.precision_interval, four.precision_interval),
        (one.recall_interval, four.recall_interval),
    ):
        assert alone is not None
        assert copied is not None
        # Were copies independent, the interval would be half as wide.
        assert copied.high - copied.low > 0.85 * (alone.high - alone.low)


def test_clusters_widen_and_a_single_one_gives_none() -> None:
    rng = np.random.default_rng(3)
    shared = np.repeat(rng.random((1, 8)) < 0.5, 5, axis=1)
    bad = shared.astype(float)
    scores = np.where(rng.random((1, 40)) < 0.9, 0.0, 1.0)
    alone = found(scores, bad).precision_interval
    pairs = {case: f"c{i // 5}" for i, case in enumerate(CASES)}
    together = found(scores, bad, pairs).precision_interval
    assert alone is not None
    assert together is not None
    assert together.high - together.low > alone.high - alone.low
    assert found(scores, bad, dict.fromkeys(CASES, "c")).precision_interval is None


def test_where_nothing_is_flagged_there_is_no_precision_and_no_interval() -> None:
    bad = np.repeat([1.0, 0.0], 20)[None]
    one = found(np.ones((1, 40)), bad)
    assert (one.precision, one.precision_interval) == (None, None)
    assert one.recall == 0
    assert one.recall_interval is not None
    assert one.recall_interval.low == 0


def test_acc_eq_has_the_interval_of_its_mean_over_cases() -> None:
    rng = np.random.default_rng(4)
    human = rng.integers(0, 3, (4, 30)).astype(float)
    metric = human + rng.normal(size=(4, 30))
    shares = []
    for k in range(30):
        pairs = [(i, j) for i in range(4) for j in range(i)]
        alike = [
            np.sign(metric[i, k] - metric[j, k]) == np.sign(human[i, k] - human[j, k])
            for i, j in pairs
        ]
        shares.append(float(np.mean(alike)))
    for clusters in (None, [k // 3 for k in range(30)]):
        made = calibrate_ties(
            metric, human, human >= 0, rng=np.random.default_rng(1), clusters=clusters
        )
        row = moments(np.array([shares]), np.ones((1, 30), dtype=bool), clusters)
        [(expected, _)] = bounded_intervals(row, (0, 1), estimand="these systems, new cases")
        assert expected is not None
        assert made.acc_eq_interval is not None
        assert made.acc_eq_interval.low == pytest.approx(expected.low)
        assert made.acc_eq_interval.high == pytest.approx(expected.high)
        assert made.cross_validated is not None
        held_out = made.cross_validated_interval
        assert held_out is not None
        assert held_out.low <= made.cross_validated <= held_out.high


@pytest.mark.slow
@pytest.mark.endure
def test_the_interval_of_acc_eq_covers(endurance: Endurance) -> None:
    studies = endurance.size("studies", short=400, whole=4000)
    rng = np.random.default_rng(5)

    def drawn(cases: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        human = rng.integers(0, 3, (5, cases)).astype(float)
        return human + 1.5 * rng.normal(size=(5, cases)), human

    metric, human = drawn(20_000)
    truth = calibrate_ties(metric, human, human >= 0, rng=rng).acc_eq
    assert truth is not None
    held = 0
    for _ in range(studies):
        metric, human = drawn(30)
        interval = calibrate_ties(metric, human, human >= 0, rng=rng).acc_eq_interval
        assert interval is not None
        held += interval.low <= truth <= interval.high
    endurance.found(f"held {held / studies:.3f}")
    assert held / studies > 0.92
