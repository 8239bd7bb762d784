"""What would the systems' means be, had all met the same raters?"""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Final

from medassay.analyses.declaration import Declaration, analysis
from medassay.analyses.inputs.rater_traits import RatersMet
from medassay.analyses.inputs.readable import Columns
from medassay.annotations import record
from medassay.exhibits import Names, Style, Table, shown, table_of
from medassay.exhibits.claim import Finding, ReaderQuestion
from medassay.exhibits.columns import counted, estimated, how, system_column
from medassay.exhibits.numbers import count_of, listed, shown_p
from medassay.validity import AdjustedMean, RaterAdjusted

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
        title="How strict each rater is",
        caption="Points above (milder) or below (stricter) all raters on the same answers, by the "
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
        else " The leaderboard uses plain means: chance deals raters out as unevenly."
    )
    return (
        f"On {count_of(max(adjustment.cases for adjustment in dimensions), 'case')}. Adjusted: "
        "had all systems met the same raters, as often as they judged the whole (mixed model: "
        f"systems and raters fixed, cases and answers random; cut where the scale ends).{went} "
        f"{how(row.interval for adjustment in dimensions for row in adjustment.systems)}"
    )


_TENTHS: Final = Style(1)
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
    style = _TENTHS if spread >= 0.1 else _FINE  # noqa: PLR2004 - below it one decimal says 0.1 or 0
    on = names.of_dimension(chosen.dimension)
    text = f"Adjusted for the strictness of raters, {_changes(chosen, on, names)}."
    text += f" There, the strictest and the mildest rater differ by {style(spread)} points."
    return Finding("rater-adjusted", text, ("rater-adjusted",), ReaderQuestion.BETTER)


def _changes(adjustment: RaterAdjusted, on: str, names: Names) -> str:
    by_mean = sorted(row.rank for row in adjustment.systems if row.rank is not None and moved(row))
    first, then = (
        [row.system for row in adjustment.systems if getattr(row, rank) == 1]
        for rank in ("rank", "adjusted_rank")
    )
    if not by_mean:
        return f"no rank changes on {on}"
    ranks = f"rank {by_mean[0]}" if len(by_mean) == 1 else f"ranks {runs_of(by_mean)}"
    verb = "changes" if len(by_mean) == 1 else "change"
    leads = listed([names.of_system(system) for system in then])
    if set(first) == set(then):
        stay = "stays" if len(then) == 1 else "stay"
        return f"{leads} {stay} first on {on}; {ranks} {verb}"
    was = listed([names.of_system(system) for system in first])
    return f"{leads} {'is' if len(then) == 1 else 'are'} first on {on}, not {was}; {ranks} {verb}"


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


@record(infers=True)
class AdjustedForRaters:
    """Means adjusted for raters, by dimension: those where systems met raters in unlike shares."""

    dimensions: tuple[RaterAdjusted, ...]


@analysis(
    Declaration(
        id="rater_adjusted",
        title="Had all systems met the same raters",
        question="A strict rater lowers the systems that they rated: what changes without that?",
        section="leaders",
        infers=True,
        reader="organiser",
        place=10,
        tables=lambda adjusted, names: adjusted_tables(adjusted.dimensions, names),
        notes=lambda adjusted, names: not_adjusted(adjusted.dimensions, names),
        finding=lambda adjusted, names: adjusted_finding(adjusted.dimensions, names),
        finding_place=22,
    )
)
def adjusted_for_raters(columns: Columns, met: RatersMet) -> AdjustedForRaters | None:
    """Adjust each dimension that is ranked by the mean of its labels."""
    dimensions = []
    for column in columns.score_columns.columns:
        shares = met.dimensions.get(column.dimension or "")
        if shares is None or column.method != "mean" or not shares.adjustment.uneven:
            continue
        source = columns.sources[column.name]
        grid = source.grid
        means = {
            system: float(values[known].mean())
            for system, values, known in zip(grid.systems, grid.values, grid.known, strict=True)
            if known.any()
        }
        dimensions.append(
            shares.adjustment.found(
                means, column.direction, ends=source.bounds, ranked=shares.adjusts
            )
        )
    return AdjustedForRaters(tuple(dimensions)) if dimensions else None
