"""What a question speaks of beside what was asked and answered: shown, or nothing is asked."""

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from medassay.answers import Answer
from medassay.cases import Case
from medassay.judgements import Dimension, Reads, cited_text, unsaid_reads
from medassay.scores import Reason

__all__ = ["NOT_THERE", "PLACES", "Sources", "sources_of", "text_lacks", "unaskable"]

Sources: TypeAlias = Mapping[str, object]

PLACES: Final[Mapping[Reads, tuple[str, ...]]] = {
    "evidence": ("given",),
    "references": ("sources", "references"),
    "retrieved": ("sources",),
    "cited": ("sources",),
}
"""The places of a prompt, one of which it must have where a question speaks of this."""

NOT_THERE: Final[Mapping[Reads, str]] = {
    "evidence": "its case holds neither a narrative nor evidence",
    "references": "its case has no reference answer",
    "retrieved": "the study does not hold the texts that it retrieved",
    "cited": "the study does not hold the texts that it cites",
}
"""Why a judge cannot be shown it."""


def sources_of(dimension: Dimension, case: Case, answer: Answer) -> tuple[Sources, str]:
    """Give what a question about an answer speaks of, or say why a judge cannot be shown it.

    Example:
        >>> from medassay.judgements import load_rubric
        >>> asked = load_rubric("med-gpt").dimension("grounding")
        >>> answer = Answer(system="A", case="1", text="Rest.", retrieved=[{"document": "d"}])
        >>> sources_of(asked, Case(case="1", documents=[{"id": "d", "text": "Rest."}]), answer)
        ({'retrieved': [{'id': 'd', 'title': None, 'text': 'Rest.'}]}, '')
        >>> sources_of(asked, Case(case="1"), answer)
        ({}, 'the study does not hold the texts that it retrieved')
    """
    why = unaskable(dimension) or unsaid_reads(dimension) or text_lacks(answer)
    if why:
        return {}, why
    shown: dict[str, object] = {}
    for what in dimension.reads or ():
        found = _FINDS[what](case, answer)
        if found is None:
            return {}, NOT_THERE[what]
        shown |= found
    return shown, ""


def text_lacks(answer: Answer) -> str:
    """Say why a judge cannot be shown an answer; else nothing."""
    return "" if answer.held else Reason.NOT_HELD.words


def unaskable(dimension: Dimension) -> str:
    """Say why no model can be asked a question, whatever the study holds; else nothing."""
    if dimension.after_reveal:
        return "raters see the system's confidence beside it, and a prompt does not hold that"
    if dimension.about == "span" or not dimension.joinable:
        return "a judge marks no passages"
    return "nobody is asked: it is derived" if dimension.derived else ""


def _evidence(case: Case, _: Answer) -> Sources | None:
    """Say whether there is some: `<<given>>` shows it to whatever question."""
    return {} if case.narrative or case.evidence else None


def _references(case: Case, _: Answer) -> Sources | None:
    texts = [reference.text for reference in case.references]
    return {"references": texts} if texts else None


def _retrieved(case: Case, answer: Answer) -> Sources | None:
    known = {document.id: document for document in case.documents if document.text}
    names = [retrieved.document for retrieved in answer.retrieved or ()]
    if not names or not known.keys() >= set(names):
        return None
    documents = [known[name] for name in names]
    return {"retrieved": [document.model_dump(include=_SHOWN) for document in documents]}


_SHOWN: Final = {"id", "title", "text"}


def _cited(case: Case, answer: Answer) -> Sources | None:
    """Show what each statement cites; of an answer that marks no citation what it retrieved."""
    if not answer.citations:
        return _retrieved(case, answer)
    texts = {cited: cited_text(case, cited) for cited in answer.citations}
    if "" in texts.values():
        return None
    statements = [
        {
            "statement": statement.text,
            "cites": [{"id": cited, "text": texts[cited]} for cited in statement.citations],
        }
        for statement in answer.statements or ()
    ]
    return {"cited": statements}


_FINDS: Final[Mapping[Reads, Callable[[Case, Answer], Sources | None]]] = {
    "evidence": _evidence,
    "references": _references,
    "retrieved": _retrieved,
    "cited": _cited,
}
