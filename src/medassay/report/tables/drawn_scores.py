"""The human score of each system from answers drawn with known chances, beside the plain mean."""

from collections.abc import Mapping, Sequence

from medassay.exhibits.cells import estimate_fields, named
from medassay.exhibits.sentences import as_sentence
from medassay.exhibits.table import Cell, Column, Row, Table
from medassay.report.tables.human_scores import estimated, worth_cell
from medassay.validity import DrawnScore

__all__ = ["drawn_scores"]


def drawn_scores(
    scores: Sequence[DrawnScore], titles: Mapping[str, str], *, synthetic: bool
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
        tuple(
            Row(
                _cells(drawn_score, titles),
                titles.get(drawn_score.dimension, drawn_score.dimension),
            )
            for drawn_score in scores
        ),
        group_field="dimension",
        empty="No campaign drew its answers by known chances.",
        synthetic=synthetic,
    )


def _cells(drawn_score: DrawnScore, titles: Mapping[str, str]) -> tuple[Cell, ...]:
    warning = drawn_score.weighted.warning or drawn_score.stratified.warning
    return (
        Cell(
            named(titles.get(drawn_score.system, drawn_score.system), drawn_score.system).text,
            (drawn_score.system, drawn_score.metric),
            detail=titles.get(drawn_score.metric, drawn_score.metric),
        ),
        estimated(drawn_score.weighted),
        worth_cell(drawn_score.weighted),
        estimated(drawn_score.stratified),
        worth_cell(drawn_score.stratified),
        estimated(drawn_score.plain),
        Cell(
            f"{drawn_score.drawn:,}",
            (drawn_score.drawn, drawn_score.back, drawn_score.total),
            aside=f"{drawn_score.back} judged, of {drawn_score.total}",
        ),
        Cell(f"{drawn_score.before:,}", (drawn_score.before,)),
        Cell("few" if warning else "", (warning,), detail=as_sentence(warning) if warning else ""),
    )
