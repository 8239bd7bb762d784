"""What would people give, by answers drawn with known chances?"""

from collections.abc import Callable, Sequence
from typing import Any

from medassay.analyses.builtin.human_scores import estimated, worth_cell
from medassay.analyses.declaration import Declaration, analysis
from medassay.analyses.inputs.metric_all_cases import AllCases
from medassay.exhibits import Names
from medassay.exhibits.columns import Shown, counted, estimate_fields, shown, table_of
from medassay.exhibits.sentences import as_sentence
from medassay.exhibits.table import Cell, Column, Table
from medassay.validity import DrawnScore
from medassay.validity import drawn_scores as scores_by_chance


def _table(scores: Sequence[DrawnScore], names: Names) -> Table:
    """Put the plain mean, which the draw biases, beside the means weighted by chance."""
    return table_of(
        ((names.of_dimension(score.dimension), score) for score in scores),
        (
            shown(
                "System", "system", says=lambda score: names.of_system(score.system),
                adds=("metric",), detail=lambda score: names.of_source(score.metric),
            ),
            *(
                column
                for of in ("weighted", "stratified")
                for column in (_mean(of), Shown(_worth(of), _cell(of, worth_cell)))
            ),
            _mean("plain"),
            shown(
                "Drawn", "drawn", "{:,}".format, adds=("back", "total"),
                aside=lambda score: f"{score.back} judged, of {score.total}",
            ),
            counted("Before", "before"),
            shown(
                "Note", _warning, file="warning",
                says=lambda score: "few" if _warning(score) else "",
                detail=lambda score: as_sentence(_warning(score)),
            ),
        ),
        id="drawn-scores",
        title="What people would give, by chance",
        caption="The mean that people would give all answers of a system, from a campaign that "
        "drew them with known chances. Weighted: each judgement by one over its chance "
        "(Horvitz-Thompson), helped by a metric chosen on the other systems. Stratified: groups of "
        "equal chance, where there are few. Worth: how many judgements drawn evenly, without "
        "scores, would be as sure; where that is no more than there are, it does not help. Plain: "
        "as if drawn evenly, which is biased where chances differ. Before: judged before the draw. "
        "Intervals: 95%, t; these answers.",
        empty="No campaign drew its answers by known chances.",
        grouped_by="dimension",
    )  # fmt: skip


def _cell(of: str, made: Callable[[Any], Cell]) -> Callable[[DrawnScore], Cell]:
    return lambda score: made(getattr(score, of))


def _mean(of: str) -> Shown[DrawnScore]:
    column = Column(of.capitalize(), estimate_fields(of), numeric=True)
    return Shown(column, _cell(of, estimated))


def _worth(of: str) -> Column:
    return Column("Worth", (f"{of}_worth", f"{of}_no_help"), numeric=True)


def _warning(score: DrawnScore) -> str:
    return score.weighted.warning or score.stratified.warning


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
