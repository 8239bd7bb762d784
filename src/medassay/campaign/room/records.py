"""What a rater is shown, what is asked, and what the rater says: plain records, blinded."""

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from medassay.judgements.rows import AboutKind

Stage: TypeAlias = Literal["documents", "answer", "revealed"]
"""What of a task may be seen: documents before the answer, the answer, the system's confidence."""

Standing: TypeAlias = Literal[
    "consent",  # the information was not agreed to yet, or a newer version of it was not
    "passphrase",  # signatures are asked for, and no passphrase is set
    "sign",  # a finished batch is not signed, or was changed since
    "task",  # there is an answer to rate
    "break",  # a batch is done, and no break was taken since
    "review",  # the calibration answers are done, and nobody has reviewed them yet
    "again",  # a reviewer has sent them back, and they were not handed in again
    "reviewed",  # they have passed, and what the reviewer says was not read yet
    "tomorrow",  # the day's limit is reached
    "paused",  # the lead has paused the campaign
    "closed",  # the lead has closed it, or this rater's part
    "guess",  # all is rated; which systems were it, is asked last
    "done",
]
"""Where a rater stands."""


@dataclass(frozen=True, slots=True)
class TurnShown:
    """A turn of a conversation: who speaks, `user` or `system`, and what is said."""

    role: str
    text: str


@dataclass(frozen=True, slots=True)
class Sentence:
    """A numbered sentence or passage of the case: the id that citations name, and its text."""

    id: str
    text: str


@dataclass(frozen=True, slots=True)
class DocumentShown:
    """A document: its id, title and text."""

    id: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class StatementShown:
    """A statement of an answer: its place from 1, its text, and the ids that it cites."""

    place: int
    text: str
    citations: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AnswerShown:
    """An answer: its statements, or one statement that is the whole text.

    Attributes:
        text: The whole text; places of spans count its characters from 0.
        statements: The text in pieces with what each cites.
        turns: The conversation as it went, where the system spoke more than once.
        choice: The option chosen, as it is read.
        reasoning: The system's account of how it came to the answer.
    """

    text: str
    statements: tuple[StatementShown, ...] = ()
    turns: tuple[TurnShown, ...] = ()
    choice: str = ""
    reasoning: str = ""


@dataclass(frozen=True, slots=True)
class Shown:
    """All that a rater reads for one task; nothing in it names a system.

    Attributes:
        question: The question.
        turns: The conversation before it.
        options: The options of a multiple-choice question, letter to text.
        narrative: The story around the question.
        evidence: Sentences of the case, which answers cite by id.
        documents: Documents, in the order of the case.
        retrieved: Documents that the system found, by rank.
        references: Experts' answers.
        answer: The answer; None at the stage where documents are labelled first.
        answer_b: The second answer, where one of two is preferred.
        confidence: The label that the system puts on its own confidence; at the last stage only.
    """

    question: str = ""
    turns: tuple[TurnShown, ...] = ()
    options: tuple[tuple[str, str], ...] = ()
    narrative: str = ""
    evidence: tuple[Sentence, ...] = ()
    documents: tuple[DocumentShown, ...] = ()
    retrieved: tuple[DocumentShown, ...] = ()
    references: tuple[str, ...] = ()
    answer: AnswerShown | None = None
    answer_b: AnswerShown | None = None
    confidence: str = ""


@dataclass(frozen=True, slots=True)
class ExampleShown:
    """A worked example of a label: the answer or what of it matters, why, and the question."""

    answer: str
    why: str
    question: str = ""


@dataclass(frozen=True, slots=True)
class LabelShown:
    """A label with when to choose it, and worked examples."""

    label: str
    description: str = ""
    examples: tuple[ExampleShown, ...] = ()


@dataclass(frozen=True, slots=True)
class AboutShown:
    """One thing that a question is asked about: its value for the column `about`, and its text."""

    about: str = ""
    text: str = ""


@dataclass(frozen=True, slots=True)
class NumberShown:
    """The numbers that may be given: the lowest, the highest, the unit, and all of it in words."""

    low: float | None
    high: float | None
    unit: str
    words: str

    def holds(self, number: float) -> bool:
        """Say whether a number lies within."""
        return (self.low is None or self.low <= number) and (
            self.high is None or number <= self.high
        )


@dataclass(frozen=True, slots=True)
class Question:
    """One dimension as it is asked of this task.

    Attributes:
        id: The dimension.
        title: Its heading.
        question: The question.
        scale: nominal, ordinal or interval.
        labels: The labels, in order.
        kind: What it is about; for `answer` there is one entry in `about`, with an empty value.
        about: What it is asked about, in order. For `span` it is empty: raters mark spans
            themselves, as many as they find.
        stage: At which stage it is asked.
        precedence: Where two labels can hold at once, the one to choose stands first.
        number: The number that is asked for, in place of labels; None where labels are.
        none: What is said where no span is marked; empty where that is not said.
        confidence: Words for how sure a rater is, from unsure to sure, or `0-1` alone for a share;
            empty where that is not asked.
        shown: Words that are shown in another language, by the word that is kept.
        language: The language in which it is shown; empty where the rubric does not say.
    """

    id: str
    title: str
    question: str
    scale: str
    labels: tuple[LabelShown, ...]
    kind: AboutKind = "answer"
    about: tuple[AboutShown, ...] = ()
    stage: Stage = "answer"
    precedence: tuple[str, ...] = ()
    number: NumberShown | None = None
    none: str = ""
    confidence: tuple[str, ...] = ()
    shown: dict[str, str] = field(default_factory=dict)
    language: str = ""


@dataclass(frozen=True, slots=True)
class Given:
    """What a rater has said of one question about one thing, as it holds now.

    Attributes:
        label: The label; empty where a number or a reason was given.
        number: The number, on a scale of numbers.
        reason: Why there is no label: `cannot_judge` or `not_applicable`.
        comment: The words beside it.
        confidence: The rater's own confidence: from 0 to 1, or a word of the rubric.
        carried: Whether it is what the rater said of the same document beside another answer.
        language: The language in which the label was shown; empty where the rubric does not say.
    """

    label: str = ""
    number: float | None = None
    reason: str = ""
    comment: str = ""
    confidence: float | str | None = None
    carried: bool = False
    language: str = ""

    @property
    def holds(self) -> bool:
        """Say whether it answers the question; a comment alone does not."""
        return bool(self.label or self.reason) or self.number is not None


@dataclass(frozen=True, slots=True)
class Remark:
    """What a reviewer says of one label of a first answer.

    Attributes:
        code: The task.
        position: Its place in the rater's order.
        dimension: The dimension; empty for the answer as a whole.
        about: What of the answer it is about; empty for all that was said of the question.
        title: The question's title.
        outcome: `mistake`, `difference` or `fine`; empty for words alone.
        words: The reviewer's words.
        was: What the reviewer saw.
        settled: Whether the rater changed it since, or kept it; empty where neither.
        because: Why the rater keeps it.
    """

    code: str
    position: int
    dimension: str
    about: str
    title: str
    outcome: str
    words: str
    was: Given
    settled: Literal["", "changed", "kept"] = ""
    because: str = ""

    @property
    def open(self) -> bool:
        """Say whether the rater has to change something or say why not."""
        return self.outcome == "mistake" and not self.settled

    @property
    def tells(self) -> bool:
        """Say whether its rater learns anything by it."""
        return bool(self.words) or self.outcome in {"mistake", "difference"}


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a rater has come: answers asked for and done, and seconds an answer took so far."""

    asked: int
    done: int
    seconds: float | None = None

    @property
    def seconds_left(self) -> float | None:
        """Estimate the seconds that are left; None before anything is done."""
        return None if self.seconds is None else self.seconds * (self.asked - self.done)


@dataclass(frozen=True, slots=True)
class Task:
    """One answer to rate, or one pair.

    Attributes:
        code: What stands for it in every address and record; it says nothing of the system.
        kind: Whether an answer is rated or one of two preferred.
        stage: What may be seen now; the next stage opens when all of this one is answered.
        shown: What is read.
        questions: What is asked, at this stage and the ones before it.
        given: What was said so far, by dimension and `about`.
        comment: The rater's words on the answer as a whole.
        dangerous: Whether the rater has marked it as truly dangerous.
        calibration: Whether it is one of those that everybody rates first.
        position: Its place in this rater's order, from 1.
        batch: Its batch, from 1.
        display: The arm of display that it is shown in, such as `citations hidden`; empty if none.
        earlier: The code before it, to go back to; empty for the first.
        later: The code after it, where that one was begun already; empty otherwise.
        closed_because: Empty, or why nothing may be changed any more.
        remarks: What a reviewer said of it, once all first answers were decided on.
        earlier_labels: What this rater said of the same documents beside another answer.
    """

    code: str
    kind: Literal["answers", "preferences"]
    stage: Stage
    shown: Shown
    questions: tuple[Question, ...]
    given: dict[tuple[str, str], Given] = field(default_factory=dict)
    comment: str = ""
    dangerous: bool = False
    calibration: bool = False
    position: int = 1
    batch: int = 1
    display: str = ""
    earlier: str = ""
    later: str = ""
    closed_because: str = ""
    remarks: tuple[Remark, ...] = ()
    earlier_labels: dict[tuple[str, str], Given] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Break:
    """A break that is due: after which batch, of how many."""

    after: int
    batches: int


@dataclass(frozen=True, slots=True)
class Said:
    """One thing that a rater says; the browser names it, so that it may be sent twice.

    Attributes:
        client: What the browser calls it: a UUID. Sent again, it is acknowledged and not repeated.
        code: The task.
        dimension: The dimension; empty for a comment on the answer, or for the mark `dangerous`.
        about: What of the answer it is about; empty for the answer as a whole.
        label: The label.
        number: The number.
        reason: Why there is none: `cannot_judge` or `not_applicable`.
        comment: Words beside it; None leaves those that are there.
        seconds: Active seconds since the last thing was said, as the browser counts them.
        confidence: The rater's own confidence: from 0 to 1, or a word of the rubric.
        at: When it was said, by the browser's clock, as ISO 8601; the server keeps its own as well.
        dangerous: True or False sets or lifts the mark; None leaves it.
        why: Why something that was said is corrected, where it is asked for; with nothing else, why
            it is kept although a reviewer calls it a mistake.
        takes_back: Empty, or the `client` of what is undone: what held before holds again.
        carried: Whether it is what the rater said of the same document beside another answer.
        language: The language in which the labels were shown; empty: in the rubric's own words.
    """

    client: str
    code: str
    dimension: str = ""
    about: str = ""
    label: str = ""
    number: float | None = None
    reason: str = ""
    comment: str | None = None
    seconds: float | None = None
    confidence: float | str | None = None
    at: str = ""
    dangerous: bool | None = None
    why: str = ""
    takes_back: str = ""
    carried: bool = False
    language: str = ""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why something was not taken: a word for programs, and a sentence for people."""

    word: Literal[
        "not_yours", "not_asked", "no_label", "no_number", "too_late", "paused", "closed",
        "consent", "no_space", "too_simple", "passphrase_set", "no_passphrase", "wrong_passphrase",
        "too_many_tries", "changed", "said_before",
    ]  # fmt: skip
    sentence: str


@dataclass(frozen=True, slots=True)
class Receipt:
    """What became of something that was said.

    Attributes:
        client: What the browser calls it.
        saved: Whether it is on the disk; nothing is acknowledged before.
        again: Whether it was there already.
        refusal: Why it was not taken; None where it was.
    """

    client: str
    saved: bool
    again: bool = False
    refusal: Refusal | None = None


@dataclass(frozen=True, slots=True)
class Guess:
    """One guess of the system behind an answer: the code, the system's title, how sure (0 to 1)."""

    client: str
    code: str
    system: str
    sure: float | None = None
