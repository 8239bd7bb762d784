"""What a run found about wrong answers."""

from medassay.marks import CaseId, DesignName, SystemName, Tag, TagName, Text, Words
from medassay.marks.plain import Plain
from medassay.stats import Interval

__all__ = [
    "CauseCount",
    "ConditionErrors",
    "ConditionPairResult",
    "ConfidentError",
    "ErrorDetail",
    "ErrorGroup",
    "QuestionResult",
    "RetrievalFailures",
]


class CauseCount(Plain, infers=False):
    """Wrong answers with one cause."""

    cause: Words
    n: int


class ErrorGroup(Plain, infers=True):
    """The wrong answers of one system among some questions, by cause."""

    kind: Words
    """What groups the questions: empty for all of them, `tag`, `concept` or `confidence`."""
    group: TagName
    """The tag, or what the concepts are; empty where all or a band of confidence is meant."""
    value: Tag
    band: Words
    """A band of confidence; empty for every other kind."""
    system: SystemName
    n: int
    """Questions."""
    wrong: int
    interval: Interval
    """Around wrong / n."""
    causes: list[CauseCount]


class RetrievalFailures(Plain, infers=False):
    """Wrong answers after a failed retrieval, by both definitions."""

    system: SystemName
    wrong: int
    no_document: int
    """No document graded as relevant among the first k."""
    no_document_known: int
    """Wrong answers of which that is known."""
    no_context: int
    """None of the first k documents covers .4 of the question: the published definition."""
    no_context_known: int


class ConditionErrors(Plain, infers=True):
    """How near the conditions that one system chose are to the right ones."""

    system: SystemName
    same: int
    similar: int
    unrelated: int
    outside: int
    """Wrong answers where one of the two options names no condition of the sixteen groups."""
    similar_share: float | None
    """Of similar and unrelated ones."""
    interval: Interval | None


class ConditionPairResult(Plain, infers=False):
    """Two conditions taken for each other."""

    system: SystemName
    one: Tag
    other: Tag
    likeness: Words
    n: int


class ConfidentError(Plain, infers=False):
    """A wrong answer that its system was sure of."""

    system: SystemName
    case: CaseId
    confidence: float
    choice: DesignName | None
    gold: DesignName
    cause: Words
    question: Text | None
    """This and the rest are None where texts do not leave the study."""
    chosen_text: Text | None
    right_text: Text | None
    reasoning: Text | None


class QuestionResult(Plain, infers=False):
    """What one system did with one question."""

    system: SystemName
    case: CaseId
    gold: DesignName
    choice: DesignName | None
    confidence: float | None
    cause: Words
    """Why it is wrong; empty where it is right."""


class ErrorDetail(Plain, infers=True):
    """Everything about wrong answers."""

    k: int
    """How far down rankings are read."""
    confident_from: float
    groups: list[ErrorGroup]
    retrieval: list[RetrievalFailures]
    condition_groups: int
    """How many groups of similar conditions there are."""
    conditions: list[ConditionErrors]
    pairs: list[ConditionPairResult]
    confident: list[ConfidentError]
    questions: list[QuestionResult]
