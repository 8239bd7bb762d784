"""What raters prefer by what they are shown beside the answers."""

import numpy as np
import pytest

from medassay.analyses.builtin.display_arms import (
    DisplayArms,
    arms_finding,
    arms_tables,
    pairs_in_arms,
)
from medassay.exhibits import Names
from medassay.judgements import Preferences

SHOWN, HIDDEN = "citations shown", "citations hidden"


def compared(cases: int, chances: dict[str | None, float], seed: int = 1) -> Preferences:
    rng = np.random.default_rng(seed)
    return Preferences.from_rows(
        {"rater": rater, "case": f"c{case:03}", "system_a": "A", "system_b": "B",
         "display": display, "choice": "a" if rng.random() < chance else "b"}
        for case in range(cases)
        for display, chance in chances.items()
        for rater in ("r1", "r2")
    )  # fmt: skip


def test_win_differences_are_shares_by_arm() -> None:
    rows = [
        ("r1", "1", "A", "B", "a", SHOWN), ("r2", "1", "B", "A", "tie", SHOWN),
        ("r1", "2", "B", "A", "b", SHOWN), ("r1", "1", "A", "B", "b", HIDDEN),
        ("r2", "2", "A", "B", "a", HIDDEN), ("r3", "2", "A", "B", "b", HIDDEN),
    ]  # fmt: skip
    names = ("rater", "case", "system_a", "system_b", "choice", "display")
    given = Preferences.from_rows(dict(zip(names, row, strict=True)) for row in rows)
    (pair,) = pairs_in_arms(given, {})
    assert [(one.display, one.comparisons, one.cases) for one in pair.arms] == [
        (HIDDEN, 3, 2), (SHOWN, 3, 2),
    ]  # fmt: skip
    hidden, shown = (one.win_difference for one in pair.arms)
    assert hidden == pytest.approx(-1 / 3)
    assert shown == pytest.approx(2 / 3)
    (apart,) = pair.differ
    assert (apart.display, apart.other) == (SHOWN, HIDDEN)
    assert apart.difference == pytest.approx(1.0)
    # Without case 1 the arms are 1 and 0, without case 2 they are 1/2 and -1: 1 and 3/2.
    assert apart.interval is not None
    half = 12.706204736 * np.sqrt(1 / 2 * ((1 - 1.25) ** 2 + (1.5 - 1.25) ** 2))
    assert apart.interval.high == pytest.approx(min(2.0, 1.0 + half))


def test_a_change_is_told_where_there_are_cases_enough() -> None:
    strong: dict[str | None, float] = {SHOWN: 0.9, HIDDEN: 0.3}
    found = DisplayArms(pairs_in_arms(compared(40, strong), {}))
    finding = arms_finding(found, Names())
    assert finding is not None
    assert finding.text.startswith("What is shown changes what raters prefer in 1 of 1 pair")
    few = arms_finding(DisplayArms(pairs_in_arms(compared(10, strong), {})), Names())
    assert few is not None
    assert "With under 20 cases in an arm it is not tested" in few.text
    assert {table.id for table in arms_tables(found, Names())} == set(finding.basis)


def test_clusters_widen_the_interval() -> None:
    given = compared(40, {SHOWN: 0.7, HIDDEN: 0.5})
    every = {f"c{case:03}": str(case // 8) for case in range(40)}
    alone, together = (pairs_in_arms(given, clusters)[0].arms[0] for clusters in ({}, every))
    assert alone.win_difference == together.win_difference
    assert alone.interval != together.interval


def test_one_arm_alone_is_no_factor() -> None:
    assert pairs_in_arms(compared(5, {SHOWN: 0.5, None: 0.5}), {}) == ()


def test_differences_share_a_correction() -> None:
    given = compared(40, {"one": 0.9, "two": 0.3, "three": 0.6})
    (pair,) = pairs_in_arms(given, {})
    assert [one.other for one in pair.differ] == ["one", "one"]
    assert all(one.p_adjusted is not None for one in pair.differ)
