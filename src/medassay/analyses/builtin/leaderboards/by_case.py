"""Where means are adjusted by case, said where they stand."""

from collections.abc import Iterable, Sequence
from typing import Final

from medassay.exhibits.columns import Shown, shown
from medassay.exhibits.names import Names, ScoreColumn
from medassay.exhibits.numbers import Style
from medassay.validity import LeaderboardRow

__all__ = [
    "adjusted_column",
    "any_adjusted",
    "board_words",
    "lacks_value",
    "unranked_words",
]

_BY_CASE: Final = (
    "Where systems have values on different cases, adjusted is what the mean would be on all "
    "cases that any has (least squares, system + case, cut where the scale ends); order and "
    "ranks go by it. Groups compare every two systems on the cases that both have."
)
_ALLOTTED: Final = (
    "Cases were allotted by chance (study.toml), so all cases of each system count, shared or not: "
    "adjusted is the mean with cases as a random effect (cut where the scale ends); order, ranks "
    "and groups go by it."
)


def lacks_value(row: LeaderboardRow, names: Names) -> bool:
    """Say whether a system has no value on a ranking case that it was asked."""
    return row.n < names.cases - row.not_asked


def any_adjusted(chosen: Iterable[LeaderboardRow]) -> bool:
    """Say whether means adjusted by case order some of these systems."""
    return any(s.adjusted is not None for s in chosen)


def adjusted_column(style: Style) -> Shown[LeaderboardRow]:
    """Declare the column of means adjusted by case."""
    same = "All systems have the same cases: it is the mean."
    return shown("Adjusted", "adjusted", style, why_not=lambda row: row.reason or same)


def board_words(chosen: Iterable[LeaderboardRow]) -> str:
    """Say what the adjusted means of a leaderboard are; nothing where there are none."""
    each = list(chosen)
    if not any_adjusted(each):
        return ""
    lines = []
    if any(s.adjusted is not None and s.adjusted_for == "raters" for s in each):
        lines.append(
            "Where raters met the systems unevenly, adjusted is what the mean would be had all met "
            "the same raters (each as often as they judged the whole); order, ranks and groups go "
            "by it."
        )
    if any(s.adjusted is not None and s.adjusted_for == "cases" for s in each):
        lines.append(_BY_CASE)
    if any(s.adjusted is not None and s.adjusted_for == "allotted cases" for s in each):
        lines.append(_ALLOTTED)
    return " ".join(lines)


def unranked_words(chosen: Sequence[LeaderboardRow], source: ScoreColumn) -> str:
    """Say why nobody has a rank though there are means; nothing where there is no reason."""
    reason = next((s.reason for s in chosen if s.mean is not None and s.rank is None), "")
    return f"Nobody is ranked: {reason}." if reason and source.direction != "none" else ""
