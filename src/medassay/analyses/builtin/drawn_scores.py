"""What would people give, by answers drawn with known chances?"""

from collections.abc import Sequence

from medassay.analyses.builtin.human_scores import estimated, worth_cell
from medassay.analyses.declaration import Declaration, analysis
from medassay.analyses.inputs.metric_all_cases import AllCases
from medassay.exhibits import Names
from medassay.exhibits.cells import estimate_fields, named
from medassay.exhibits.sentences import as_sentence
from medassay.exhibits.table import Cell, Column, Row, Table
from medassay.validity import DrawnScore
from medassay.validity import drawn_scores as scores_by_chance

__all__ = ["drawn_scores"]


def _table(scores: Sequence[DrawnScore], names: Names) -> Table:
    """Put the plain mean, which the draw biases, beside the means weighted by chance."""
    return Table(
        "drawn-scores",
        "What people would give, by chance",
        "The mean that people would give all answers of a system, from a campaign that drew them "
        "with known chances. Weighted: each judgement by one over its chance (Horvitz-Thompson), "
        "helped by a metric chosen on the other systems. Stratified: groups of equal chance, where "
        "there are few. Worth: how many judgements drawn evenly, without scores, would be as sure; "
        "where that is no more than there are, it does not help. Plain: as if drawn evenly, which "
        "is biased where chances differ. Before: judged before the draw. Intervals: 95%, t; these "
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
                _cells(drawn_score, names),
                names.of_dimension(drawn_score.dimension),
            )
            for drawn_score in scores
        ),
        group_field="dimension",
        empty="No campaign drew its answers by known chances.",
    )


def _cells(drawn_score: DrawnScore, names: Names) -> tuple[Cell, ...]:
    warning = drawn_score.weighted.warning or drawn_score.stratified.warning
    return (
        Cell(
            named(names.of_system(drawn_score.system), drawn_score.system).text,
            (drawn_score.system, drawn_score.metric),
            detail=names.of_source(drawn_score.metric),
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


@analysis(
    Declaration(
        id="drawn_scores",
        title="What people would give, by chance",
        question="What would people give each system, by answers drawn with known chances?",
        section="validity",
        part="validity-raters",
        infers=True,
        reader="methodologist",
        place=90,
        tables=lambda scores, names: [_table(scores, names)],
    )
)
def drawn_scores(held: AllCases) -> tuple[DrawnScore, ...]:
    """Weight the judgements of a draw by their chances; nothing where no campaign was a draw."""
    if not held.joined or not held.chances:
        return ()
    scores = scores_by_chance(held.metrics, held.joined, held.chances, held.given)
    return tuple(score for score in scores if score.drawn)
