"""A model answers first, and says after what each sentence rests on."""

from medassay.answers import Answer, Statement
from medassay.cases import Case
from medassay.systems.cited.read_citations import note_fields, read_statements
from medassay.systems.dialogue import Dialogue
from medassay.systems.prompts import PromptFile

__all__ = ["answer_first"]


def answer_first(case: Case, system: str, prompts: PromptFile) -> Dialogue[Answer]:
    """Ask for an answer, then for its citations; the words stay those of the first reply.

    A sentence that the second reply does not repeat cites nothing: what a model says when it was
    asked to cite must not change what it answered.
    """
    fields = note_fields(case)
    first = yield prompts.asked("answer", fields)
    answered = read_statements(first, case)
    first_words_said = " ".join(statement.text for statement in answered)
    second = yield prompts.asked("cite", {**fields, "answer": first_words_said})
    citations = {s.text: s.citations for s in read_statements(second, case)}
    statements = tuple(
        Statement(text=s.text, citations=citations.get(s.text, ())) for s in answered
    )
    raw = f"{first}\n\n{second}"
    return Answer(system=system, case=case.case, statements=statements, raw=raw)
