"""Pairs of systems, compared over the cases that both have."""

from collections.abc import Collection
from dataclasses import replace
from typing import Final

from medassay.analyses.builtin.leaderboards.order import ordered
from medassay.analyses.builtin.leaderboards.shared import cases_alone
from medassay.analyses.inputs.system_boards import Leaderboards
from medassay.exhibits import Names
from medassay.exhibits.cells import count, estimate, estimate_fields, how, missing, named, p_cell
from medassay.exhibits.numbers import Style, p_way
from medassay.exhibits.table import Cell, Column, Row, Table
from medassay.validity import Comparison

__all__ = ["pair_tables"]

_OVER_BOTH: Final = (
    "Mean of the first system minus mean of the second, over the cases that both have a score for."
)
_OVER_EITHER: Final = (
    "Mean of the first system minus mean of the second. Where the study says that cases were "
    "allotted by chance, cases of one alone count too: by a random effect of cases (CR2 errors), "
    "or, where a system was hardly ever wrong or right, by drawing the allotment again. Adjusted: "
    "for all pairs at once."
)
_MOST_PAIRS: Final = 60
"""Of more, the pairs with the first system are shown."""


def pair_tables(boards: Leaderboards, names: Names) -> list[Table]:
    """Give the leaderboard's pairs for the page, and every pair by every column for files."""
    every = _comparisons(boards, names, names.sources)
    if names.primary not in names.sources:
        return [replace(every, stands="file")]
    shown = _shown(boards, names)
    if len(shown.rows) == len(every.rows):
        return [every]
    return [replace(shown, whole=every.id), replace(every, stands="file")]


def _shown(boards: Leaderboards, names: Names) -> Table:
    """List the leaderboard's pairs; of very many those with its first system."""
    pairs = sum(comparison.source == names.primary for comparison in boards.comparisons)
    if pairs <= _MOST_PAIRS:
        return _comparisons(boards, names, [names.primary])
    leader = ordered(boards, names, names.primary)[0].system
    table = _comparisons(boards, names, [names.primary], of=leader)
    text = f"Of {pairs:,} pairs those with {names.of_system(leader)} are shown; all"
    return replace(table, caption=f"{table.caption} {text} are in tables/comparisons.csv.")


def _left_out(boards: Leaderboards, sources: Collection[str]) -> bool:
    return any(cases_alone(boards, source) for source in sources)


def _detectable(c: Comparison, style: Style) -> Cell:
    value = c.minimal_detectable_effect
    return missing(c.reason or "Not estimated.") if value is None else Cell(style(value), (value,))


def _comparisons(
    boards: Leaderboards, names: Names, sources: Collection[str], *, of: str = ""
) -> Table:
    """List pairs of systems by the given sources, paired over cases; or those of one system."""
    styles = {source: names.style_of(source) for source in sources}
    chosen = [c for source in sources for c in boards.comparisons if c.source == source]
    methods = sorted({c.method for c in chosen if c.method})
    test = f"Test: {'; '.join(map(p_way, methods))}." if methods else ""
    allotted = any(c.alone for c in chosen)
    nothing = " Cases of one alone add nothing." if _left_out(boards, sources) else ""
    over = f"{_OVER_EITHER if allotted else _OVER_BOTH}{nothing}"
    return Table(
        "comparisons",
        "Pairs of systems",
        f"{over} {how(c.interval for c in chosen)} {test} "
        "Detectable: the difference that such a comparison finds with 80% power, for this pair "
        "alone.",
        (
            Column("First", ("system_a",)),
            Column("Second", ("system_b",)),
            Column("Difference", estimate_fields("difference"), numeric=True),
            Column("p", ("p",), numeric=True),
            Column("Adjusted p", ("p_adjusted",), numeric=True),
            Column("Detectable", ("minimal_detectable_effect",), numeric=True),
            Column("Cases", ("cases",), numeric=True),
            *([Column("Of one alone", ("cases_of_one_alone",), numeric=True)] if allotted else []),
        ),
        tuple(
            Row(
                (
                    named(names.of_system(c.system_a), c.system_a),
                    named(names.of_system(c.system_b), c.system_b),
                    estimate(c.difference, c.interval, c.reason, styles[c.source]),
                    p_cell(c.p, c.reason),
                    p_cell(c.p_adjusted, c.reason),
                    _detectable(c, styles[c.source]),
                    count(c.n),
                    *([count(c.alone)] if allotted else []),
                ),
                c.source if len(sources) > 1 else "",
            )
            for c in chosen
            if not of or of in (c.system_a, c.system_b)
        ),
        group_field="source" if len(sources) > 1 else "",
        empty="Fewer than two systems have a score by this source.",
    )
