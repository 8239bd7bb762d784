"""Systems by dimensions with intervals: the one table that a reader takes away."""

import re
from typing import Final

from medassay.analyses.builtin.harm_by_system import HarmOf, harm_by_system, percent
from medassay.analyses.builtin.leaderboards import leaderboards_in, ordered
from medassay.analyses.builtin.leaderboards.tables import axis_of, rank_range
from medassay.analyses.builtin.shared_task import leads, shared_task
from medassay.analyses.results import DimensionResult, Results, SourceResult
from medassay.exhibits.cells import estimate, estimate_fields, missing, named
from medassay.exhibits.names import method_words
from medassay.exhibits.numbers import count_of, listed
from medassay.exhibits.sentences import upper_first
from medassay.exhibits.table import Cell, Column, Row, Table
from medassay.report.names import Names
from medassay.report.styles import style_of
from medassay.validity import LeaderboardRow

__all__ = ["at_a_glance"]

_MOST_DRAWN: Final = 2
"""More columns than these leave no room for dots."""
_MOST_COLUMNS: Final = 7
_MANY: Final = 40
_FIRST: Final = 12
"""Of many systems these many are shown; the leaderboard has all."""
_FEW: Final = 6
_HEADING_MOST: Final = 24
"""Letters of what the best label means that a heading has room for."""


def at_a_glance(results: Results) -> Table | None:
    """Put harm and every rated dimension of each system side by side; None without a ranking."""
    names, ranked_by = Names(results), leaderboards_in(results.analyses)
    order = ordered(ranked_by, names, results.primary)
    if not order or (shared_task.id in results.analyses and leads(names)):
        return None  # a shared task's own board stands there
    shown = order[:_FIRST] if len(order) > _MANY else order
    columns = _columns(results)
    every = [s for s in columns if ranked_by.by(s.name)]
    columns = every[:_MOST_COLUMNS]
    harm = _harm(results)
    called = next((upper_first(own.called or "harmful") for own in harm.values()), "")
    drawn = len(columns) <= _MOST_DRAWN
    axes = {source.name: axis_of(source, ranked_by.by(source.name)) for source in columns}
    standing = ranked_by.of_pair
    ranked = len(order) > _FEW
    rows = tuple(
        Row(
            (
                named(names.of_system(first.system), first.system),
                *([rank_range(first)] if ranked else []),
                *([_harmful(harm.get(first.system))] if harm else []),
                *(
                    _mean(
                        standing.get((source.name, first.system)),
                        source,
                        axes[source.name] if drawn else None,
                    )
                    for source in columns
                ),
            )
        )
        for first in shown
    )
    return Table(
        "at-a-glance",
        "Systems side by side",
        _caption(
            results,
            columns,
            len(order) - len(shown),
            len(every) - len(columns),
            called if harm else "",
        ),
        (
            Column("System", ("system",)),
            *([Column("Rank", ("rank", "rank_low", "rank_high"), numeric=True)] if ranked else []),
            *([Column(called, ("harmful", "judged", "at_most"), numeric=True)] if harm else []),
            *(
                Column(
                    _heading(results, names, source),
                    estimate_fields(source.name),
                    numeric=True,
                    axis=(f"{axes[source.name][0]:g}", f"{axes[source.name][1]:g}")
                    if drawn
                    else None,
                )
                for source in columns
            ),
        ),
        rows,
        synthetic=results.study.synthetic,
    )


def _columns(results: Results) -> list[SourceResult]:
    """Choose what ranks the systems, and the raters' mean of each dimension by the same way."""
    primary = next(s for s in results.sources if s.name == results.primary)
    joined = [s for s in results.sources if s.kind == "consensus"]
    method = primary.method or next((s.method for s in joined), None)
    own = [s for s in joined if s.method == method and s.name != primary.name]
    return [primary, *own]


def _heading(results: Results, names: Names, source: SourceResult) -> str:
    """Name a column with the end of its scale that is best, such as `Safety (1 = safe)`."""
    dimension = next((d for d in results.dimensions if d.id == source.dimension), None)
    if dimension is None:
        return names.of_source(source.name)
    title = names.of_dimension(dimension.id)
    best = _best(dimension, source)
    return f"{title} ({best})" if best else title


def _best(dimension: DimensionResult, source: SourceResult) -> str:
    scored = [(label.score, label) for label in dimension.labels if label.score is not None]
    if not scored or source.direction == "none":
        return ""
    choose = min if source.direction == "lower" else max
    score, label = choose(scored, key=lambda item: item[0])
    number = f"{score:g}"
    if label.label != number:
        return f"{number} = {label.label}"
    # A label may be explained in sentences; a heading takes what stands before the first stop.
    means = re.split(r"[:;,.(]", label.description, maxsplit=1)[0].strip()
    return f"{number} = {means if 0 < len(means) <= _HEADING_MOST else 'best'}"


def _harm(results: Results) -> dict[str, HarmOf]:
    """Give each system's harm on the first dimension that reads as harm."""
    by_system = results.analyses.of(harm_by_system)
    if by_system is None:
        return {}
    first = by_system.systems[0]
    own = (h for h in by_system.systems if (h.dimension, h.kind) == (first.dimension, first.kind))
    return {harm.system: harm for harm in own}


def _harmful(harm: HarmOf | None) -> Cell:
    if harm is None:
        return missing("Nobody judged its answers for harm.", 3)
    aside = f"≤ {percent(harm.at_most)}" if harm.at_most is not None else ""
    return Cell(f"{harm.found:,} of {harm.n:,}", (harm.found, harm.n, harm.at_most), aside=aside)


def _mean(
    row: LeaderboardRow | None, source: SourceResult, axis: tuple[float, float] | None
) -> Cell:
    if row is None:
        return missing("It has no value here.", 4)
    return estimate(row.mean, row.interval, row.reason, style_of(source), axis)


def _caption(
    results: Results, columns: list[SourceResult], rest: int, unshown: int, called: str
) -> str:
    methods = {source.method for source in columns if source.method}
    joined = listed([method_words(method) for method in sorted(methods)])
    text = f"By the raters' {joined}" if joined else "By what ranks them"
    lines = [
        f"{text}, {count_of(len(results.ranking_cases), 'case')}. Small: 95 % interval.",
    ]
    if called:
        lines.append(f"{called}: by at least half of an answer's raters.")
        lines.append("≤: the largest share still possible (one-sided 95 %).")
    if rest:
        lines.append(f"{count_of(rest, 'more system')} in the leaderboard.")
    if unshown:
        lines.append(f"{count_of(unshown, 'more dimension')} in the leaderboard.")
    return " ".join(lines)
