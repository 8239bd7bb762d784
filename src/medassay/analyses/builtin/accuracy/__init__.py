"""How often is the right option chosen?"""

from medassay.analyses.builtin.accuracy.compute import accuracies_of, pairs_of
from medassay.analyses.builtin.accuracy.record import Accuracy
from medassay.analyses.builtin.accuracy.tables import accuracy_tables
from medassay.analyses.builtin.accuracy.words import accuracy_claims, accuracy_findings
from medassay.analyses.declaration import Declaration, analysis
from medassay.analyses.inputs.answer_choices import Choices
from medassay.exhibits import VerdictKind

__all__ = ["accuracy"]


@analysis(
    Declaration(
        id="accuracy",
        title="How often the right option is chosen",
        question="How many questions does each system have right, and which systems differ?",
        section="clinical",
        part="clinical-accuracy",
        infers=True,
        reader="clinician",
        place=1,
        finding_place=40,
        tables=accuracy_tables,
        finding=accuracy_findings,
        verdicts=(VerdictKind.CLAIM,),
        claims=lambda record, _: accuracy_claims(record),
    )
)
def accuracy(choices: Choices) -> Accuracy | None:
    """Count right options by group of questions, and compare systems on the same questions."""
    if not choices.by_system:
        return None
    return Accuracy(accuracies_of(choices), pairs_of(choices), choices.tags_left_out)
