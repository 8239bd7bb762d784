"""Why an answer is wrong, as far as rules can see."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Final

from medassay.answers import Answer, NoChoice, chosen_option, parse_choice
from medassay.cases import Case, Document
from medassay.scores import Reason
from medassay.text import content_words

__all__ = ["Cause", "ErrorCause", "error_cause"]

_SOMEWHAT: Final = 0.4
"""From this coverage of the question on, the source calls a context relevant."""
_HELD: Final = 0.5
_DEPTH: Final = 10
_MOST_TEXTS: Final = 4096


class Cause(StrEnum):
    """What went wrong first, in the order of the pipeline's end."""

    NEVER_ANSWERED = "never answered"
    ABSTENTION = "abstention"
    PARSING = "parsing"
    RETRIEVAL = "retrieval"
    KNOWLEDGE = "knowledge"
    REASONING = "reasoning"
    UNKNOWN = "not known"


@dataclass(frozen=True, slots=True)
class ErrorCause:
    """Why one answer is wrong.

    Attributes:
        cause: The first of the causes that holds.
        no_document: No document graded as relevant is among the first k: a retrieval failure; None
            where no ranking or no grades are known.
        no_context: None of the first k documents covers .4 of the question's content words: the
            published definition of a retrieval failure; None where texts are not known.
        why: What decided.
    """

    cause: Cause
    no_document: bool | None
    no_context: bool | None
    why: str


def error_cause(case: Case, answer: Answer | None, k: int = _DEPTH) -> ErrorCause | None:
    """Say why an answer is wrong; None if it is right.

    In this order, and the first that holds is the cause: never answered; not known (it states no
    choice, and its text is not held); abstention (it refuses, or is empty); parsing (it is no
    refusal, and no single option can be read); retrieval (no relevant document among the first
    k; where nobody graded documents, no relevant context); knowledge (the relevant documents found
    do not hold half of the right option's content words: the system would have had to know);
    reasoning (they do, and another option was chosen). Rules, not verdicts: the words of an option
    may stand in a document for another reason.

    Args:
        case: The question, with its right option.
        answer: The answer; None if none was given.
        k: How far down a ranking is read.

    Example:
        >>> case = Case(case="1", options={"A": "Rest", "B": "Surgery"}, gold="A",
        ...     documents=[{"id": "g", "grade": 1, "text": "Surgery is rarely needed."}])
        >>> wrong = Answer(system="S", case="1", choice="B", retrieved=[{"document": "g"}])
        >>> error_cause(case, wrong).cause
        <Cause.KNOWLEDGE: 'knowledge'>
    """
    if answer is None:
        return ErrorCause(Cause.NEVER_ANSWERED, None, None, "no answer")
    choice = chosen_option(case, answer)
    if choice == case.gold:
        return None
    first = _first(case, answer, k)
    no_document, no_context = _no_document(case, answer, k), _no_context(case, answer, first, k)
    cause, why = _unread(case, answer) if choice is None else (None, "")
    if cause is None:
        failed = no_context if no_document is None else no_document
        cause, why = _misled(case, first, k, failed=failed)
    return ErrorCause(cause, no_document, no_context, why)


def _unread(case: Case, answer: Answer) -> tuple[Cause, str]:
    if answer.choice is not None:
        return Cause.PARSING, "the choice is none of the options"
    if not answer.held:
        return Cause.UNKNOWN, Reason.NOT_HELD.words
    parsed = parse_choice(answer.text or "", case.options)
    if parsed.reason in {NoChoice.EMPTY, NoChoice.REFUSAL}:
        return Cause.ABSTENTION, "empty" if parsed.reason is NoChoice.EMPTY else "it refuses"
    return Cause.PARSING, {
        NoChoice.SEVERAL: "it names several options",
        NoChoice.NOT_AN_OPTION: "it names a letter that is no option",
    }.get(parsed.reason or NoChoice.NONE, "it names no option")


def _misled(
    case: Case, first: Sequence[Document], k: int, *, failed: bool | None
) -> tuple[Cause, str]:
    if failed is None:
        return Cause.UNKNOWN, "no ranking, or neither grades nor texts of documents"
    if failed:
        return Cause.RETRIEVAL, f"nothing relevant among the first {k}"
    documents = [document for document in first if (document.grade or 0) > 0] or [
        document for document in first if _covers(_asked(case), document)
    ]
    words = content_words(case.options.get(case.gold or "", ""))
    if not words or any(document.text is None for document in documents):
        return Cause.UNKNOWN, "the right option has no words, or a document has no text"
    held = frozenset().union(*(_words(document) for document in documents)) & words
    text = f"{len(held)} of {len(words)} words of the right option stand in what was found"
    return (Cause.REASONING if len(held) >= _HELD * len(words) else Cause.KNOWLEDGE), text


def _no_document(case: Case, answer: Answer, k: int) -> bool | None:
    relevant = {document.id for document in case.documents if (document.grade or 0) > 0}
    if answer.retrieved is None or not relevant:
        return None
    return not any(retrieved.document in relevant for retrieved in answer.retrieved[:k])


def _no_context(case: Case, answer: Answer, first: Sequence[Document], k: int) -> bool | None:
    if answer.retrieved is None:
        return None
    known = len(first) == len(answer.retrieved[:k]) and all(document.text for document in first)
    asked = _asked(case) if known else None
    if not asked:
        return None
    return not any(_covers(asked, document) for document in first)


def _first(case: Case, answer: Answer, k: int) -> Sequence[Document]:
    known = {document.id: document for document in case.documents}
    return [known[o.document] for o in (answer.retrieved or ())[:k] if o.document in known]


def _asked(case: Case) -> frozenset[str]:
    return content_words(case.asked or "")


def _covers(asked: frozenset[str], document: Document) -> bool:
    return len(asked & _words(document)) >= _SOMEWHAT * len(asked)


def _words(document: Document) -> frozenset[str]:
    return _read(document.title or "", document.text or "")


@lru_cache(maxsize=_MOST_TEXTS)
def _read(title: str, text: str) -> frozenset[str]:
    return content_words(f"{title} {text}")
