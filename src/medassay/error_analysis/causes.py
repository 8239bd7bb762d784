"""Why an answer is wrong, what changed between two runs, and how dangerous raters find it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Final

from medassay.answers import Answer, NoChoice, chosen_option, parse_choice
from medassay.cases import Case, Document
from medassay.judgements import DANGEROUS, Dimension, Judgements, Units, units
from medassay.scores import Reason, Unit
from medassay.text import content_words

__all__ = [
    "Cause",
    "ErrorCause",
    "ErrorVerdict",
    "Flip",
    "FlipKind",
    "OptionChosen",
    "choice_flips",
    "error_cause",
    "harm_verdicts",
]

_SOMEWHAT: Final = 0.4
"""From this coverage of the question on, the source calls a context relevant."""
_HELD: Final = 0.5
_DEPTH: Final = 10
_MOST_TEXTS: Final = 4096
_SEVERITY: Final = "-severity"
_LIKELIHOOD: Final = "-likelihood"
_TWO: Final = 2
_Labels = dict[Unit, list[str]]


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
        no_context: None of the first k documents covers 0.4 of the question's content words: the
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


class FlipKind(StrEnum):
    """What a change did, the first to be looked at first."""

    BROKEN = "broken"
    FIXED = "fixed"
    OTHERWISE = "otherwise wrong"


@dataclass(frozen=True, slots=True)
class OptionChosen:
    """What was chosen, and what is right; None for no choice."""

    choice: str | None
    gold: str

    @property
    def is_right(self) -> bool:
        """Say whether the right option was chosen."""
        return self.choice == self.gold


@dataclass(frozen=True, slots=True)
class Flip:
    """One answer whose choice is another than before.

    Attributes:
        system: The system, or both systems where two are compared.
        case: The case.
        old: The option chosen before; None for no choice.
        new: The option chosen now.
        gold: The right one, as the new run says.
        kind: Whether it is broken, fixed, or wrong in another way.
    """

    system: str
    case: str
    old: str | None
    new: str | None
    gold: str
    kind: FlipKind


def choice_flips(
    old: Mapping[tuple[str, str], OptionChosen], new: Mapping[tuple[str, str], OptionChosen]
) -> tuple[Flip, ...]:
    """List every answer that both runs have and whose choice, or its being right, differs.

    The broken ones first, then the fixed ones, then those that are wrong in another way.

    Example:
        >>> before = {("s", "1"): OptionChosen("A", "A")}
        >>> after = {("s", "1"): OptionChosen("B", "A")}
        >>> [flip.kind.value for flip in choice_flips(before, after)]
        ['broken']
    """
    flips = []
    for key in sorted(old.keys() & new.keys()):
        before, after = old[key], new[key]
        if before.is_right == after.is_right and (after.is_right or before.choice == after.choice):
            continue
        kind = FlipKind.OTHERWISE
        if before.is_right != after.is_right:
            kind = FlipKind.FIXED if after.is_right else FlipKind.BROKEN
        flips.append(Flip(*key, before.choice, after.choice, after.gold, kind))
    order = list(FlipKind)
    return tuple(sorted(flips, key=lambda flip: order.index(flip.kind)))


@dataclass(frozen=True, slots=True)
class ErrorVerdict:
    """What is known of one answer, or one part of it, and one kind of error.

    Attributes:
        system: The system.
        case: The case.
        sample: Which of the system's answers to the case.
        about: Its part that was judged; empty for the answer as a whole.
        kind: The kind: the dimension's id without `-severity`.
        raters: How many gave a label before any adjudication.
        differ: Whether their labels of severity differ.
        adjudicated: Whether an adjudicator gave a label, which then counts alone.
        severity: The label that counts.
        severity_score: Its score.
        likelihood: The label of likelihood that counts; None where none was given.
        likelihood_score: Its score.
        dangerous: Whether the label of severity reads dangerous.
    """

    system: str
    case: str
    sample: int
    about: str
    kind: str
    raters: int
    differ: bool
    adjudicated: bool
    severity: str
    severity_score: float | None
    likelihood: str | None
    likelihood_score: float | None
    dangerous: bool

    @property
    def open(self) -> bool:
        """Say whether raters differ and nobody has adjudicated."""
        return self.differ and not self.adjudicated

    @property
    def reviewed_twice(self) -> bool:
        """Say whether two raters or more judged it."""
        return self.raters >= _TWO


def harm_verdicts(judgements: Judgements) -> list[ErrorVerdict]:
    """Join the labels of severity and likelihood, an adjudicator's before all others.

    Of several labels the upper median counts: of two that differ the worse one. So an answer is
    dangerous where half of its raters or more call it so.

    Args:
        judgements: What raters said. Dimensions without a mapping `dangerous` are passed over.

    Example:
        >>> from medassay.judgements import load_rubric
        >>> said = [("r1", "none"), ("r2", "severe")]
        >>> judgements = Judgements.from_rows(
        ...     [{"rater": r, "system": "A", "case": "1", "dimension": "wrong-dose-severity",
        ...       "label": label} for r, label in said], load_rubric("harm"))
        >>> [one] = harm_verdicts(judgements)
        >>> one.severity, one.dangerous, one.open
        ('severe', True, True)
    """
    rubric = judgements.rubric
    judged = set(judgements.frame["dimension"])
    verdicts = []
    for dimension in rubric.dimensions:
        reading = dimension.mappings.get(DANGEROUS)
        if reading is None or dimension.id not in judged:
            continue
        kind = dimension.id.removesuffix(_SEVERITY)
        main, last = _labels(judgements, dimension.id)
        other = f"{kind}{_LIKELIHOOD}"
        likely = _labels(judgements, other) if other in judged else ({}, {})
        for key in sorted(main.keys() | last.keys()):
            severity, severity_score = _joined(last.get(key) or main[key], dimension)
            words = likely[1].get(key) or likely[0].get(key)
            likelihood, likelihood_score = (
                _joined(words, rubric.dimension(other)) if words else (None, None)
            )
            before = main.get(key, [])
            verdicts.append(
                ErrorVerdict(
                    *key,
                    kind,
                    len(before),
                    len(set(before)) > 1,
                    key in last,
                    severity,
                    severity_score,
                    likelihood,
                    likelihood_score,
                    reading[severity] == DANGEROUS,
                )
            )
    return verdicts


def _labels(judgements: Judgements, dimension: str) -> tuple[_Labels, _Labels]:
    """Give each answer's labels before adjudication, and by adjudication."""
    main = units(judgements, dimension, "full")
    last = units(judgements, dimension, "full", ("adjudication",))
    return _by_answer(main), _by_answer(last)


def _by_answer(read: Units) -> _Labels:
    by_answer: _Labels = {}
    for unit, code in zip(read.unit.tolist(), read.code.tolist(), strict=True):
        by_answer.setdefault(read.keys[unit], []).append(read.labels[code])
    return by_answer


def _joined(labels: Sequence[str], dimension: Dimension) -> tuple[str, float | None]:
    """Give the upper median and its score: in the order of the scores, or of the labels."""
    scores = dict(zip(dimension.names, dimension.scores or (), strict=False))
    order = [(scores.get(name, float(i)), i, name) for i, name in enumerate(dimension.names)]
    ranked = sorted(entry for label in labels for entry in order if entry[2] == label)
    name = ranked[len(ranked) // 2][2]
    return name, scores.get(name)
