"""What a leaderboard says."""

from dataclasses import dataclass, replace
from typing import Literal

from medassay.marks import DesignName, PValue, RankEnd, SystemName, TestWords, Words, record
from medassay.stats import Interval, Reliability
from medassay.surface import Brief
from medassay.validity.source import Direction

__all__ = ["Comparison", "Leaderboard", "LeaderboardRow", "unranked"]


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
        method: How p was had; empty where it could not be.
        minimal_detectable_effect: The difference that such a comparison finds with 80 % power, see
            `stats.compare_paired`; for this pair alone, unadjusted.
        n: Common cases.
        reason: Why something is None; empty where nothing is.
        alone: Cases that one of the two alone has, where they count too.
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


@dataclass(frozen=True, slots=True, repr=False)
class Leaderboard(Brief):
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
