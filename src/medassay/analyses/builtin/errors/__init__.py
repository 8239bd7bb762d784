"""Why are answers wrong?"""

from medassay.analyses.builtin.errors.compute import wrong_answers
from medassay.analyses.builtin.errors.picture import error_pictures
from medassay.analyses.builtin.errors.record import WrongAnswers
from medassay.analyses.builtin.errors.tables import error_tables
from medassay.analyses.builtin.errors.words import confident_finding
from medassay.analyses.declaration import Declaration, analysis
from medassay.analyses.inputs.answer_choices import Choices
from medassay.error_analysis import ConditionGroups

__all__ = ["errors"]


@analysis(
    Declaration(
        id="errors",
        title="Why answers are wrong",
        question="What failed first where an answer is wrong, and on which questions?",
        section="clinical",
        part="clinical-errors",
        infers=True,
        reader="developer",
        place=3,
        tables=error_tables,
        pictures=error_pictures,
        finding=confident_finding,
    )
)
def errors(choices: Choices, conditions: ConditionGroups) -> WrongAnswers | None:
    """Sort wrong answers by cause, by group of questions, and by condition."""
    return wrong_answers(choices, conditions) if choices.by_system else None
