"""Pairs of systems, compared over the cases that both have."""

from collections.abc import Collection
from dataclasses import replace
from typing import Final

from medassay.analyses.builtin.leaderboards.order import ordered
from medassay.analyses.builtin.leaderboards.shared import cases_alone
from medassay.analyses.inputs.system_boards import Leaderboards
from medassay.exhibits import Names
from medassay.exhibits.cells import estimate, estimate_fields, how, missing
from medassay.exhibits.columns import celled, counted, p_column, system_column, table_of
from medassay.exhibits.numbers import Style, p_way
from medassay.exhibits.table import Cell, Table
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
    nothing = " Cases of one alone do not count." if _left_out(boards, sources) else ""
    over = f"{_OVER_EITHER if allotted else _OVER_BOTH}{nothing}"
    listed = [pair for pair in chosen if not of or of in (pair.system_a, pair.system_b)]
    several = len(sources) > 1
    return table_of(
        [(pair.source, pair) for pair in listed] if several else listed,
        (
            system_column(names, "First", "system_a"),
            system_column(names, "Second", "system_b"),
            celled(
                "Difference",
                estimate_fields("difference"),
                lambda pair: estimate(
                    pair.difference, pair.interval, pair.reason, styles[pair.source]
                ),
                numeric=True,
            ),
            p_column("p", why_not="reason"),
            p_column("Adjusted p", "p_adjusted", why_not="reason"),
            celled(
                "Detectable",
                "minimal_detectable_effect",
                lambda pair: _detectable(pair, styles[pair.source]),
                numeric=True,
            ),
            counted("Cases", "n", file="cases"),
            *([counted("Of one alone", "alone", file="cases_of_one_alone")] if allotted else []),
        ),
        id="comparisons",
        title="Pairs of systems",
        caption=f"{over} {how(c.interval for c in chosen)} {test} "
        "Detectable: the difference that such a comparison detects with 80% power, for this pair "
        "alone.",
        grouped_by="source" if several else "",
        empty="Fewer than two systems have a score by this source.",
    )
