"""Leaderboards laid out: each system's place by each column, and each pair compared."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from medassay.analyses import results as r
from medassay.analyses.means import within_scale
from medassay.analyses.score_columns import ranking_cases
from medassay.scores import ScoreTable
from medassay.stats import Interval
from medassay.study.folder import Study
from medassay.validity import Comparison, Leaderboard, LeaderboardRow

__all__ = ["comparison_results", "leaderboard_rows"]


def leaderboard_rows(
    study: Study,
    scores: ScoreTable,
    boards: dict[str, Leaderboard],
    sources: Sequence[r.SourceResult],
) -> list[r.LeaderboardRow]:
    """Lay out the leaderboards, with the means over given answers beside where some are missing.

    A t interval does not know where a scale ends; it is cut there, and its method says so. Nor does
    the additive fit behind a mean adjusted by case, which is cut there too.
    """
    bounds = {source.name: (source.low, source.high) for source in sources}
    cases = ranking_cases(study)
    never = {
        system: np.array([study.answers.get(system, case) is None for case in cases], dtype=bool)
        for system in study.systems
    }
    return [
        _standing(
            leaderboard_row,
            board.source,
            bounds[board.source],
            _given_only(
                scores, board.source, leaderboard_row.system, cases, never[leaderboard_row.system]
            ),
        )
        for board in boards.values()
        for leaderboard_row in board.standings
    ]


def comparison_results(boards: dict[str, Leaderboard]) -> list[Comparison]:
    """Give every pair of systems by every column."""
    return [comparison for board in boards.values() for comparison in board.comparisons]


def _standing(
    leaderboard_row: LeaderboardRow,
    source: str,
    bounds: tuple[float | None, float | None],
    given_only: tuple[int, float | None],
) -> r.LeaderboardRow:
    never, given = given_only
    return r.LeaderboardRow(
        source=source,
        system=leaderboard_row.system,
        mean=leaderboard_row.mean,
        reason=leaderboard_row.undefined,
        interval=_cut(leaderboard_row.interval, *bounds),
        n=leaderboard_row.n,
        missing=leaderboard_row.missing,
        never_answered=never,
        mean_given=given,
        rank=leaderboard_row.rank,
        rank_low=leaderboard_row.rank_low,
        rank_high=leaderboard_row.rank_high,
        letters=leaderboard_row.letters,
        adjusted=within_scale(leaderboard_row.adjusted, *bounds),
        adjusted_for=leaderboard_row.adjusted_for,
    )


def _cut(interval: Interval | None, low: float | None, high: float | None) -> Interval | None:
    if interval is None:
        return None
    below = interval.low if low is None else max(interval.low, low)
    above = interval.high if high is None else min(interval.high, high)
    if (below, above) == (interval.low, interval.high):
        return interval
    method = f"{interval.method}, cut at the scale"
    return replace(interval, low=below, high=above, method=method)


def _given_only(
    scores: ScoreTable, source: str, system: str, cases: Sequence[str], never: NDArray[np.bool_]
) -> tuple[int, float | None]:
    """Count answers never given that a metric scored all the same, and the mean without them."""
    if source not in scores.sources or not never.any():
        return 0, None
    grid = scores.grid(source, [system], cases)
    counted = int((never & grid.known[0]).sum())
    kept = list(grid.values[0, grid.known[0] & ~never])
    return counted, float(sum(kept) / len(kept)) if counted and kept else None
