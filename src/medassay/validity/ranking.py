"""What a leaderboard says."""

from collections.abc import Hashable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from medassay.annotations import DesignName, PValue, RankEnd, SystemName, TestWords, Words, record
from medassay.api_checks import Draws, Level, checked, table_text
from medassay.exhibits.drawing import Dotted, plot_intervals
from medassay.exhibits.numbers import Style, bounds, bounds_title
from medassay.scores import Grid
from medassay.stats import (
    AT_ONCE_FROM,
    CaseAdjustment,
    Interval,
    PairedDifference,
    Reliability,
    bootstrap_counts,
    compact_letters,
    compare_all_pairs,
    could_outweigh,
    draws_for,
    holm,
    max_t,
    means_over_cases,
    pair_index,
    rank_ranges,
    rank_sets,
    ranks,
    reliability_of_means,
    without_tail,
)
from medassay.stats.allotted import Allotted, RandomCases, compare_allotted
from medassay.stats.intervals import group_labels, sums_by_cluster
from medassay.stats.randomness import Rng, as_generator
from medassay.validity.source import Direction, Source, in_canonical_order

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@record(infers=False)
class LeaderboardRow:
    """Where one system stands.

    Attributes:
        source: The column of scores.
        system: Its id.
        mean: Over its known cases; None without any.
        interval: Of the mean, over new cases; None where undefined.
        n: Known cases.
        missing: Cases of the source that this system was asked and has no value for.
        rank: Place by the mean, by the adjusted one where there is one, ties sharing the best; None
            without a mean, where no direction is better, or where no case links the systems.
        rank_low: Best place in the central share of the case resamples, or from twelve systems on
            in the set that holds at once with all others (`stats.rank_sets`); None where rank is.
        rank_high: Worst place in it.
        letters: Two systems share a letter exactly when their order is undecided.
        reason: Why something is None; empty where nothing is.
        adjusted: What the mean would be over all cases of the leaderboard, by the fit of
            `stats.CaseAdjustment`; None where all systems have the same cases, or none links them.
            Where systems had unlike raters, what it would be had all met the same
            (`RaterAdjustment`); where cases were allotted by chance, by `stats.RandomCases`.
        adjusted_for: What `adjusted` takes out.
        never_answered: Answers never given that the metric scored by its own rule, among n.
        mean_given: The mean without them; None where there are none.
        not_asked: Ranking cases that this system was not asked: it misses no value there.
    """

    source: DesignName
    system: SystemName
    mean: float | None
    interval: Interval | None
    n: int
    missing: int
    rank: int | None
    rank_low: RankEnd | None
    rank_high: RankEnd | None
    letters: TestWords
    reason: Words = ""
    adjusted: float | None = None
    adjusted_for: Literal["cases", "raters", "allotted cases"] = "cases"
    never_answered: int = 0
    mean_given: float | None = None
    not_asked: int = 0


@record(infers=True)
class Comparison:
    """Two systems by one source, over the cases that both have.

    Where cases were allotted by chance, over those that either has (`alone` counts the others).

    Attributes:
        source: The name of the source.
        system_a: The system that stands higher in the table.
        system_b: The other.
        difference: Mean of a minus mean of b, in the source's own unit.
        interval: Of the difference, for this pair alone.
        p: Two-sided: of sign flips; where cases were allotted by chance as `method` says.
        p_adjusted: p adjusted over all pairs of the leaderboard, by the largest statistic or by
            Holm's steps (`rank_systems`, `rank_allotted`, `RaterAdjustment`).
        p_lead: What a lead must pass too: p_adjusted, if a long tail of losses is taken for longer
            than it shows (`stats.without_tail`); None where no larger, or where p is not of signs.
        method: How p was had; empty where it could not be.
        minimal_detectable_effect: The difference that such a comparison finds with 80% power, see
            `stats.compare_paired`; for this pair alone, unadjusted.
        n: Common cases.
        reason: Why something is None; empty where nothing is.
        alone: Cases that one of the two alone has, where they count too.
        clusters: Clusters of these cases, cases in none each alone; None where the study has none.
    """

    source: DesignName
    system_a: SystemName
    system_b: SystemName
    difference: float | None
    interval: Interval | None
    p: PValue | None
    p_adjusted: PValue | None
    method: Words
    minimal_detectable_effect: PValue | None
    n: int
    reason: Words = ""
    alone: int = 0
    clusters: int | None = None
    p_lead: PValue | None = None

    @property
    def seen(self) -> int:
        """Count what may show a loss: cases, or clusters, since a cluster may share one."""
        cases = self.n + self.alone // 2
        return cases if self.clusters is None else min(cases, self.clusters)

    def may_reverse(
        self, low: float | None, high: float | None, systems: int, *, level: float = 0.05
    ) -> bool:
        """Say whether so few cases could hide losses on this scale that outweigh the difference.

        It is one pair of so many systems, tested at this level. Either cases show a tail of such
        losses, and not all of it (`p_lead`); or they need not show any (`stats.could_outweigh`).
        Where the scale lacks an end nothing bounds a loss of which none was seen.
        """
        if self.p_lead is not None and self.p_lead > level:
            return True
        if self.difference is None or low is None or high is None or low >= high:
            return False
        return could_outweigh(
            self.difference, high - low, self.seen, self.interval, systems=systems
        )


@dataclass(frozen=True, slots=True, repr=False)
class Leaderboard:
    """All systems under one source.

    Attributes:
        source: Its name.
        direction: Which way is better.
        standings: Best first; ties by id; systems without a value last.
        comparisons: Every pair of systems with a value.
        reliability: The share of the variance of the means that is not luck of the cases.
        n_cases: Cases in which any system has a value.
    """

    source: str
    direction: Direction
    standings: tuple[LeaderboardRow, ...]
    comparisons: tuple[Comparison, ...]
    reliability: Reliability
    n_cases: int

    def plot(self, ax: "Axes | None" = None) -> "Axes":
        """Draw each system's mean with its interval, the best on top.

        Args:
            ax: Axes of matplotlib to draw on; those of a new figure if not given.
        """
        rows = [Dotted(row.system, row.mean, row.interval) for row in self.standings]
        return plot_intervals(rows, self.source, ax)

    def __repr__(self) -> str:
        """Print a system a line, with its interval and the ranks that it may have."""
        style = Style(2)
        rows = [
            (
                row.system,
                row.reason if row.mean is None else style(row.mean),
                bounds(row.interval, style) or "none",
                _rank_words(row),
                row.letters,
                f"{row.n:,}",
            )
            for row in self.standings
        ]
        interval = bounds_title(row.interval for row in self.standings)
        header = ("system", "mean", interval, "places", "letters", "cases")
        better = "" if self.direction == "none" else f", {self.direction} is better"
        headline = f"Leaderboard of {self.source}{better}: {self.n_cases:,} cases"
        return table_text(headline, header, rows, ".standings")


def _rank_words(row: LeaderboardRow) -> str:
    if row.rank_low is None or row.rank_low == row.rank_high:
        return "" if row.rank_low is None else str(row.rank_low)
    return f"{row.rank_low} to {row.rank_high}"


def unranked(board: Leaderboard, why: str) -> Leaderboard:
    """Take ranks and tests from a leaderboard, and say why; means and their intervals stay.

    Systems stand by their ids, since the order of their means is what cannot be borne out.

    Example:
        >>> from medassay.stats import Reliability
        >>> one = LeaderboardRow("mean", "B", 2.0, None, 3, 0, 1, 1, 1, "a")
        >>> board = Leaderboard("mean", "higher", (one,), (), Reliability(None, 1), 3)
        >>> [(s.rank, s.letters, s.reason) for s in unranked(board, "unlike raters").standings]
        [(None, '', 'unlike raters')]
    """
    standings = [
        replace(
            row,
            rank=None,
            rank_low=None,
            rank_high=None,
            letters="",
            adjusted=None,
            reason=why,
        )
        for row in sorted(
            board.standings,
            key=lambda row: (row.mean is None, row.system),
        )
    ]
    comparisons = [
        replace(
            comparison,
            difference=None,
            interval=None,
            p=None,
            p_adjusted=None,
            method="",
            minimal_detectable_effect=None,
            reason=why,
        )
        for comparison in board.comparisons
    ]
    return replace(board, standings=tuple(standings), comparisons=tuple(comparisons))


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


def rank_allotted(ranking: Ranking, grid: Grid, present: int, rng: np.random.Generator) -> Ranked:
    """Compare and rank by means with cases as a random effect (`stats.allotted`).

    A rank's range is that of these means over resampled cases, where each case counts with what it
    adds to them; of many systems it is a set that holds with all others (`sets_of`).

    Args:
        ranking: How.
        grid: Systems best first, those without a value last; no case without any value.
        present: Systems that have a value.
        rng: The source of randomness.
    """
    found = compare_allotted(
        grid.values[:present],
        grid.known[:present],
        rng=rng,
        clusters=ranking.clusters,
        level=ranking.level,
    )
    first, second = (column.tolist() for column in pair_index(present))
    comparisons = tuple(
        Comparison(
            source=ranking.source,
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
    places = _allotted_places(ranking, found, comparisons, rng)
    return Ranked(comparisons, tuple(found.means.tolist()), places)


def sets_of(
    comparisons: Sequence[Comparison],
    rank: Sequence[int],
    *,
    higher: bool,
    level: float,
    ends: tuple[float | None, float | None] | None = None,
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Give the best and worst place of each system, all at once, by the tests of all pairs.

    Where ends are given, a pair whose difference rare large losses could reverse is undecided.

    Args:
        comparisons: Every pair, in the order of `stats.pair_index`.
        rank: Each system's place.
        higher: Whether the largest mean takes place 1.
        level: How surely all sets hold.
        ends: Of the scale; None where tests alone decide.
    """
    return rank_sets(
        [pair.difference or 0.0 for pair in comparisons],
        [
            pair.p_adjusted is not None
            and pair.p_adjusted <= 1 - level
            and not (ends and pair.may_reverse(*ends, len(rank), level=1 - level))
            for pair in comparisons
        ],
        rank,
        higher_is_better=higher,
    )


def _allotted_places(
    ranking: Ranking,
    found: Allotted,
    comparisons: Sequence[Comparison],
    rng: np.random.Generator,
) -> tuple[_Places, ...]:
    if ranking.direction == "none":
        return ((None, None, None),) * len(found.means)
    higher = ranking.direction == "higher"
    rank = ranks(found.means, higher_is_better=higher, decimals=ranking.decimals)
    if len(rank) >= AT_ONCE_FROM:
        low, high = sets_of(comparisons, rank.tolist(), higher=higher, level=ranking.level)
    else:
        drawn = bootstrap_counts(len(found.pulled), ranking.replicates, rng, None) - 1.0
        moved = found.means + drawn @ found.pulled
        shown = moved if ranking.decimals is None else np.round(moved, ranking.decimals)
        low, high = rank_ranges(shown, higher_is_better=higher, level=ranking.level)
    return tuple(zip(rank.tolist(), low.tolist(), high.tolist(), strict=True))


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
    ranking = Ranking(source.name, source.direction, of_case, replicates, level, decimals)
    rank = rank_allotted if random_cases else _rank_shared
    ranked = rank(ranking, grid, present, rng)
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


def _rank_shared(ranking: Ranking, grid: Grid, present: int, rng: np.random.Generator) -> Ranked:
    """Compare every two systems on the cases that both have, and rank all by the additive fit."""
    compared = compare_all_pairs(
        grid.values[:present],
        grid.known[:present],
        rng=rng,
        clusters=ranking.clusters,
        permutations=draws_for(present * (present - 1) // 2),
        level=ranking.level,
    )
    adjusted_p, p_lead = _adjusted_p(grid, present, compared, ranking, rng.spawn(1)[0])
    comparisons = _comparisons(
        ranking.source, grid.systems, compared, (adjusted_p, p_lead), present
    )
    adjustment = CaseAdjustment(grid.known[:present])
    places = _places(ranking, grid, adjustment, comparisons, rng)
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
    ranking: Ranking,
    rng: np.random.Generator,
) -> tuple[list[float], list[float | None]]:
    """Adjust the p of pairs that have one: none falls under its own. Beside it what a lead asks."""
    tested = [pair.p is not None for pair in compared]
    first, second = (side[tested] for side in pair_index(present))
    p = np.array([pair.p for pair in compared if pair.p is not None])
    values, both = np.where(grid.known, grid.values, 0.0), grid.known[first] & grid.known[second]
    differences = np.where(both, values[first] - values[second], 0.0)
    kept, p_left = (
        each[tested]
        for each in without_tail(values[:present], grid.known[:present], ranking.clusters)
    )
    if draws_for(len(compared)) is None:
        adjusted, lead = holm(p), holm(np.maximum(p, p_left))
    else:
        sums, again = sums_by_cluster(differences, ranking.clusters), deepcopy(rng)
        adjusted = np.maximum(p, max_t(sums, rng=rng))
        # Where no test stands no lead is said, and nothing more is asked of it.
        asked = (adjusted <= 1 - ranking.level) & (kept < 1)
        lead = adjusted
        if asked.any():
            lead = np.maximum(adjusted, max_t(sums, rng=again, kept=kept))
    more = [b if b > a else None for a, b in zip(adjusted.tolist(), lead.tolist(), strict=True)]
    return adjusted.tolist(), more


def _comparisons(
    source: str,
    systems: tuple[str, ...],
    compared: list[PairedDifference],
    adjusted: tuple[list[float], list[float | None]],
    present: int,
) -> tuple[Comparison, ...]:
    both = zip(*adjusted, strict=True)
    first, second = pair_index(present)
    return tuple(
        Comparison(
            source=source,
            system_a=systems[i],
            system_b=systems[j],
            difference=pair.difference,
            interval=pair.interval,
            p=pair.p,
            p_adjusted=p_adjusted,
            method=pair.p_method or "",
            minimal_detectable_effect=pair.minimal_detectable_effect,
            n=pair.n,
            reason=pair.undefined,
            p_lead=p_lead,
        )
        for i, j, pair, (p_adjusted, p_lead) in zip(
            first.tolist(),
            second.tolist(),
            compared,
            ((None, None) if pair.p is None else next(both) for pair in compared),
            strict=True,
        )
    )


def _told_apart(
    comparisons: tuple[Comparison, ...], present: int, level: float
) -> NDArray[np.bool_]:
    different = np.zeros((present, present), dtype=np.bool_)
    different_pairs = [c.p_adjusted is not None and c.p_adjusted <= 1 - level for c in comparisons]
    different[pair_index(present)] = different_pairs
    return different | different.T


def _places(
    ranking: Ranking,
    grid: Grid,
    adjustment: CaseAdjustment,
    comparisons: Sequence[Comparison],
    rng: np.random.Generator,
) -> list[tuple[int | None, int | None, int | None]]:
    present = len(adjustment.known)
    if ranking.direction == "none" or not adjustment.linked:
        return [(None, None, None)] * present
    values = grid.values[:present]
    higher = ranking.direction == "higher"
    means = adjustment.means(values[None])[0]
    rank = ranks(means, higher_is_better=higher, decimals=ranking.decimals)
    if present >= AT_ONCE_FROM:
        low, high = sets_of(comparisons, rank.tolist(), higher=higher, level=ranking.level)
    else:
        # A system alone is first in every resample.
        drawn = ranking.replicates if present > 1 else 1
        counts = bootstrap_counts(len(grid.cases), drawn, rng, ranking.clusters)
        resampled, step = adjustment.compared_in(values, counts)
        if ranking.decimals is not None:
            resampled, step = np.round(resampled, ranking.decimals), 0.0
        low, high = rank_ranges(resampled, higher_is_better=higher, level=ranking.level, step=step)
    return list(zip(rank.tolist(), low.tolist(), high.tolist(), strict=True))
