"""What adjusting for raters changes, in a sentence."""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Final

from medassay.analyses.builtin.rater_adjusted.tables import matters, moved
from medassay.exhibits import Names, Style
from medassay.exhibits.finding import Finding, ReaderQuestion
from medassay.exhibits.numbers import listed
from medassay.validity import RaterAdjusted

__all__ = ["adjusted_finding", "not_adjusted", "runs_of"]

_POINTS: Final = Style(1)
_FINE: Final = Style(2)
_MOST_NAMED: Final = 4


def adjusted_finding(dimensions: Sequence[RaterAdjusted], names: Names) -> Finding | None:
    """Say how far raters lie apart and which ranks that changes, of the first where it matters.

    One that the leaderboard goes by stands before one whose ranks change.
    """
    mattering = [
        adjustment
        for adjustment in dimensions
        if matters(adjustment) and adjustment.systems[0].rank is not None
    ]
    if not mattering:
        return None
    chosen = min(mattering, key=lambda candidate: not candidate.ranked)
    spread = chosen.spread or 0.0
    style = _POINTS if spread >= 0.1 else _FINE  # noqa: PLR2004 - below it one decimal says 0.1 or 0
    text = (
        f"Severest to mildest rater on {names.of_dimension(chosen.dimension)}: {style(spread)} "
        f"points; adjusted for it, {_changes(chosen)}."
    )
    return Finding("rater-adjusted", text, ("rater-adjusted",), ReaderQuestion.BETTER)


def _changes(adjustment: RaterAdjusted) -> str:
    by_mean = sorted(row.rank for row in adjustment.systems if row.rank is not None and moved(row))
    first = [row for row in adjustment.systems if row.rank == 1]
    if not by_mean:
        return "no rank changes"
    ranks = f"rank {by_mean[0]}" if len(by_mean) == 1 else f"ranks {runs_of(by_mean)}"
    verb = "changes" if len(by_mean) == 1 else "change"
    stays = not any(map(moved, first)) and all(
        row.rank == 1 for row in adjustment.systems if row.adjusted_rank == 1
    )
    return f"{ranks} {verb}, rank 1 does not" if stays else f"{ranks} {verb}, rank 1 among them"


def runs_of(numbers: Iterable[int]) -> str:
    """Name whole numbers, those in a row as a range.

    Example:
        >>> runs_of([4, 5, 6, 9]), runs_of([2, 3])
        ('4 to 6 and 9', '2 and 3')
    """
    ordered = sorted(set(numbers))
    runs: list[list[int]] = [[number] for number in ordered[:1]]
    for before, number in pairwise(ordered):
        if number == before + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    words = []
    for run in runs:
        if len(run) > 2:  # noqa: PLR2004 - two in a row are named
            words.append(f"{run[0]} to {run[-1]}")
        else:
            words += [str(number) for number in run]
    return listed(words) if len(words) <= _MOST_NAMED else f"{len(ordered)} in all"


def not_adjusted(dimensions: Sequence[RaterAdjusted], names: Names) -> list[str]:
    """Say of which dimensions nothing can be adjusted, and why."""
    return [
        f"{names.of_dimension(adjustment.dimension)} cannot be adjusted for raters: "
        f"{adjustment.undefined}."
        for adjustment in dimensions
        if adjustment.undefined
    ]
