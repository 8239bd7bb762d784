import csv
from pathlib import Path

import numpy as np
import pytest

from medassay.consensus import tally_preferences
from medassay.judgements import Preferences

PAIRWISE = Path(__file__).parents[1] / "data" / "mslr_cochrane" / "pairwise.csv"


def cochrane(*, turned: bool = False) -> Preferences:
    rows = []
    with PAIRWISE.open(encoding="utf-8", newline="") as file:
        for cells in csv.DictReader(file):
            a, b, choice = cells["system_a"], cells["system_b"], cells["choice"]
            if turned:
                a, b, choice = b, a, {"A": "B", "B": "A"}.get(choice, choice)
            who = {"rater": cells["annotator"], "case": cells["review_id"]}
            rows.append({**who, "system_a": a, "system_b": b, "choice": choice})
    return Preferences.from_rows(rows)


def test_every_comparison_is_counted_once_for_each_side() -> None:
    tally = tally_preferences(cochrane(), rng=np.random.default_rng(1))
    assert sum(one.n for one in tally.systems) == 2 * 452
    assert sum(one.wins for one in tally.systems) == sum(one.losses for one in tally.systems)
    assert tally.wins.sum() + tally.ties.sum() / 2 == 452
    for one in tally.systems:
        assert one.n == one.wins + one.losses + one.ties
        assert one.win_share == pytest.approx((one.wins + one.ties / 2) / one.n)
        assert one.interval is not None
        assert one.win_share is not None
        assert one.interval.low < one.win_share < one.interval.high


def test_it_does_not_matter_which_answer_was_shown_first() -> None:
    one = tally_preferences(cochrane(), rng=np.random.default_rng(1))
    other = tally_preferences(cochrane(turned=True), rng=np.random.default_rng(1))
    for own, turned in zip(one.systems, other.systems, strict=True):
        assert own.shown_first == turned.n - turned.shown_first
        assert (own.win_share, own.interval) == (turned.win_share, turned.interval)
        assert (own.evened, own.evened_interval) == (turned.evened, turned.evened_interval)
    assert np.array_equal(one.wins, other.wins)
    assert np.array_equal(one.ties, other.ties)


def test_a_comparison_without_a_choice_is_counted_apart() -> None:
    preferences = Preferences.from_rows(
        [
            {"rater": "r", "case": "1", "system_a": "A", "system_b": "B", "reason": "cannot_judge"},
            {"rater": "r", "case": "2", "system_a": "A", "system_b": "C", "choice": "a"},
        ]
    )
    tally = tally_preferences(preferences, rng=np.random.default_rng(1))
    assert tally.unlabelled == 1
    shares = {one.system: (one.n, one.win_share, one.interval) for one in tally.systems}
    assert shares == {"A": (1, 1.0, None), "B": (0, None, None), "C": (1, 0.0, None)}


def test_no_preferences_make_an_empty_tally() -> None:
    tally = tally_preferences(Preferences.from_rows([]), rng=np.random.default_rng(1))
    assert (tally.systems, tally.wins.shape) == ((), (0, 0))
