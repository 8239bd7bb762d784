"""Mean and spread of each dimension and metric, a table each."""

from collections.abc import Sequence
from typing import Final

from medassay.analyses.builtin.summaries.record import Summary
from medassay.exhibits import Names
from medassay.exhibits.cells import count, missing, named, text
from medassay.exhibits.names import slug
from medassay.exhibits.numbers import Style
from medassay.exhibits.table import Cell, Column, Row, Table

__all__ = ["summary_tables"]

_TWO: Final = Style(2)


def summary_tables(summaries: Sequence[Summary], names: Names) -> list[Table]:
    """Show mean, standard deviation and median, each dimension or metric in a table of its own."""
    of: dict[str, list[Summary]] = {}
    for summary in summaries:
        of.setdefault(summary.name, []).append(summary)
    return [_table(own, name, names) for name, own in of.items()]


def _table(own: Sequence[Summary], name: str, names: Names) -> Table:
    """Show mean, standard deviation and median of one dimension or metric."""
    metric = any(summary.kind == "metric" for summary in own)
    style = names.style_of(name) if metric else _TWO
    rows = [
        Row((
            named(names.of_system(summary.system), summary.system),
            text(_OVER[metric, summary.over]),
            count(summary.n),
            missing(summary.reason, 2) if summary.mean is None else Cell(
                style(summary.mean) + ("" if summary.sd is None else f" ± {style(summary.sd)}"),
                (summary.mean, summary.sd)),
            missing(summary.reason) if summary.median is None else Cell(
                style(summary.median), (summary.median,)),
            missing(summary.reason, 2) if summary.least is None or summary.most is None else Cell(
                _span(summary.least, summary.most, style), (summary.least, summary.most)),
        ))
        for summary in own
    ]  # fmt: skip
    spread_words = "" if metric else (
        " Over each rating the spread holds the experts' differences too; over each answer's mean "
        "it is that between answers."
    )  # fmt: skip
    return Table(
        f"summary-{slug(name)}",
        f"{names.of_dimension(names.of_source(name))}, mean and spread",
        f"Mean ± standard deviation (n − 1).{spread_words}",
        (
            Column("System", ("system",)),
            Column("Over", ("over",)),
            Column("n", ("n",), numeric=True),
            Column("Mean ± SD", ("mean", "sd"), numeric=True),
            Column("Median", ("median",), numeric=True),
            Column("Range", ("least", "most"), numeric=True),
        ),
        tuple(rows),
        empty="Nobody rated this.",
    )


_OVER = {
    (True, "answers"): "answers",
    (True, "scenarios"): "each scenario's mean",
    (False, "answers"): "each answer's mean",
    (False, "judgements"): "each rating",
    (False, "scenarios"): "each scenario's mean",
}


def _span(least: float, most: float, style: Style) -> str:
    """Print whole numbers whole: a label is 4, not 4.00."""
    if least.is_integer() and most.is_integer():
        return f"{least:g} to {most:g}"
    return f"{style(least)} to {style(most)}"
