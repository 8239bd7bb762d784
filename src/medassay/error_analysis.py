"""Why systems fail: which options and conditions they take for others, and what made them err.

What enters: what was right and what was chosen, case by case, with what was retrieved. What leaves:
counts and the figures that follow from them. Nothing here judges; what rules find is for a person
to look at.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache, lru_cache
from importlib.resources import files
from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, Field, model_validator

from medassay.annotations import DesignName, Tag, record
from medassay.answers import Answer, NoChoice, chosen_option, parse_choice
from medassay.cases import Case, Document
from medassay.judgements import DANGEROUS, Dimension, Judgements, Units, units
from medassay.scores import Reason, Unit
from medassay.tables import read_toml, wrong
from medassay.text import content_words

_ASIDE: Final = re.compile(r"\(([^)]*)\)?")
_NO_WORD: Final = re.compile(r"[\W_]+")
_Name = Annotated[str, Field(pattern=r"\w")]


@record(infers=False)
class OptionFigures:
    """How well one option is recognised.

    Attributes:
        option: The option.
        support: Questions to which it is the right one.
        chosen: Answers that chose it.
        right: Answers that chose it and were right.
        precision: right / chosen; None where nobody chose it.
        recall: right / support; None where it is never the right one.
        f1: The harmonic mean of the two, 2 right / (support + chosen): 0 where it is missed
            whenever it is right; None where it is neither right nor chosen anywhere.
    """

    option: DesignName
    support: int
    chosen: int
    right: int
    precision: float | None
    recall: float | None
    f1: float | None

    @classmethod
    def of(cls, option: str, *, support: int, chosen: int, right: int) -> "OptionFigures":
        """Compute the figures of counts."""
        return cls(
            option,
            support,
            chosen,
            right,
            precision=right / chosen if chosen else None,
            recall=right / support if support else None,
            f1=2 * right / (support + chosen) if support + chosen else None,
        )


@record(infers=False)
class OptionConfusion:
    """How often each option was chosen where each was right, and where none was chosen.

    A question without a choice counts as missed for the option that is right, and as chosen for
    none: it lowers recall and leaves precision alone.

    Attributes:
        options: The options, sorted.
        counts: Shape (options, options): rows right, columns chosen.
        no_choice: For each right option, the questions for which none was chosen.
        figures: Precision, recall and F1 of each option.
        n: Questions.
        accuracy: The share of all questions that is answered rightly; None without questions.
        balanced_accuracy: The macro recall, under its other name.
        macro_precision: The mean precision of the options that were chosen at all.
        macro_recall: The mean recall of the options that are right at all.
        macro_f1: The mean F1 of the options that are right or chosen at all.
        weighted_f1: The mean F1, each option weighing as many questions as it is right for.

    Example:
        >>> found = OptionConfusion.of([("A", "A"), ("A", "B"), ("B", "B"), ("B", None)])
        >>> found.counts, found.no_choice, found.accuracy
        (((1, 1), (0, 1)), (0, 1), 0.5)
        >>> found.figures[1].precision, found.figures[1].recall, found.balanced_accuracy
        (0.5, 0.5, 0.5)
    """

    options: tuple[DesignName, ...]
    counts: tuple[tuple[int, ...], ...]
    no_choice: tuple[int, ...]
    figures: tuple[OptionFigures, ...]
    n: int
    accuracy: float | None
    balanced_accuracy: float | None
    macro_precision: float | None
    macro_recall: float | None
    macro_f1: float | None
    weighted_f1: float | None

    @classmethod
    def of(
        cls, pairs: Iterable[tuple[str, str | None]], options: Iterable[str] = ()
    ) -> "OptionConfusion":
        """Count pairs of the right option and the chosen one, None for no choice.

        Args:
            pairs: One for each question.
            options: Options to list though they may occur nowhere.
        """
        times = Counter(pairs)
        names = {option for pair in times for option in pair if option is not None}
        listed = tuple(sorted(names | set(options)))
        no_choice = tuple(times[right, None] for right in listed)
        counts = tuple(tuple(times[right, chosen] for chosen in listed) for right in listed)
        figures = tuple(
            OptionFigures.of(
                option,
                support=sum(counts[i]) + no_choice[i],
                chosen=sum(row[i] for row in counts),
                right=counts[i][i],
            )
            for i, option in enumerate(listed)
        )
        n = times.total()
        recall = _mean([figure.recall for figure in figures])
        weighed = sum((figure.f1 or 0.0) * figure.support for figure in figures)
        return cls(
            options=listed,
            counts=counts,
            no_choice=no_choice,
            figures=figures,
            n=n,
            accuracy=sum(figure.right for figure in figures) / n if n else None,
            balanced_accuracy=recall,
            macro_precision=_mean([figure.precision for figure in figures]),
            macro_recall=recall,
            macro_f1=_mean([figure.f1 for figure in figures]),
            weighted_f1=weighed / n if n else None,
        )


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None


class Likeness(StrEnum):
    """How near what was chosen is to what is right."""

    SAME = "same"
    SIMILAR = "similar"
    UNRELATED = "unrelated"


@record(infers=False)
class ConditionPair:
    """Two conditions of which one was taken for the other, whichever was right.

    Attributes:
        one: The first by name.
        other: The second by name.
        likeness: Whether they stand in one group.
        n: How often.
    """

    one: Tag
    other: Tag
    likeness: Likeness
    n: int


@dataclass(frozen=True, slots=True, order=True)
class Condition:
    """A condition by its one name, and the group it stands in."""

    name: str
    group: str


@dataclass(frozen=True)
class ConditionGroups:
    """Names of conditions, and the words that may come before or after them.

    Attributes:
        names: Each name, in lower case and without punctuation, to its condition.
        beside: Words that change nothing at the beginning or end of a name.
        source: Where the groups come from.
    """

    names: Mapping[str, Condition]
    beside: tuple[str, ...]
    source: str
    _found: dict[str, Condition | None] = field(
        default_factory=dict, init=False, compare=False, repr=False
    )

    def find(self, text: str) -> Condition | None:
        """Give the condition that a text is the name of; None where it names none of these.

        A text that says more than a name, such as a treatment for a condition, names none.

        Example:
            >>> known = condition_groups()
            >>> known.find("Severe COPD exacerbation").name, known.find("Lower GI Bleed").group
            ('COPD', 'Gastrointestinal bleeding')
            >>> known.find("Heart failure (HF)").name, known.find("Treat the heart failure")
            ('Heart Failure', None)
        """
        if text not in self._found:
            named = (_ASIDE.sub(" ", text), *_ASIDE.findall(text))
            places = (self._named(_plain(name)) for name in named)
            self._found[text] = next(filter(None, places), None)
        return self._found[text]

    def _named(self, name: str) -> Condition | None:
        """Look the name up, then again without the words around it, one at a time."""
        while name not in self.names:
            less = self._less(name)
            if less == name:
                return None
            name = less
        return self.names[name]

    def _less(self, name: str) -> str:
        for word in self.beside:
            if name.startswith(f"{word} "):
                return name[len(word) + 1 :]
            if name.endswith(f" {word}"):
                return name[: -len(word) - 1]
        return name


@record(infers=False)
class ConditionConfusion:
    """Wrong answers by how near the chosen condition is to the right one.

    Attributes:
        same: Both options are names of one condition: the question's options overlap.
        similar: Both stand in one group.
        unrelated: They stand in two groups.
        outside: One of the two names no condition of any group, such as a treatment; or nothing
            was chosen.
        pairs: Each pair of conditions, the most frequent first.
        similar_share: similar / all wrong answers, as the source divides; None where none is wrong.
        unrelated_share: The same for unrelated.
        outside_share: The same for outside.

    Example:
        >>> found = ConditionConfusion.of([("AKI", "CKD"), ("CKD", "AKI"), ("Gastritis", "AKI")])
        >>> found.similar, found.unrelated, found.pairs[0].n
        (2, 1, 2)
    """

    same: int
    similar: int
    unrelated: int
    outside: int
    pairs: tuple[ConditionPair, ...]
    similar_share: float | None
    unrelated_share: float | None
    outside_share: float | None

    @property
    def errors(self) -> int:
        """Count all wrong answers."""
        return self.same + self.similar + self.unrelated + self.outside

    @classmethod
    def of(
        cls, errors: Iterable[tuple[str, str | None]], groups: ConditionGroups | None = None
    ) -> "ConditionConfusion":
        """Count pairs of the right option's text and the chosen one's.

        Args:
            errors: One for each wrong answer; the second is None where nothing was chosen.
            groups: The conditions; those that come with medassay if not given.
        """
        known = condition_groups() if groups is None else groups
        times: Counter[tuple[str, str, Likeness]] = Counter()
        outside = 0
        for texts in errors:
            right, chosen = (None if text is None else known.find(text) for text in texts)
            if right is None or chosen is None:
                outside += 1
                continue
            likeness = Likeness.SIMILAR if right.group == chosen.group else Likeness.UNRELATED
            likeness = Likeness.SAME if right == chosen else likeness
            first, second = sorted((right.name, chosen.name))
            times[first, second, likeness] += 1
        total: Counter[Likeness] = Counter()
        for (_, _, likeness), n in times.items():
            total[likeness] += n
        ordered = sorted(times.items(), key=lambda item: (-item[1], item[0]))
        similar, unrelated, same = (
            total[kind] for kind in (Likeness.SIMILAR, Likeness.UNRELATED, Likeness.SAME)
        )
        n = same + similar + unrelated + outside
        pairs = tuple(ConditionPair(*pair, times) for pair, times in ordered)
        shares = [times / n if n else None for times in (similar, unrelated, outside)]
        return cls(same, similar, unrelated, outside, pairs, *shares)


class _Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


class _Group(_Section):
    name: _Name
    conditions: Annotated[list[Annotated[list[_Name], Field(min_length=1)]], Field(min_length=1)]


class _File(_Section):
    source: str = ""
    beside: list[_Name] = []
    groups: Annotated[list[_Group], Field(min_length=1)]

    @model_validator(mode="after")
    def _each_name_once(self) -> "_File":
        every = [_plain(n) for g in self.groups for names in g.conditions for n in names]
        twice = next((name for name in every if every.count(name) > 1), None)
        if twice is not None:
            raise wrong("have each name of a condition once", f'"{twice}" twice')
        groups = [group.name for group in self.groups]
        again = next((group for group in groups if groups.count(group) > 1), None)
        if again is not None:
            raise wrong("have each group once", f'"{again}" twice')
        return self


@cache
def condition_groups() -> ConditionGroups:
    """Give the sixteen groups that come with medassay.

    Example:
        >>> len({condition.group for condition in condition_groups().names.values()})
        16
    """
    content = (files("medassay") / "data" / "conditions.toml").read_bytes()
    return read_condition_groups(content, "conditions.toml")


def read_condition_groups(content: bytes, file: str) -> ConditionGroups:
    """Read a file of groups, such as a study's own.

    Args:
        content: The file's bytes.
        file: The file, for messages.

    Raises:
        InvalidInput: Every fault of the file.
    """
    groups_file = read_toml(_File, content, file)
    names = {
        _plain(name): Condition(aliases[0], group.name)
        for group in groups_file.groups
        for aliases in group.conditions
        for name in aliases
    }
    return ConditionGroups(names, tuple(map(_plain, groups_file.beside)), groups_file.source)


def _plain(text: str) -> str:
    return _NO_WORD.sub(" ", text.casefold()).strip()


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
        document for document in first if _covers(_prompt_words(case), document)
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
    prompt = _prompt_words(case) if known else None
    if not prompt:
        return None
    return not any(_covers(prompt, document) for document in first)


def _first(case: Case, answer: Answer, k: int) -> Sequence[Document]:
    known = {document.id: document for document in case.documents}
    return [known[o.document] for o in (answer.retrieved or ())[:k] if o.document in known]


def _prompt_words(case: Case) -> frozenset[str]:
    return content_words(case.prompt or "")


def _covers(prompt: frozenset[str], document: Document) -> bool:
    return len(prompt & _words(document)) >= _SOMEWHAT * len(prompt)


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
