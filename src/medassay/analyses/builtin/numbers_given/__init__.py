"""Which numbers do raters give each system's answers?"""

from medassay.analyses.builtin.numbers_given.compute import numbers_of
from medassay.analyses.builtin.numbers_given.record import NumbersGiven
from medassay.analyses.builtin.numbers_given.table import numbers_table
from medassay.analyses.declaration import Declaration, analysis
from medassay.analyses.inputs.readable import Design
from medassay.judgements import Judgements, Rubric

__all__ = ["numbers_given"]


@analysis(
    Declaration(
        id="numbers_given",
        title="Numbers given",
        question="Which numbers do raters give, where they choose no label?",
        section="ratings",
        part="ratings-given",
        infers=False,
        reader="clinician",
        place=6,
        tables=lambda numbers, names: [numbers_table(numbers.systems, names)],
    )
)
def numbers_given(rubric: Rubric, judgements: Judgements, design: Design) -> NumbersGiven | None:
    """Say where the numbers of each system lie, by dimension."""
    systems = tuple(numbers_of(rubric, judgements, design.systems))
    return NumbersGiven(systems) if systems else None
