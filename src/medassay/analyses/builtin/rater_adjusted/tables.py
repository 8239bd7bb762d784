"""Means adjusted for raters beside the plain ones, and how severe each rater is."""

from collections.abc import Sequence
from typing import Final

from medassay.exhibits import Names, Style, Table, shown, table_of
from medassay.exhibits.cells import how
from medassay.exhibits.columns import counted, estimated, system_column
from medassay.exhibits.numbers import count_of, shown_p
from medassay.validity import AdjustedMean, RaterAdjusted

__all__ = ["adjusted_tables", "matters", "moved"]

_POINTS: Final = Style(2)
_ALPHA: Final = 0.05


def moved(mean: AdjustedMean) -> bool:
    """Say whether a system has another rank when adjusted."""
    return mean.rank != mean.adjusted_rank


def matters(adjustment: RaterAdjusted) -> bool:
    """Say whether who judged matters: the leaderboard goes by it, or it moves a rank.

    A rank that moves where no rater stands apart from all is the chance of who judged what.
    """
    apart = any(
        row.p_adjusted is not None and row.p_adjusted <= _ALPHA for row in adjustment.raters
    )
    return bool(adjustment.systems) and (
        adjustment.ranked or (apart and any(map(moved, adjustment.systems)))
    )


def adjusted_tables(dimensions: Sequence[RaterAdjusted], names: Names) -> list[Table]:
    """Lay out means and severities; none where no dimension could be adjusted."""
    adjusted = [adjustment for adjustment in dimensions if adjustment.systems]
    if not adjusted:
        return []
    return [_means(adjusted, names), _severities(adjusted, names)]


def _means(dimensions: Sequence[RaterAdjusted], names: Names) -> Table:
    """Put each system's mean and rank beside those that it had, had all met the same raters."""
    return table_of(
        (
            (names.of_dimension(adjustment.dimension), row)
            for adjustment in dimensions
            for row in adjustment.systems
        ),
        (
            system_column(names),
            shown("Mean", "mean", _POINTS),
            shown("Rank", "rank", str),
            estimated("Adjusted mean", "adjusted", _POINTS),
            shown("Adjusted rank", "adjusted_rank", str),
            counted("Labels", "labels"),
        ),
        id="rater-adjusted",
        title="Means adjusted for raters",
        caption=_caption(dimensions, names),
        grouped_by="dimension",
        stands="page" if any(map(matters, dimensions)) else "file",
    )


def _severities(dimensions: Sequence[RaterAdjusted], names: Names) -> Table:
    """List the raters, the mildest first."""
    return table_of(
        (
            (names.of_dimension(adjustment.dimension), row)
            for adjustment in dimensions
            for row in adjustment.raters
        ),
        (
            shown("Rater", "rater"),
            estimated("Severity", "severity", _POINTS),
            shown("Adjusted p", "p_adjusted", shown_p, why_not="reason"),
            counted("Labels", "labels"),
        ),
        id="rater-severities",
        title="How severe each rater is",
        caption="Points above (milder) or below (severer) all raters on the same answers, by the "
        "fit behind the adjusted means. Severity is known up to a constant: 0 is all raters of the "
        "dimension, each as often as they judged. "
        f"{how(row.interval for adjustment in dimensions for row in adjustment.raters)}",
        grouped_by="dimension",
        stands="file",
    )


def _caption(dimensions: Sequence[RaterAdjusted], names: Names) -> str:
    by_it = [
        names.of_dimension(adjustment.dimension) for adjustment in dimensions if adjustment.ranked
    ]
    went = (
        f" The leaderboard goes by the adjusted means on {', '.join(by_it)}, where chance rarely "
        "deals raters out as unevenly."
        if by_it
        else " The leaderboard goes by the plain means: chance deals raters out as unevenly."
    )
    return (
        f"On {count_of(max(adjustment.cases for adjustment in dimensions), 'case')}. Adjusted: "
        "what the mean would be, had all systems met the same raters, each as often as they judged "
        "the whole (systems and raters fixed, cases and answers random; restricted likelihood; cut "
        "where the scale ends)."
        f"{went} {how(row.interval for adjustment in dimensions for row in adjustment.systems)}"
    )
