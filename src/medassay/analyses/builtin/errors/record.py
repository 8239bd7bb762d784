"""Wrong answers: their causes by group, conditions taken for each other, and confident ones."""

from medassay.error_analysis import Cause, ConditionConfusion
from medassay.marks import CaseId, DesignName, SystemName, Tag, TagName, Text, Words, record
from medassay.stats import Interval

__all__ = [
    "ConditionErrors",
    "ConfidentError",
    "ErrorGroup",
    "QuestionAsked",
    "RetrievalFailures",
    "WrongAnswers",
]


@record(infers=True)
class ErrorGroup:
    """The wrong answers of one system among some questions, by cause.

    Attributes:
        kind: What groups the questions: empty for all of them, `tag`, `concept` or `confidence`.
        group: The tag, or what the concepts are; empty where all or a band of confidence is meant.
        value: Of the tag, or the concept.
        band: A band of confidence; empty for every other kind.
        system: The system.
        n: Questions.
        wrong: Those answered wrongly.
        interval: Around wrong / n.
        causes: Cause to the wrong answers that have it.
    """

    kind: Words
    group: TagName
    value: Tag
    band: Words
    system: SystemName
    n: int
    wrong: int
    interval: Interval
    causes: dict[Cause, int]


@record(infers=False)
class RetrievalFailures:
    """Wrong answers after a failed retrieval, by both definitions.

    Attributes:
        system: The system.
        wrong: Wrong answers.
        no_document: No document graded as relevant among the first k.
        no_document_known: Wrong answers of which that is known.
        no_context: None of the first k documents covers .4 of the question: the published
            definition of a retrieval failure.
        no_context_known: Wrong answers of which that is known.
    """

    system: SystemName
    wrong: int
    no_document: int
    no_document_known: int
    no_context: int
    no_context_known: int


@record(infers=True)
class ConditionErrors:
    """How near the conditions that one system chose are to the right ones.

    Attributes:
        system: The system.
        confusion: Its wrong answers by how near.
        interval: Around the share of similar ones; None where there is no such share.
    """

    system: SystemName
    confusion: ConditionConfusion
    interval: Interval | None


@record(infers=False)
class ConfidentError:
    """A wrong answer that its system was sure of.

    Attributes:
        system: The system.
        case: The question.
        confidence: How sure the system was.
        choice: What it chose; None where no single option can be read.
        gold: The right option.
        cause: Why it is wrong.
        question: In its words; this and the rest are None where texts do not leave the study.
        chosen_text: What the chosen option says.
        right_text: What the right option says.
        reasoning: The system's.
    """

    system: SystemName
    case: CaseId
    confidence: float
    choice: DesignName | None
    gold: DesignName
    cause: Cause
    question: Text | None
    chosen_text: Text | None
    right_text: Text | None
    reasoning: Text | None


@record(infers=False)
class QuestionAsked:
    """What one system did with one question.

    Attributes:
        system: The system.
        case: The question.
        gold: The right option.
        choice: What it chose; None where no single option can be read.
        confidence: How sure it was; None where it does not say.
        cause: Why it is wrong; None where it is right.
    """

    system: SystemName
    case: CaseId
    gold: DesignName
    choice: DesignName | None
    confidence: float | None
    cause: Cause | None


@record(infers=True)
class WrongAnswers:
    """Everything about wrong answers.

    Attributes:
        k: How far down rankings are read.
        confident_from: Above this the source calls a wrong answer a confident one.
        groups: By group of questions and system, all questions first.
        retrieval: One a system.
        condition_groups: How many groups of similar conditions there are.
        conditions: One a system.
        confident: Wrong answers that systems were sure of, the surest of each first.
        questions: Every question put to every system.
    """

    k: int
    confident_from: float
    groups: tuple[ErrorGroup, ...]
    retrieval: tuple[RetrievalFailures, ...]
    condition_groups: int
    conditions: tuple[ConditionErrors, ...]
    confident: tuple[ConfidentError, ...]
    questions: tuple[QuestionAsked, ...]
