"""How near the ranking by k labels an answer comes, as a table."""

from collections.abc import Sequence
from typing import Final

from medassay.exhibits import PROPORTION, Names, Table, shown, table_of
from medassay.exhibits.cells import missing
from medassay.exhibits.columns import Shown
from medassay.exhibits.names import method_words
from medassay.exhibits.table import Cell, Column
from medassay.validity import BudgetPoint

__all__ = ["budget_table"]

_AGAINST: Final = {"full": "all labels", "rest": "the other labels"}


def budget_table(points: Sequence[BudgetPoint], names: Names) -> Table:
    """Show how near the ranking by k labels an answer comes."""
    return table_of(
        ((names.of_dimension(point.dimension), point) for point in points),
        (
            shown("Consensus", "method", method_words, numeric=False, wide=True),
            shown("Compared with", "against", _AGAINST.__getitem__, numeric=False),
            Shown(Column("Labels", ("k", "panel"), numeric=True), _labels),
            Shown(
                Column("Tau", ("tau", "band_low", "band_high", "tau_reason"), numeric=True), _band
            ),
            shown("Answers", "answers", "{:,}".format, adds=("systems", "draws")),
        ),
        id="annotation-budget",
        title="How many labels an answer a ranking needs",
        caption="Kendall's tau of the ranking by k labels an answer, drawn at random many times, "
        "with the ranking by all labels (of which they are a part) and with that by the labels not "
        "drawn. The band holds the central 95 % of the draws; it is no interval for new cases.",
        empty="No answer was judged by two raters.",
        grouped_by="dimension",
    )


def _labels(budget_point: BudgetPoint) -> Cell:
    return Cell(f"{budget_point.k} of {budget_point.panel}", (budget_point.k, budget_point.panel))


def _band(budget_point: BudgetPoint) -> Cell:
    if budget_point.tau is None or budget_point.low is None or budget_point.high is None:
        return missing(budget_point.reason, 4)
    band = f"{PROPORTION(budget_point.low)} to {PROPORTION(budget_point.high)}"
    return Cell(
        PROPORTION(budget_point.tau),
        (budget_point.tau, budget_point.low, budget_point.high, ""),
        aside=band,
    )
