"""How many labels an answer does a ranking need?"""

from medassay.analyses.builtin.annotation_budget.picture import budget_pictures
from medassay.analyses.builtin.annotation_budget.table import budget_table
from medassay.analyses.declaration import Declaration, analysis
from medassay.analyses.inputs.consensus_fits import judged_units, ranked_by
from medassay.analyses.inputs.readable import Randomness
from medassay.judgements import Judgements, Rubric
from medassay.marks import record
from medassay.validity import BudgetPoint
from medassay.validity import annotation_budget as budget_of

__all__ = ["AnnotationBudget", "annotation_budget"]

_DRAWS = 50


@record(infers=True)
class AnnotationBudget:
    """How near rankings by fewer labels come, by dimension and way of joining labels."""

    points: tuple[BudgetPoint, ...]


@analysis(
    Declaration(
        id="annotation_budget",
        title="How many labels an answer a ranking needs",
        question="How near does the ranking by fewer labels an answer come to that by all?",
        section="panel",
        part="panel-ranking",
        infers=True,
        reader="organiser",
        cost="dear",
        place=50,
        tables=lambda budget, names: [budget_table(budget.points, names)],
        pictures=lambda budget, names: budget_pictures(budget.points, names),
    )
)
def annotation_budget(
    rubric: Rubric, judgements: Judgements, randomness: Randomness
) -> AnnotationBudget | None:
    """Draw k of n labels an answer, and see how near the ranking comes."""
    points = tuple(
        point
        for read in judged_units(rubric, judgements)
        for point in budget_of(
            read, ranked_by(read), rng=randomness.stream("s54", read.dimension), draws=_DRAWS
        )
    )
    return AnnotationBudget(points) if points else None
