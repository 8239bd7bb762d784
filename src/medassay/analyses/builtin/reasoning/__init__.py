"""How are the answers reasoned?"""

from medassay.analyses.builtin.reasoning.compute import reasoning_of
from medassay.analyses.builtin.reasoning.record import Reasoning
from medassay.analyses.builtin.reasoning.tables import reasoning_tables
from medassay.analyses.builtin.reasoning.words import reasoning_finding
from medassay.analyses.declaration import Declaration, analysis
from medassay.analyses.inputs.answer_reasoning import ChainsRead

__all__ = ["reasoning"]


@analysis(
    Declaration(
        id="reasoning",
        title="How the answers are reasoned",
        question="Which steps do the chains of reasoning have, and do they hold together?",
        section="clinical",
        part="clinical-reasoning",
        infers=False,
        reader="developer",
        place=5,
        finding_place=70,
        tables=reasoning_tables,
        finding=reasoning_finding,
    )
)
def reasoning(chains: ChainsRead) -> Reasoning | None:
    """Lay out what rules find in the chains, with the words that decided."""
    return reasoning_of(chains) if chains.read else None
