"""The human score of each system from answers drawn with known chances, beside the plain mean."""

from collections.abc import Mapping, Sequence

from medassay.exhibits.cells import estimate_fields, named
from medassay.exhibits.sentences import as_sentence
from medassay.exhibits.table import Cell, Column, Row, Table
from medassay.report.tables.human_scores import estimated, worth_cell
from medassay.validity import DrawnScore

__all__ = ["drawn_scores"]


def drawn_scores(
    found: Sequence[DrawnScore], titles: Mapping[str, str], *, synthetic: bool
) -> Table:
    """Put the plain mean, which the draw biases, beside the means weighted by chance."""
    return Table(
        "drawn-scores",
        "What people would give, by chance",
        "The mean that people would give all answers of a system, from a campaign that drew them "
        "with known chances. Weighted: each judgement by one over its chance (Horvitz-Thompson), "
        "helped by a metric chosen on the other systems. Stratified: groups of equal chance, where "
        "there are few. Worth: how many judgements drawn evenly, without scores, would be as sure; "
        "where that is no more than there are, it does not help. Plain: as if drawn evenly, which "
        "is biased where chances differ. Before: judged before the draw. Intervals: 95 %, t; these "
        "answers.",
        (
            Column("System", ("system", "metric")),
            Column("Weighted", estimate_fields("weighted"), numeric=True),
            Column("Worth", ("weighted_worth", "weighted_no_help"), numeric=True),
            Column("Stratified", estimate_fields("stratified"), numeric=True),
            Column("Worth", ("stratified_worth", "stratified_no_help"), numeric=True),
            Column("Plain", estimate_fields("plain"), numeric=True),
            Column("Drawn", ("drawn", "back", "total"), numeric=True),
            Column("Before", ("before",), numeric=True),
            Column("Note", ("warning",)),
        ),
        tuple(Row(_cells(one, titles), titles.get(one.dimension, one.dimension)) for one in found),
        group_field="dimension",
        empty="No campaign drew its answers by known chances.",
        synthetic=synthetic,
    )


def _cells(one: DrawnScore, titles: Mapping[str, str]) -> tuple[Cell, ...]:
    warning = one.weighted.warning or one.stratified.warning
    return (
        Cell(
            named(titles.get(one.system, one.system), one.system).text,
            (one.system, one.metric),
            detail=titles.get(one.metric, one.metric),
        ),
        estimated(one.weighted),
        worth_cell(one.weighted),
        estimated(one.stratified),
        worth_cell(one.stratified),
        estimated(one.plain),
        Cell(
            f"{one.drawn:,}",
            (one.drawn, one.back, one.total),
            aside=f"{one.back} judged, of {one.total}",
        ),
        Cell(f"{one.before:,}", (one.before,)),
        Cell("few" if warning else "", (warning,), detail=as_sentence(warning) if warning else ""),
    )
