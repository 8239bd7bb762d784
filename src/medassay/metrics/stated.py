"""Whose statements metrics of support read, and what they hold them against."""

from collections.abc import Mapping, Sequence
from typing import Final

from medassay.answers import Answer
from medassay.metrics.arithmetic.support import statements_of
from medassay.metrics.needs import Need, references
from medassay.metrics.odd_texts import Odd
from medassay.metrics.parameter import Parameter
from medassay.metrics.registry import Pair

__all__ = [
    "AGAINST",
    "OF",
    "OF_ANSWER_OR_REASONING",
    "SOURCES",
    "STATEMENTS",
    "STATES_NOTHING",
    "stated",
]

AGAINST: Final = Parameter(
    name="against",
    says="What statements are held against: the case's evidence, experts' answers (reference), or"
    " the documents that the system retrieved.",
    values=("evidence", "reference", "retrieved"),
    default="evidence",
)
OF: Final = Parameter(
    name="of",
    says="Whose statements: the answer's text, or its chain of reasoning, as the protocol's source"
    " takes them (reasoning).",
    values=("answer", "reasoning"),
    default="answer",
)
STATES_NOTHING: Final[Odd] = dict.fromkeys(
    ("emoji alone", "punctuation alone", "control characters alone", "the question again"), "0"
)


def _statements(answer: Answer) -> tuple[str, ...] | None:
    if answer.text is None:
        return None
    return answer.text, *(text for text, _ in statements_of(answer))


def _reasoned(answer: Answer) -> tuple[object, ...] | None:
    if answer.reasoning is None:
        return ("",) if answer.is_blank else None
    return answer.is_blank, answer.reasoning  # blank beside a blank chain: an empty answer


def _retrieved(answer: Answer) -> tuple[str, ...] | None:
    if answer.retrieved is None:
        return () if answer.is_blank else None
    return tuple(retrieved.document for retrieved in answer.retrieved)


STATEMENTS: Final = Need(words="text", of_answer=_statements)
OF_ANSWER_OR_REASONING: Final = (
    Need(words="text", of_answer=_statements, when=("of", "answer")),
    Need(words="text of reasoning", of_answer=_reasoned, when=("of", "reasoning")),
)
SOURCES: Final = (
    Need(
        words="evidence",
        of_case=lambda case: tuple((e.id, e.text) for e in case.evidence) or None,
        when=("against", "evidence"),
    ),
    Need(
        words="reference of kind human",
        of_case=lambda case: references(case, "human") or None,
        when=("against", "reference"),
    ),
    Need(
        words="documents with their content",
        of_case=lambda case: tuple((d.id, d.text) for d in case.documents if d.text) or None,
        when=("against", "retrieved"),
    ),
    Need(
        words="retrieved documents",
        of_answer=_retrieved,
        when=("against", "retrieved"),
    ),
)


def stated(pairs: Sequence[Pair], arguments: Mapping[str, str]) -> list[Pair]:
    """Put the chain of reasoning in the place of the text where it is asked for."""
    if arguments.get("of") != "reasoning":
        return list(pairs)
    return [
        (case, answer.model_copy(update={"text": answer.reasoning or "", "statements": None}))
        for case, answer in pairs
    ]
