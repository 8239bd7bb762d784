"""The leaderboard of one source: means, the places that cases bear out, who is ahead of whom."""

from collections.abc import Hashable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from medassay.scores import Grid
from medassay.stats import (
    AT_ONCE_FROM,
    CaseAdjustment,
    PairedDifference,
    bootstrap_counts,
    compact_letters,
    compare_all_pairs,
    draws_for,
    holm,
    max_t,
    means_over_cases,
    pair_index,
    rank_ranges,
    ranks,
    reliability_of_means,
)
from medassay.stats.allotted import RandomCases
from medassay.stats.clusters import group_labels, sums_by_cluster
from medassay.stats.randomness import Rng, as_generator
from medassay.surface import Draws, Level, checked
from medassay.validity.leaderboard import Comparison, Leaderboard, LeaderboardRow
from medassay.validity.rank_allotted import Ranked, Ranking, rank_allotted, sets_of
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
    by_chance: bool = False,
) -> Leaderboard:
    """Who is ahead of whom, and how far would new cases change that?

    Means with t intervals; places by the means, with the range they take over bootstrap resamples
    of the cases. From twelve systems on a range is what the tests of all pairs leave open, and all
    ranges hold at once (`stats.rank_sets`). Where not every system has every case places go by
    means adjusted by case (`stats.CaseAdjustment`), so that nobody is ahead for having had the easy
    ones; where no case links the systems there are none.

    All paired differences, over the cases that both have, with sign-flip p values, adjusted over
    the pairs by the largest statistic (`stats.max_t`). The letters read off the adjusted tests at
    1 - level. From 46 systems on all patterns of signs are counted instead (`stats.draws_for`), no
    p is a matter of chance, and Holm's steps adjust them.

    Where chance decided which system met which case, and not every system met every one, all cases
    that either of two systems has compare them (`rank_allotted`), shared or not.

    Args:
        source: The scores. Cases in which no system has a value are left out.
        rng: The source of randomness.
        clusters: Case to cluster; a case that is not named is a cluster alone.
        replicates: Bootstrap resamples for the range of places of fewer systems.
        level: Coverage of the intervals and ranges.
        decimals: Round means to so many decimals before ranking, as published tables do. The means
            themselves stay as they are.
        by_chance: Whether cases were allotted to systems by chance.

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
    random_cases = by_chance and not _complete(source.grid)
    grid = _ranked_grid(
        in_canonical_order(source.grid), source.direction, decimals, random_cases=random_cases
    )
    of_case = None if clusters is None else group_labels(grid.cases, clusters)
    means = means_over_cases(
        grid.values, grid.known, clusters=of_case, bounds=source.bounds, level=level
    )
    present = int(grid.known.any(axis=1).sum())
    asked = Ranking(source.name, source.direction, of_case, replicates, level, decimals)
    rank = rank_allotted if random_cases else _rank_shared
    ranked = rank(asked, grid, present, rng)
    letters = compact_letters(_told_apart(ranked.comparisons, present, level))
    standings = [
        LeaderboardRow(
            source.name,
            system,
            mean.mean,
            mean.interval,
            mean.n,
            missing,
            *(ranked.places[i] if i < present else (None, None, None)),
            letters[i] if i < present else "",
            mean.undefined or ranked.undefined,
            ranked.adjusted[i] if i < present else None,
            "allotted cases" if random_cases else "cases",
        )
        for i, (system, mean, missing) in enumerate(
            zip(grid.systems, means, grid.missing.sum(axis=1).tolist(), strict=True)
        )
    ]
    return Leaderboard(
        source.name,
        source.direction,
        tuple(standings),
        ranked.comparisons,
        reliability_of_means(grid.values, grid.known, clusters=of_case),
        len(grid.cases),
    )


def _complete(grid: Grid) -> bool:
    """Say whether every system that has a case has every one that any has."""
    return CaseAdjustment(grid.known[grid.known.any(axis=1)]).complete


def _rank_shared(asked: Ranking, grid: Grid, present: int, rng: np.random.Generator) -> Ranked:
    """Compare every two systems on the cases that both have, and rank all by the additive fit."""
    compared = compare_all_pairs(
        grid.values[:present],
        grid.known[:present],
        rng=rng,
        clusters=asked.clusters,
        permutations=draws_for(present * (present - 1) // 2),
        level=asked.level,
    )
    adjusted_p = _adjusted_p(grid, present, compared, asked.clusters, rng.spawn(1)[0])
    comparisons = _comparisons(asked.source, grid.systems, compared, adjusted_p, present)
    adjustment = CaseAdjustment(grid.known[:present])
    places = _places(asked, grid, adjustment, comparisons, rng)
    adjusted: list[float | None] = [None] * present
    if present and not adjustment.complete and adjustment.linked:
        adjusted = adjustment.means(grid.values[None, :present])[0].tolist()
    return Ranked(comparisons, tuple(adjusted), tuple(places), adjustment.undefined)


def _ranked_grid(
    grid: Grid, direction: Direction, decimals: int | None, *, random_cases: bool
) -> Grid:
    """Put the best system first, those without a value last; leave out cases without any value."""
    used = np.flatnonzero(grid.known.any(axis=0))
    known = grid.known[:, used]
    values = np.where(known, grid.values[:, used], 0.0)
    cases = tuple(grid.cases[k] for k in used.tolist())
    present = np.flatnonzero(known.any(axis=1))
    absent = np.flatnonzero(~known.any(axis=1))
    adjustment = CaseAdjustment(known[present])
    means = values[present].sum(axis=1) / known[present].sum(axis=1)
    if random_cases:
        means = RandomCases.of(values[present], known[present]).means
    elif adjustment.linked and not adjustment.complete:
        means = adjustment.means(values[None, present])[0]
    place = ranks(means, higher_is_better=direction != "lower", decimals=decimals)
    order = np.concatenate([present[np.argsort(place, kind="stable")], absent])
    asked = None if grid.asked is None else grid.asked[:, used][order]
    return Grid(tuple(grid.systems[i] for i in order), cases, values[order], known[order], asked)


def _adjusted_p(
    grid: Grid,
    present: int,
    compared: list[PairedDifference],
    of_case: Sequence[Hashable] | None,
    rng: np.random.Generator,
) -> NDArray[np.float64]:
    """Adjust the p of pairs that have one: none falls under its own."""
    p = np.array([pair.p for pair in compared if pair.p is not None])
    if draws_for(len(compared)) is None:
        return holm(p)
    first, second = (
        side[[pair.p is not None for pair in compared]] for side in pair_index(present)
    )
    values, known = np.where(grid.known, grid.values, 0.0), grid.known
    differences = np.where(known[first] & known[second], values[first] - values[second], 0.0)
    adjusted: NDArray[np.float64] = np.maximum(
        p, max_t(sums_by_cluster(differences, of_case), rng=rng)
    )
    return adjusted


def _comparisons(
    source: str,
    systems: tuple[str, ...],
    compared: list[PairedDifference],
    adjusted_p: NDArray[np.float64],
    present: int,
) -> tuple[Comparison, ...]:
    adjusted = iter(adjusted_p.tolist())
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
    asked: Ranking,
    grid: Grid,
    adjustment: CaseAdjustment,
    comparisons: Sequence[Comparison],
    rng: np.random.Generator,
) -> list[tuple[int | None, int | None, int | None]]:
    present = len(adjustment.known)
    if asked.direction == "none" or not adjustment.linked:
        return [(None, None, None)] * present
    values = grid.values[:present]
    higher = asked.direction == "higher"
    means = adjustment.means(values[None])[0]
    rank = ranks(means, higher_is_better=higher, decimals=asked.decimals)
    if present >= AT_ONCE_FROM:
        low, high = sets_of(comparisons, rank.tolist(), higher=higher, level=asked.level)
    else:
        # A system alone is first in every resample.
        drawn = asked.replicates if present > 1 else 1
        counts = bootstrap_counts(len(grid.cases), drawn, rng, asked.clusters)
        resampled, step = adjustment.compared_in(values, counts)
        if asked.decimals is not None:
            resampled, step = np.round(resampled, asked.decimals), 0.0
        low, high = rank_ranges(resampled, higher_is_better=higher, level=asked.level, step=step)
    return list(zip(rank.tolist(), low.tolist(), high.tolist(), strict=True))
