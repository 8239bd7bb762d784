"""Rank systems whose cases were allotted by chance: every case of each of them counts."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from medassay.scores import Grid
from medassay.stats import (
    AT_ONCE_FROM,
    bootstrap_counts,
    pair_index,
    rank_ranges,
    rank_sets,
    ranks,
)
from medassay.stats.allotted import Allotted, compare_allotted
from medassay.validity.leaderboard import Comparison
from medassay.validity.source import Direction

__all__ = ["Ranked", "Ranking", "rank_allotted", "sets_of"]

_Places = tuple[int | None, int | None, int | None]


@dataclass(frozen=True, slots=True)
class Ranked:
    """What the systems with a value were found to be to one another, in the order of their rows.

    Attributes:
        comparisons: Every pair.
        adjusted: Means that order them, where these are not the plain ones.
        places: Rank, best and worst place.
        undefined: Why nothing compares them; empty where something does.
    """

    comparisons: tuple[Comparison, ...]
    adjusted: tuple[float | None, ...]
    places: tuple[_Places, ...]
    undefined: str = ""


@dataclass(frozen=True, slots=True)
class Ranking:
    """How systems are ranked.

    Attributes:
        source: The name of the column.
        direction: Which way is better.
        clusters: For each case the label of its cluster.
        replicates: Resamples for the ranges of ranks.
        level: Coverage of intervals and ranges.
        decimals: Means are rounded so before they are ranked.
    """

    source: str
    direction: Direction
    clusters: Sequence[Hashable] | None
    replicates: int
    level: float
    decimals: int | None


def rank_allotted(asked: Ranking, grid: Grid, present: int, rng: np.random.Generator) -> Ranked:
    """Compare and rank by means with cases as a random effect (`stats.allotted`).

    A rank's range is that of these means over resampled cases, where each case counts with what it
    adds to them; of many systems it is a set that holds with all others (`sets_of`).

    Args:
        asked: How.
        grid: Systems best first, those without a value last; no case without any value.
        present: Systems that have a value.
        rng: The source of randomness.
    """
    found = compare_allotted(
        grid.values[:present],
        grid.known[:present],
        rng=rng,
        clusters=asked.clusters,
        level=asked.level,
    )
    first, second = (column.tolist() for column in pair_index(present))
    comparisons = tuple(
        Comparison(
            source=asked.source,
            system_a=grid.systems[i],
            system_b=grid.systems[j],
            difference=pair.difference,
            interval=pair.interval,
            p=pair.p,
            p_adjusted=pair.p_adjusted,
            method=pair.method,
            minimal_detectable_effect=pair.minimal_detectable_effect,
            n=pair.n,
            reason=pair.undefined,
            alone=pair.alone,
        )
        for i, j, pair in zip(first, second, found.differences, strict=True)
    )
    places = _places(asked, found, comparisons, rng)
    return Ranked(comparisons, tuple(found.means.tolist()), places)


def sets_of(
    comparisons: Sequence[Comparison],
    rank: Sequence[int],
    *,
    higher: bool,
    level: float,
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Give the best and worst place of each system, all at once, by the tests of all pairs.

    Args:
        comparisons: Every pair, in the order of `stats.pair_index`.
        rank: Each system's place.
        higher: Whether the largest mean takes place 1.
        level: How surely all sets hold.
    """
    return rank_sets(
        [pair.difference or 0.0 for pair in comparisons],
        [pair.p_adjusted is not None and pair.p_adjusted <= 1 - level for pair in comparisons],
        rank,
        higher_is_better=higher,
    )


def _places(
    asked: Ranking,
    found: Allotted,
    comparisons: Sequence[Comparison],
    rng: np.random.Generator,
) -> tuple[_Places, ...]:
    if asked.direction == "none":
        return ((None, None, None),) * len(found.means)
    higher = asked.direction == "higher"
    rank = ranks(found.means, higher_is_better=higher, decimals=asked.decimals)
    if len(rank) >= AT_ONCE_FROM:
        low, high = sets_of(comparisons, rank.tolist(), higher=higher, level=asked.level)
    else:
        drawn = bootstrap_counts(len(found.pulled), asked.replicates, rng, None) - 1.0
        moved = found.means + drawn @ found.pulled
        shown = moved if asked.decimals is None else np.round(moved, asked.decimals)
        low, high = rank_ranges(shown, higher_is_better=higher, level=asked.level)
    return tuple(zip(rank.tolist(), low.tolist(), high.tolist(), strict=True))
