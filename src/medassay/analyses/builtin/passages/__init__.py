"""Which passages of each system's answers do raters mark?"""

from medassay.analyses.builtin.passages.compute import passages_of
from medassay.analyses.builtin.passages.record import Passages
from medassay.analyses.builtin.passages.tables import passages_table
from medassay.analyses.declaration import Declaration, analysis
from medassay.analyses.inputs.readable import Design
from medassay.judgements import Judgements, Rubric

__all__ = ["passages"]


@analysis(
    Declaration(
        id="passages",
        title="Passages marked",
        question="How many passages of which kind do raters mark in each system's answers?",
        section="ratings",
        part="ratings-given",
        infers=False,
        reader="clinician",
        place=5,
        tables=lambda marked, names: [passages_table(marked.systems, names)],
    )
)
def passages(rubric: Rubric, judgements: Judgements, design: Design) -> Passages | None:
    """Count the passages of each kind, by dimension and system."""
    systems = tuple(passages_of(rubric, judgements, design.systems, design.unasked))
    return Passages(systems) if systems else None
