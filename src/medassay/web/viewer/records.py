"""What the pages of a study show, as plain records."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from medassay.web.laid_out import MarkedStretch


@dataclass(frozen=True, slots=True)
class AnswerLine:
    """A row of the table of answers.

    Attributes:
        case: The case's id.
        system: The system.
        title: What a table calls the system.
        asked: The question, cut to a line; empty where the study keeps its texts.
    """

    case: str
    system: str
    title: str
    asked: str


@dataclass(frozen=True, slots=True)
class RaterQuestion:
    """What raters are asked, with the labels that somebody gave.

    Attributes:
        id: The dimension.
        title: What a heading says.
        labels: Those of the rubric, in order.
    """

    id: str
    title: str
    labels: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LabelView:
    """What raters say of one thing.

    Attributes:
        title: What was asked.
        about: The part of the answer or the case; empty where it is the answer.
        said: Label to those who gave it, in the order of the scale.
        differ: Whether two raters say different things.
        comments: Who wrote what beside it.
        harmful: The labels of these that read as harmful.
    """

    title: str
    about: str
    said: Mapping[str, tuple[str, ...]]
    differ: bool
    comments: tuple[tuple[str, str], ...] = ()
    harmful: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class ScoreView:
    """One score.

    Attributes:
        name: Its canonical name.
        title: What a table calls it.
        value: The value, as it prints; empty where there is none.
        why: Why there is none.
        share: Where the value lies in the range of the scale, 0 to 1; None where that has no end.
        kind: Who made it.
    """

    name: str
    title: str
    value: str
    why: str
    share: float | None
    kind: str


@dataclass(frozen=True, slots=True)
class ShownFinding:
    """A finding: a flag of danger, a claim, a step of the reasoning.

    Attributes:
        number: Its number among those of the answer.
        kind: What it is.
        of: The rule, the verdict or the step.
        says: What it says.
    """

    number: int
    kind: str
    of: str
    says: str


@dataclass(frozen=True, slots=True)
class AnswerView:
    """One answer with what was measured and said of it.

    Attributes:
        system: Who gave it.
        title: What a table calls the system.
        status: given, empty, not held or never answered.
        text: The answer, cut where findings begin and end; empty where texts are kept.
        reasoning: How the system came to it, cut alike.
        choice: The option that it chose.
        right: Whether that is the right one; None where nobody knows.
        confidence: How sure the system says it is, as it prints.
        retrieved: The documents that it found, best first.
        found: The findings.
        labels: What raters say.
        scores: The scores.
        fits: Whether it fits what was asked for; the others stand beside it to compare.
    """

    system: str
    title: str
    status: str
    text: tuple[MarkedStretch, ...] = ()
    reasoning: tuple[MarkedStretch, ...] = ()
    choice: str = ""
    right: bool | None = None
    confidence: str = ""
    retrieved: tuple[str, ...] = ()
    found: tuple[ShownFinding, ...] = ()
    labels: tuple[LabelView, ...] = ()
    scores: tuple[ScoreView, ...] = ()
    fits: bool = True


@dataclass(frozen=True, slots=True)
class WordsChanged:
    """A stretch of an answer beside the same answer elsewhere.

    Attributes:
        words: The words.
        changed: Whether they stand in this one alone.
    """

    words: str
    changed: bool


@dataclass(frozen=True, slots=True)
class ChangedView:
    """An answer beside the same one in another study, or in an earlier run.

    Attributes:
        title: What the other side is called.
        here: What this side is called.
        before: The other answer, with what it says alone; empty where texts are kept.
        now: This answer, alike.
        same: Whether both are the same, letter by letter; None where a text is not held.
        why: Why a text is not held.
        scores: Each score's title, value there and value here, as they print.
    """

    title: str
    here: str
    before: tuple[WordsChanged, ...]
    now: tuple[WordsChanged, ...]
    same: bool | None
    why: str = ""
    scores: tuple[tuple[str, str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Preferred:
    """What raters say of two answers side by side.

    Attributes:
        title: What was asked.
        first: One system.
        second: The other.
        said: What was said to those who said it: a system, a tie, or the reason why not.
    """

    title: str
    first: str
    second: str
    said: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class CaseView:
    """One case with its answers side by side.

    Attributes:
        case: Its id.
        question: What was asked; empty where the study keeps its texts, as is all text below.
        narrative: What stood before the question.
        turns: The conversation, who and what.
        evidence: Id, relevance and text.
        documents: Id, title and text.
        references: Answers of experts.
        options: Letter to text.
        gold: The right option.
        tags: The case's tags.
        answers: The answers, in the order of their systems.
        preferred: What raters say of pairs of them.
    """

    case: str
    question: str = ""
    narrative: str = ""
    turns: tuple[tuple[str, str], ...] = ()
    evidence: tuple[tuple[str, str, str], ...] = ()
    documents: tuple[tuple[str, str, str], ...] = ()
    references: tuple[str, ...] = ()
    options: Mapping[str, str] = field(default_factory=dict)
    gold: str = ""
    tags: Mapping[str, str] = field(default_factory=dict)
    answers: tuple[AnswerView, ...] = ()
    preferred: tuple[Preferred, ...] = ()

    @property
    def asks(self) -> bool:
        """Say whether anything of what was asked can be shown."""
        whole = (self.question, self.turns, self.narrative)
        return any((*whole, self.options, self.evidence, self.documents))
