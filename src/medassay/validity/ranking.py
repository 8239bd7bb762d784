"""The leaderboard of one source: means, the places that cases bear out, who is ahead of whom."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from medassay.scores import Grid
from medassay.stats import (
    CaseAdjustment,
    PairedDifference,
    bootstrap_counts,
    compact_letters,
    compare_all_pairs,
    draws_for,
    holm,
    means_over_cases,
    pair_index,
    rank_ranges,
    ranks,
    reliability_of_means,
)
from medassay.stats.clusters import group_labels
from medassay.stats.seeding import Rng, as_generator
from medassay.surface import Draws, Level, checked
from medassay.validity.leaderboard import Comparison, Leaderboard, LeaderboardRow
from medassay.validity.source import Direction, Source, in_canonical_order

__all__ = ["rank_systems"]


@checked
def rank_systems(
    source: Source,
    *,
    rng: Rng,
    clusters: Mapping[str, str] | None = None,
    replicates: Draws = 10_000,
    level: Level = 0.95,
    decimals: int | None = None,
) -> Leaderboard:
    """Who is ahead of whom, and how far would new cases change that?

    Means with t intervals; places by the means, with the range they take over bootstrap resamples
    of the cases. Where not every system has every case places go by means adjusted by case
    (`stats.CaseAdjustment`), so that nobody is ahead for having had the easy ones; where no case
    links the systems there are none.

    All paired differences, over the cases that both have, with sign-flip p values, Holm-adjusted
    over the pairs. The letters read off the adjusted tests at 1 - level. As many sign patterns are
    drawn as it takes for the smallest adjusted p to fall well below .05 (at least 100 a pair); from
    46 systems on all patterns are counted instead (`stats.draws_for`), and no p is a matter of
    chance.

    Args:
        source: The scores. Cases in which no system has a value are left out.
        rng: The source of randomness.
        clusters: Case to cluster; a case that is not named is a cluster alone.
        replicates: Bootstrap resamples for the range of places.
        level: Coverage of the intervals and ranges.
        decimals: Round means to so many decimals before ranking, as published tables do. The means
            themselves stay as they are.

    Returns:
        The leaderboard; the same whatever order systems and cases come in.

    Example:
        >>> values = np.array([[3.0, 4.0, 5.0, 4.0], [1.0, 2.0, 2.0, 0.0]])
        >>> grid = Grid(("A", "B"), ("1", "2", "3", "4"), values, values >= 0)
        >>> board = rank_systems(Source("rouge1", grid), rng=1)
        >>> [(s.system, s.mean, s.rank, s.letters) for s in board.standings]  # p is 2/16 at best
        [('A', 4.0, 1, 'a'), ('B', 1.25, 2, 'a')]
    """
    rng = as_generator(rng)
    grid = _ranked_grid(in_canonical_order(source.grid), source.direction, decimals)
    of_case = None if clusters is None else group_labels(grid.cases, clusters)
    means = means_over_cases(
        grid.values, grid.known, clusters=of_case, bounds=source.bounds, level=level
    )
    present = int(grid.known.any(axis=1).sum())
    pairs = present * (present - 1) // 2
    compared = compare_all_pairs(
        grid.values[:present],
        grid.known[:present],
        rng=rng,
        clusters=of_case,
        permutations=draws_for(pairs),
        level=level,
    )
    comparisons = _comparisons(source.name, grid.systems, compared, present)
    letters = compact_letters(_told_apart(comparisons, present, level))
    # A system alone is first in every resample.
    drawn = replicates if present > 1 else 1
    counts = bootstrap_counts(len(grid.cases), drawn, rng, of_case)
    adjustment = CaseAdjustment(grid.known[:present])
    places = _places(grid, adjustment, source.direction, decimals, counts, level)
    adjusted: list[float | None] = [None] * len(grid.systems)
    if present and not adjustment.complete and adjustment.linked:
        adjusted[:present] = adjustment.means(grid.values[None, :present])[0].tolist()
    standings = [
        LeaderboardRow(
            source.name,
            system,
            mean.mean,
            mean.interval,
            mean.n,
            missing,
            *(places[i] if i < present else (None, None, None)),
            letters[i] if i < present else "",
            mean.undefined or adjustment.undefined,
            adjusted[i],
        )
        for i, (system, mean, missing) in enumerate(
            zip(grid.systems, means, grid.missing.sum(axis=1).tolist(), strict=True)
        )
    ]
    return Leaderboard(
        source.name,
        source.direction,
        tuple(standings),
        comparisons,
        reliability_of_means(grid.values, grid.known, clusters=of_case),
        len(grid.cases),
    )


def _ranked_grid(grid: Grid, direction: Direction, decimals: int | None) -> Grid:
    """Put the best system first, those without a value last; leave out cases without any value."""
    used = np.flatnonzero(grid.known.any(axis=0))
    known = grid.known[:, used]
    values = np.where(known, grid.values[:, used], 0.0)
    cases = tuple(grid.cases[k] for k in used.tolist())
    present = np.flatnonzero(known.any(axis=1))
    absent = np.flatnonzero(~known.any(axis=1))
    adjustment = CaseAdjustment(known[present])
    means = values[present].sum(axis=1) / known[present].sum(axis=1)
    if adjustment.linked and not adjustment.complete:
        means = adjustment.means(values[None, present])[0]
    place = ranks(means, higher_is_better=direction != "lower", decimals=decimals)
    order = np.concatenate([present[np.argsort(place, kind="stable")], absent])
    asked = None if grid.asked is None else grid.asked[:, used][order]
    return Grid(tuple(grid.systems[i] for i in order), cases, values[order], known[order], asked)


def _comparisons(
    source: str, systems: tuple[str, ...], compared: list[PairedDifference], present: int
) -> tuple[Comparison, ...]:
    adjusted = iter(holm([pair.p for pair in compared if pair.p is not None]).tolist())
    first, second = pair_index(present)
    return tuple(
        Comparison(
            source=source,
            system_a=systems[i],
            system_b=systems[j],
            difference=pair.difference,
            interval=pair.interval,
            p=pair.p,
            p_adjusted=None if pair.p is None else next(adjusted),
            method=pair.p_method or "",
            minimal_detectable_effect=pair.minimal_detectable_effect,
            n=pair.n,
            reason=pair.undefined,
        )
        for i, j, pair in zip(first.tolist(), second.tolist(), compared, strict=True)
    )


def _told_apart(
    comparisons: tuple[Comparison, ...], present: int, level: float
) -> NDArray[np.bool_]:
    different = np.zeros((present, present), dtype=np.bool_)
    different_pairs = [c.p_adjusted is not None and c.p_adjusted <= 1 - level for c in comparisons]
    different[pair_index(present)] = different_pairs
    return different | different.T


def _places(
    grid: Grid,
    adjustment: CaseAdjustment,
    direction: Direction,
    decimals: int | None,
    counts: NDArray[np.float64],
    level: float,
) -> list[tuple[int | None, int | None, int | None]]:
    present = len(adjustment.known)
    if direction == "none" or not adjustment.linked:
        return [(None, None, None)] * present
    values = grid.values[:present]
    higher = direction == "higher"
    resampled, step = adjustment.compared_in(values, counts)
    if decimals is not None:
        resampled, step = np.round(resampled, decimals), 0.0
    low, high = rank_ranges(resampled, higher_is_better=higher, level=level, step=step)
    means = adjustment.means(values[None])[0]
    rank = ranks(means, higher_is_better=higher, decimals=decimals)
    return list(zip(rank.tolist(), low.tolist(), high.tolist(), strict=True))
