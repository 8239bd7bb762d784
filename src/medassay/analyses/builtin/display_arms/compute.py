"""Win differences by arm of display, with intervals over cases or their clusters."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from medassay.analyses.builtin.display_arms.record import ArmOn, ArmsDiffer, PairInArms
from medassay.judgements import Preferences
from medassay.stats import holm, ratio_difference, ratio_mean

if TYPE_CHECKING:
    import polars as pl
    from numpy.typing import NDArray

__all__ = ["pairs_in_arms"]


def pairs_in_arms(preferences: Preferences, clusters: Mapping[str, str]) -> tuple[PairInArms, ...]:
    """Count each pair of systems in each arm; pairs that met one arm alone are left out.

    A rater who met the same pair in two arms counts in both.
    """
    import polars as pl

    rows = preferences.counted.filter(
        pl.col("choice").is_not_null() & pl.col("display").is_not_null()
    )
    won = pl.when(pl.col("winner").is_null()).then(0.0)
    rows = rows.with_columns(
        won=won.when(pl.col("winner") == pl.col("first")).then(1.0).otherwise(-1.0)
    )
    return _adjusted(tuple(_pairs(rows, clusters)))


def _pairs(rows: "pl.DataFrame", clusters: Mapping[str, str]) -> Iterator[PairInArms]:
    key = ["dimension", "first", "second"]
    for dimension, first, second in sorted(rows.select(key).unique().iter_rows()):
        mine = rows.filter(dimension=dimension, first=first, second=second)
        arms = sorted(mine["display"].unique())
        if len(arms) > 1:
            yield _pair((dimension, first, second), mine, arms, clusters)


def _pair(
    names: tuple[str, str, str],
    rows: "pl.DataFrame",
    arms: list[str],
    clusters: Mapping[str, str],
) -> PairInArms:
    cases = sorted(rows["case"].unique())
    place = {case: at for at, case in enumerate(cases)}
    named = [clusters.get(case, case) for case in cases] if clusters else None
    sums: list[NDArray[np.float64]] = []
    for arm in arms:
        mine = rows.filter(display=arm)
        at = np.array([place[case] for case in mine["case"]])
        count = np.bincount(at, minlength=len(cases)).astype(np.float64)
        won = np.bincount(at, mine["won"].to_numpy(), minlength=len(cases))
        sums.append(np.column_stack([won, count]))
    on = []
    for arm, of in zip(arms, sums, strict=True):
        estimate = ratio_mean(of, named)
        on.append(
            ArmOn(
                display=arm,
                comparisons=int(of[:, 1].sum()),
                cases=int(np.count_nonzero(of[:, 1])),
                win_difference=estimate.value,
                interval=estimate.interval,
                reason=estimate.undefined,
            )
        )
    differ = []
    for arm, of in zip(arms[1:], sums[1:], strict=True):
        estimate = ratio_difference(of, sums[0], named)
        differ.append(
            ArmsDiffer(
                arm, arms[0], estimate.value, estimate.interval, estimate.p, estimate.undefined
            )
        )
    return PairInArms(*names, tuple(on), tuple(differ))


def _adjusted(pairs: tuple[PairInArms, ...]) -> tuple[PairInArms, ...]:
    """Adjust the p of all differences for each other."""
    raw = [
        difference.p_adjusted
        for pair in pairs
        for difference in pair.differ
        if difference.p_adjusted is not None
    ]
    adjusted = iter(holm(raw).tolist() if raw else ())
    return tuple(
        replace(
            pair,
            differ=tuple(
                difference
                if difference.p_adjusted is None
                else replace(difference, p_adjusted=next(adjusted))
                for difference in pair.differ
            ),
        )
        for pair in pairs
    )
