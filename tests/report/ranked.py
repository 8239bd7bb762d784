"""The leaderboards of a made-up run, to be changed row by row."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from medassay.analyses.builtin.leaderboards import leaderboards, leaderboards_in, ordered
from medassay.analyses.builtin.leaderboards.tables import leaderboard
from medassay.analyses.results import Results
from medassay.analyses.results.whole import Records
from medassay.exhibits import Table
from medassay.report.names import Names
from medassay.validity import Comparison, LeaderboardRow, WithinMargin

__all__ = [
    "best_first",
    "board_by",
    "changed_rows",
    "rows_of",
    "with_margins",
    "with_pairs",
    "with_rows",
]


def rows_of(results: Results) -> tuple[LeaderboardRow, ...]:
    """Give every system by every column."""
    return leaderboards_in(results.analyses).standings


def best_first(results: Results, source: str) -> list[LeaderboardRow]:
    """Give the systems by one column in their order."""
    return ordered(leaderboards_in(results.analyses), Names(results), source)


def board_by(results: Results, source: str) -> Table:
    """Lay out the leaderboard by one column."""
    names = Names(results)
    return leaderboard(leaderboards_in(results.analyses), names, names.sources[source])


def with_rows(results: Results, rows: Iterable[LeaderboardRow]) -> Results:
    """Put other rows in their place."""
    return _with(results, standings=tuple(rows))


def with_pairs(results: Results, pairs: Iterable[Comparison]) -> Results:
    """Put other pairs in their place."""
    return _with(results, comparisons=tuple(pairs))


def with_margins(results: Results, margins: Iterable[WithinMargin]) -> Results:
    """Put what lies within a margin in its place."""
    return _with(results, margins=tuple(margins))


def changed_rows(results: Results, change: Callable[[LeaderboardRow], dict[str, Any]]) -> Results:
    """Change every row."""
    return with_rows(results, [replace(row, **change(row)) for row in rows_of(results)])


def _with(results: Results, **parts: Any) -> Results:  # noqa: ANN401 - rows or pairs
    found = replace(leaderboards_in(results.analyses), **parts)
    records = Records({**results.analyses, leaderboards.id: found})
    return results.model_copy(update={"analyses": records})
