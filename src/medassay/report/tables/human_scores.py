"""The human score of each system by each method."""

from collections.abc import Mapping, Sequence
from typing import Final

from medassay.exhibits.cells import NONE, estimate_fields
from medassay.exhibits.numbers import Style, bounds, listed
from medassay.exhibits.sentences import as_sentence
from medassay.exhibits.table import Cell, Column, Row, Table
from medassay.stats import Combined
from medassay.validity import HumanScore

__all__ = ["estimated", "human_scores", "worth_cell"]

Titles = Mapping[str, str]
_SCORE: Final = Style(2)
_THESE: Final = "These answers"


def human_scores(found: Sequence[HumanScore], titles: Titles, *, synthetic: bool) -> Table:
    """Put the methods side by side: judgements alone, PPI++, difference, and what each is worth."""
    named_metrics = {one.metric for one in found if one.metric}
    warned = sum(bool(_warning(one)) for one in found)
    caution = (
        f" In {warned} of {len(found)} rows there are so few judgements that intervals may cover "
        "less than 95 %: docs/validity.md says from which number on they hold."
        if warned
        else ""
    )
    return Table(
        "human-scores",
        "What people would give each system",
        "From the judgements there are and a metric's scores of all answers. New cases: the mean "
        "on cases like these; PPI++ with power tuning. These answers: their mean, had all been "
        "judged; the difference estimator with a fitted slope and the correction for a finite "
        "number. Alone: no metric takes part. Worth: how many judgements alone would be "
        f"as sure.{_chosen(named_metrics, titles)} Intervals: 95 %, t. All of it supposes that "
        f"chance chose which answers were judged.{caution}",
        (
            Column("System", ("system", "metric")),
            Column("Judged", ("judged", "answers"), numeric=True),
            Column("Alone", estimate_fields("alone_new"), numeric=True, group="New cases"),
            Column("PPI++", estimate_fields("ppi"), numeric=True, group="New cases"),
            Column("Worth", ("ppi_worth", "ppi_no_help"), numeric=True, group="New cases"),
            Column("Alone", estimate_fields("alone_these"), numeric=True, group=_THESE),
            Column("Difference", estimate_fields("difference"), numeric=True, group=_THESE),
            Column(
                "Worth",
                ("difference_worth", "difference_no_help"),
                numeric=True,
                group=_THESE,
            ),
            Column("Note", ("warning",)),
        ),
        tuple(Row(_cells(one, titles), titles.get(one.dimension, one.dimension)) for one in found),
        group_field="dimension",
        empty="Nothing was judged.",
        synthetic=synthetic,
    )


def _chosen(metrics: set[str], titles: Titles) -> str:
    """Name the metrics that help, where they are few."""
    if not metrics:
        return " No metric scores all of these answers."
    told = listed(sorted(titles.get(one, one) for one in metrics))
    return f" The metric was chosen on the other systems' judgements: {told}."


def _cells(one: HumanScore, titles: Titles) -> tuple[Cell, ...]:
    metric = titles.get(one.metric, one.metric)
    return (
        Cell(titles.get(one.system, one.system), (one.system, one.metric), detail=metric),
        Cell(f"{one.n:,}", (one.n, one.total), aside=f"of {one.total:,}"),
        estimated(one.alone_new),
        estimated(one.ppi),
        worth_cell(one.ppi),
        estimated(one.alone_these),
        estimated(one.difference),
        worth_cell(one.difference),
        _note(one),
    )


def estimated(one: Combined) -> Cell:
    """Print the estimate even where there is no interval; the reason comes on demand."""
    if one.estimate is None:
        raw = (None, None, None, one.undefined)
        return Cell(NONE, raw, detail=as_sentence(one.undefined), missing=True)
    low, high = (one.interval.low, one.interval.high) if one.interval else (None, None)
    return Cell(
        _SCORE(one.estimate),
        (one.estimate, low, high, one.undefined),
        aside=bounds(one.interval, _SCORE),
        detail=as_sentence(one.undefined) if one.undefined else "",
    )


def worth_cell(one: Combined) -> Cell:
    """Print how many judgements alone it is worth; where it does not help, why not."""
    if one.no_help or one.worth is None:
        why = one.no_help or one.undefined
        raw = (one.worth, why)
        return Cell("no help", raw, detail=as_sentence(why), missing=True)
    return Cell(f"{one.worth:.0f}", (one.worth, ""))


def _note(one: HumanScore) -> Cell:
    warning = _warning(one)
    if not warning:
        return Cell("", ("",))
    return Cell("few", (warning,), detail=as_sentence(warning))


def _warning(one: HumanScore) -> str:
    return one.ppi.warning or one.difference.warning or one.alone_new.warning
