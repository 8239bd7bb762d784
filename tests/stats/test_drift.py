"""A drift is seen soon, and seldom where there is none, however many days are looked at."""

import math

import numpy as np
import pytest
from monitor import QUIET, delays, false_alarms

from medassay.analyses.monitor.watch import ERROR
from medassay.stats.betting import DriftTally, baseline_interval, first_drift, mean_since


def money(values: list[float], mean: float) -> float:
    """Bet value by value, one purse a stake, as the definition says; no line is ours."""
    purses = [0.5] + [0.05] * 10
    stakes = [1.0, *(1 / 2**k for k in range(1, 11))]
    for value in values:
        purses = [
            purse * (1 + stake * (value / mean - 1))
            for purse, stake in zip(purses, stakes, strict=True)
        ]
    return sum(purses)


def by_hand(days: list[list[float]], low: float, high: float, error: float) -> object:
    """Look every day, from each day on, in both directions."""
    for seen in range(len(days)):
        for rises in (True, False):
            over = {}
            for since in range(seen + 1):
                values = [value for day in days[since : seen + 1] for value in day]
                got = money(values, high) if rises else money([1 - v for v in values], 1 - low)
                k = since + 1
                over[since] = got / (2 / error * k * (k + 1))
            if max(over.values()) >= 1:
                return seen, max(over, key=lambda since: over[since]), rises
    return None


@pytest.mark.parametrize(("after", "drifts"), [(0.2, False), (0.7, True), (0.0, True)])
def test_the_rule_is_that_of_bets_from_each_day_on(after: float, *, drifts: bool) -> None:
    rng = np.random.default_rng(3)
    shares = [0.2] * 6 + [after] * 9
    days = [(rng.random(25) < share).astype(float).tolist() for share in shares]
    found = first_drift([DriftTally.of(day) for day in days], (0.15, 0.25), 0.05)
    expected = by_hand(days, 0.15, 0.25, 0.05)
    assert (found and (found.seen, found.since, found.rises)) == expected
    assert (found is not None) is drifts


def test_a_day_that_was_left_out_changes_no_number() -> None:
    usual, more = DriftTally.of([0] * 95 + [1] * 5), DriftTally.of([0] * 80 + [1] * 20)
    days = [usual] * 4 + [more] * 3
    whole = first_drift(days, (0.03, 0.08), 0.01)
    assert whole is not None
    without = first_drift(days[:1] + days[3:], (0.03, 0.08), 0.01, [1, 4, 5, 6, 7])
    assert without is not None
    assert whole.seen - without.seen == whole.since - without.since == 2


def test_days_without_values_say_nothing() -> None:
    usual, none = DriftTally.of([0, 1] * 20), DriftTally.of([])
    assert first_drift([usual, none, usual], (0.4, 0.6), 0.05) is None
    assert first_drift([none, none], (0.0, 1.0), 0.05) is None


def test_the_mean_since_a_day_lies_beside_the_baseline_where_a_drift_is_seen() -> None:
    rng = np.random.default_rng(4)
    error = 0.002
    baseline = baseline_interval(DriftTally.of((rng.random(1000) < 0.05).astype(float)), error)
    days = [
        DriftTally.of((rng.random(300) < share).astype(float)) for share in [0.05] * 20 + [0.2] * 4
    ]
    drift = first_drift(days, baseline, error)
    assert drift is not None
    assert (drift.seen, drift.rises) == (20, True)
    low, _ = mean_since(days[drift.since : drift.seen + 1], drift.since + 1, error)
    assert low >= baseline[1] - 1e-9


def test_shares_of_the_error_add_up_to_it() -> None:
    assert math.isclose(sum(1 / (k * (k + 1)) for k in range(1, 10**6)), 1, abs_tol=1e-5)


def test_quarters_without_drift_call_none() -> None:
    assert false_alarms(QUIET[2], np.random.default_rng(5), 10) <= ERROR + 2 * (ERROR / 10) ** 0.5


def test_a_large_drift_is_seen_on_its_day() -> None:
    assert delays(QUIET[2], 0.3, np.random.default_rng(6), 10) == [0] * 10
