"""A model answers and cites in one go."""

from medassay.answers import Answer
from medassay.cases import Case
from medassay.systems.cited.read_citations import note_fields, read_statements
from medassay.systems.dialogue import Dialogue
from medassay.systems.prompts import PromptFile

__all__ = ["answer_together"]


def answer_together(case: Case, system: str, prompts: PromptFile) -> Dialogue[Answer]:
    """Ask for an answer whose sentences cite the note, and keep the citations that the note has."""
    reply = yield prompts.asked("together", note_fields(case))
    statements = read_statements(reply, case)
    return Answer(system=system, case=case.case, statements=statements, raw=reply)
