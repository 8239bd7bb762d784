"""A metric as data: everything a reader must know before trusting its number."""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import lru_cache
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from medassay.answers import Answer, Statement
from medassay.cases import Case
from medassay.errors import InvalidInput, Problem, nearest
from medassay.metrics.statements import StatementCheck
from medassay.scores import Reason, is_word
from medassay.tables import finite
from medassay.text import ASCII_LETTER, SPACED_LETTER, Between, first_words


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """A choice that changes the value of a metric, and so stands in its name.

    Attributes:
        name: The key in the canonical name.
        says: One sentence on what it does.
        kind: `choice` takes one of `values`; `integer` and `number` take numbers from `low` up;
            `text` takes anything that a canonical name can hold.
        values: The allowed values of a choice; words that a number may be replaced by.
        low: The smallest number allowed.
        default: The value where the name gives none; None if the name must give one.
        gone: Values that were taken once, and what to do in place of each, as a sentence.

    Example:
        >>> measure = Parameter(name="measure", says="Which of the three.", values=("f", "recall"),
        ...                     default="f")
        >>> measure.canonical("recall", metric="rouge1")
        'recall'
    """

    name: str
    says: str
    kind: Literal["choice", "integer", "number", "text"] = "choice"
    values: tuple[str, ...] = ()
    low: float = -math.inf
    default: str | None = None
    gone: Mapping[str, str] = field(default_factory=dict, hash=False)

    @property
    def allowed(self) -> str:
        """Say what may be given, as the end of "must be ..."."""
        if self.kind == "choice":
            return f"one of {', '.join(self.values)}"
        if self.kind == "text":
            return "text"
        word = "a whole number" if self.kind == "integer" else "a number"
        number = word if math.isinf(self.low) else f"{word} of {self.low:g} or more"
        return " or ".join([number, *self.values])

    def canonical(self, value: str, *, metric: str) -> str:
        """Check a value and write it in its one form, so that 0.50 and .5 are one name.

        Raises:
            InvalidInput: The value is not allowed; names the metric, the parameter and the nearest.
        """
        if value in self.gone:
            must = "be a value that this version knows"
            raise InvalidInput(
                Problem(metric, must, f'"{value}"', self.gone[value], None, self.name)
            )
        if self.kind == "text" or value in self.values:
            return value
        if self.kind != "choice":
            try:
                number: float = int(value) if self.kind == "integer" else float(value)
            except ValueError:
                number = math.nan
            if finite(number) is not None and number >= self.low:
                return str(number)
        must = f"be {self.allowed}"
        problem = Problem(metric, must, f'"{value}"', nearest(value, self.values), None, self.name)
        raise InvalidInput(problem)


Content = str | tuple[object, ...] | Mapping[str, float]
"""What a need finds: text, a tuple of what JSON can hold, or numbers by id."""
NOT_HELD: Final[Content] = ("medassay", "text not held")
"""What a need finds where it would read a text that the study does not hold."""
_STAND_IN: Final = {
    "held": True,
    "text": "Held.",
    "statements": (Statement("Held.", ("1",)),),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Need:
    """One thing that a metric reads; exactly one of `of_case` and `of_answer` is set.

    Attributes:
        words: What it is, after "no": "reference of kind human".
        of_case: Finds it in a case; None if the case lacks it.
        of_answer: Finds it in an answer; None if the answer lacks it.
        when: Parameter and value under which it is needed; None if it always is.
    """

    words: str
    of_case: Callable[[Case], Content | None] | None = None
    of_answer: Callable[[Answer], Content | None] | None = None
    when: tuple[str, str] | None = None

    def applies(self, arguments: Mapping[str, str]) -> bool:
        """Say whether a metric with these arguments has this need."""
        return self.when is None or arguments.get(self.when[0]) == self.when[1]

    def in_answer(self, answer: Answer) -> Content | None:
        """Give what it finds in an answer; `NOT_HELD` where that hangs on a text that is not held.

        Nobody declares whether a need reads texts. It reads one if it finds something else as soon
        as the answer has a text, and a chain of reasoning where it had none.

        Example:
            >>> bare = Answer(system="A", case="1", choice="B", held=False)
            >>> TEXT.in_answer(bare) is NOT_HELD
            True
            >>> Need(words="choice", of_answer=lambda answer: answer.choice).in_answer(bare)
            'B'
        """
        if self.of_answer is None:
            return None
        content = self.of_answer(answer)
        if answer.held:
            return content
        chain = _STAND_IN["text"] if answer.reasoning is None else answer.reasoning
        written = answer.model_copy(update={**_STAND_IN, "reasoning": chain})
        return content if self.of_answer(written) == content else NOT_HELD

    def is_met_by(self, answer: Answer) -> bool:
        """Say whether an answer has what this reads of it; what it reads of a case is not asked."""
        return self.of_answer is None or self.in_answer(answer) not in (None, NOT_HELD)


def beside_chain(answer: Answer) -> Answer:
    """Take an empty text from beside a chain of reasoning, for metrics that read the chain.

    Example:
        >>> beside_chain(Answer(system="A", case="1", text="", reasoning="Rest.")).is_blank
        False
    """
    if answer.is_blank and (answer.reasoning or "").strip():
        return answer.model_copy(update={"text": None, "statements": None})
    return answer


@lru_cache(maxsize=256)
def of_chain(need: Need) -> Need:
    """Give a need as a metric of the chain has it: an empty text beside the chain is none."""
    find = need.of_answer
    if find is None:
        return need
    return replace(need, of_answer=lambda answer: find(beside_chain(answer)))


def references(case: Case, ref: str) -> tuple[str, ...]:
    """Give the texts that `ref` names: every human reference, or the one made from the note.

    Example:
        >>> case = Case(case="1", references=[{"text": "Rest."}, {"text": "x", "kind": "draft"}])
        >>> references(case, "human"), references(case, "note")
        (('Rest.',), ())
    """
    if ref == "note":
        note = note_reference(case)
        return () if note is None else (note,)
    return tuple(r.text for r in case.references if r.kind == ref)


def note_reference(case: Case) -> str | None:
    r"""Make the reference out of the note: the question, then the essential evidence.

    It is the narrative (where there is one), an empty line, the question, an empty line, and the
    essential sentences a line each, **in document order**. The shared task's 2025 scorer iterates a
    set of ids instead, so that its order depends on the process.

    Example:
        >>> note_reference(Case(case="1", question="Why?", narrative="I fell.", evidence=[
        ...     {"id": 1, "text": "B.", "relevance": "essential"},
        ...     {"id": 2, "text": "C.", "relevance": "supplementary"},
        ...     {"id": 3, "text": "A.", "relevance": "essential"}]))
        'I fell.\n\nWhy?\n\nB.\nA.'
    """
    essential = essential_text(case)
    if essential is None or case.prompt is None:
        return None
    opening = [] if case.narrative is None else [case.narrative]
    return "\n\n".join([*opening, case.prompt, essential])


def essential_text(case: Case) -> str | None:
    """Give the essential evidence, a sentence a line, in document order; None without any."""
    return "\n".join(e.text for e in case.evidence if e.relevance == "essential") or None


def answer_text(answer: Answer, arguments: Mapping[str, str]) -> str:
    """Give the text to be scored: all of the answer's, or as many words as `limit` says.

    Example:
        >>> answer_text(Answer(system="A", case="1", text="Rest  at home."), {"limit": "2"})
        'Rest at'
    """
    text, limit = answer.text or "", arguments["limit"]
    return text if limit == "none" else first_words(text, int(limit), between(arguments))


def between(arguments: Mapping[str, str]) -> Between:
    """Give what parts the words that a limit counts."""
    return "blanks" if arguments.get("words") == "blanks" else "whitespace"


REF: Final = Parameter(
    name="ref",
    says="What the answer is compared with: experts' answers (human; the best one counts), or the"
    " question and the essential evidence in document order (note).",
    values=("human", "note"),
)

REFERENCES: Final = (
    Need(
        words="reference of kind human",
        of_case=lambda case: references(case, "human") or None,
        when=("ref", "human"),
    ),
    Need(
        words="question with essential evidence",
        of_case=note_reference,
        when=("ref", "note"),
    ),
)

LIMIT: Final = Parameter(
    name="limit",
    says="How many words of the answer are read: all (none), or the first so many, as the shared"
    " tasks' scorers read 75.",
    kind="integer",
    low=1,
    values=("none",),
    default="none",
)

WORDS: Final = Parameter(
    name="words",
    says="What parts the words that the limit counts: any white space, as the shared tasks' scorers"
    " of 2026 have it, or plain blanks alone (blanks), as that of 2025.",
    values=("whitespace", "blanks"),
    default="whitespace",
)

TEXT: Final = Need(words="text", of_answer=lambda answer: answer.text)


Odd = Mapping[str, str]
"""A kind of text to what becomes of it: `scored`, `0`, or the word of a reason."""

SCORED: Final = "scored"
_UNDEFINED: Final = Reason.UNDEFINED.value

KINDS: Final = (
    "one word",
    "10,000 words",
    "other scripts",
    "emoji alone",
    "punctuation alone",
    "control characters alone",
    "the question again",
)
"""Empty answers and answers never given are declared beside these, for each metric."""

NOTHING_READ: Final[Odd] = dict.fromkeys(
    ("other scripts", "emoji alone", "punctuation alone", "control characters alone"), "0"
)
"""For metrics that read Latin letters and digits alone, or names of an English vocabulary."""

ODD_FOR_ENCODERS: Final[Odd] = {"control characters alone": _UNDEFINED}
"""For encoders: any letter is a piece, if an unknown one; a warning counts other scripts."""


def describe_odd(odd: Odd) -> list[str]:
    """Say what becomes of each kind, those with one outcome together.

    Example:
        >>> describe_odd(ODD_FOR_ENCODERS)[1]
        'control characters alone: no value (undefined)'
    """
    together: dict[str, list[str]] = {}
    for kind in KINDS:
        together.setdefault(odd.get(kind, SCORED), []).append(kind)
    return [f"{', '.join(kinds)}: {_in_words(outcome)}" for outcome, kinds in together.items()]


def _in_words(outcome: str) -> str:
    if outcome == SCORED:
        return "scored as any other text"
    return "0" if outcome == "0" else f"no value ({outcome.replace('_', ' ')})"


Share = Callable[[str, Mapping[str, str]], float]
"""A text and the metric's arguments to the share of the text's letters that the metric reads."""

_HALF: Final = 0.5
_TEXTS_AT_HAND: Final = 1024
"""A study's metrics ask of the same texts, and each system's answers of the same references."""

_ASCII: Final = re.compile(r"[\x00-\x7f]+")
_NO_LETTERS: Final = bytes(code for code in range(128) if not chr(code).isalpha())


@dataclass(frozen=True, slots=True, kw_only=True)
class Reads:
    """Which letters a metric reads, and in which texts.

    Where it reads less than half of the letters of every text that it compares with, the answer has
    no score, and the reason is `not_read`. An answer of which it reads less takes the value of an
    answer never given, which is the worst one.

    Attributes:
        what: The letters that it reads, after "reads": "a–z".
        share: The share of a text's letters that it reads; 1 for a text without letters.
        of_case: The texts that the answer is compared with; None if there are none.
        of_answer: What is read of the answer; None if answers of any script can be read.
        tells: Whether an answer equal to the reference gets the best value. A published rule may
            give it the worst: where it does on half of the cases or more, no rank and no sentence
            rests on the metric. None if equal texts are always the best.
    """

    what: str
    share: Share
    of_case: Callable[[Case, Answer, Mapping[str, str]], Sequence[str]] | None = None
    of_answer: Callable[[Answer, Mapping[str, str]], str] | None = None
    tells: Callable[[Case, Mapping[str, str]], bool] | None = None

    def can_read(self, text: str, arguments: Mapping[str, str]) -> bool:
        """Say whether it reads at least half of a text's letters."""
        return self.share(text, arguments) >= _HALF

    def case_is_read(self, case: Case, answer: Answer, arguments: Mapping[str, str]) -> bool:
        """Say whether it can read any text that the answer is compared with."""
        texts = () if self.of_case is None else self.of_case(case, answer, arguments)
        return not texts or any(self.can_read(text, arguments) for text in texts)

    def answer_is_read(self, answer: Answer, arguments: Mapping[str, str]) -> bool:
        """Say whether it can read the answer."""
        return self.of_answer is None or self.can_read(self.of_answer(answer, arguments), arguments)

    def readable(self, case: Case, arguments: Mapping[str, str]) -> Case:
        """Leave out experts' answers that it cannot read, where it can read others."""
        if self.of_case is None or arguments.get("ref") != "human" or len(case.references) < 2:  # noqa: PLR2004 - one is read or nothing is
            return case
        kept = [r for r in case.references if self.can_read(r.text, arguments)]
        if not kept or len(kept) == len(case.references):
            return case
        return case.model_copy(update={"references": tuple(kept)})


def share_of(letters: re.Pattern[str]) -> Share:
    """Make the share of a text's letters that match a pattern of one letter.

    ASCII letters must all match it: of a text, only the others are looked at one by one.

    Example:
        >>> share = share_of(ASCII_LETTER)
        >>> share("für 3 d", {}), share("COPD 400: راحة", {}), share("12", {})
        (0.75, 0.5, 1.0)
    """

    @lru_cache(_TEXTS_AT_HAND)
    def counted(text: str) -> float:
        others = _ASCII.sub("", text)
        ascii_letters = len(text.encode("ascii", "ignore").translate(None, _NO_LETTERS))
        count = ascii_letters + sum(map(str.isalpha, others))
        # To a pattern of words ² and ½ are letters too.
        read = ascii_letters + sum(map(str.isalpha, letters.findall(others)))
        return read / count if count else 1.0

    def share(text: str, _: Mapping[str, str]) -> float:
        return 1.0 if text.isascii() else counted(text)

    return share


def reads_references(
    what: str, share: Share, tells: Callable[[Case, Mapping[str, str]], bool] | None = None
) -> Reads:
    """Declare what is read of an answer and of the references that `ref` names."""
    return Reads(
        what=what,
        share=share,
        of_case=lambda case, _, arguments: references(case, arguments["ref"]),
        of_answer=answer_text,
        tells=tells,
    )


ENGLISH_LETTERS: Final = share_of(ASCII_LETTER)
SPACED_LETTERS: Final = share_of(SPACED_LETTER)
SPACED: Final = "scripts with blanks between words"


API: Final = 1
"""The version of what a metric declares and gets. One that was written for another is named."""

Pool = Callable[[NDArray[np.float64], Mapping[str, str]], NDArray[np.float64]]
"""Sums of parts, shape (..., parts), and the metric's arguments to pooled values, shape (...); NaN
where undefined."""


class Direction(StrEnum):
    """Which way is better."""

    HIGHER = "higher"
    LOWER = "lower"
    NONE = "none"


class Level(StrEnum):
    """What one value belongs to."""

    ANSWER = "answer"
    CORPUS = "corpus"


def _no_settings(_: Mapping[str, str]) -> Mapping[str, str]:
    return {}


def _never(_: Mapping[str, str]) -> bool:
    return False


@dataclass(frozen=True, slots=True, kw_only=True)
class Declaration:
    """What a metric is; its arithmetic is elsewhere.

    Attributes:
        name: The word that names it; `@k` and parameters follow in the canonical name.
        title: What a table calls it; the name where nothing is said.
        question: The question that the number answers.
        unit: What one unit of the number is.
        low: The smallest value possible; None if there is none.
        high: The largest value possible; None if there is none.
        range_with: Gives low and high where the arguments narrow them.
        direction: Which way is better; NONE for a description.
        odd: What becomes of texts that are no ordinary answers, by kind (`odd_texts.KINDS`);
            those not named are scored as any other.
        level: Whether an answer has a value, or only all answers of a system together.
        needs: What it reads of the case and the answer.
        if_no_answer: Its value for an answer never given, or a reason if it has no worst value.
        if_empty: Its value for an answer given and empty, or the reason why it has none; None if it
            does not read the text.
        undefined_when: When there is no value though nothing is missing; "never" if so.
        reference: The source, with its DOI where one exists.
        parameters: What can be chosen.
        usual: What is chosen where nobody chooses, for parameters without a default beside `ref`: a
            form of the metric for each; every combination of values if not given.
        reads: Which letters it reads, and in which texts; None where it reads all, or no text.
        takes_k: Whether the name needs a cut-off, as in `recall@5`.
        parts: Names of the sufficient statistics that come with each score.
        pool: Makes the pooled (micro) value from sums of the parts.
        settings: What the value depends on beside the name, for the signature.
        libraries: Packages of others that compute it, as pip calls them: their versions are in the
            signature, and scores kept under other versions are computed again. What its model runs
            on is told by `backend`.
        backend: Finds the model or package that the metric runs on, without loading it, and gives
            its facts for the signature (name, hash); raises MissingBackend with the line that
            installs it. A metric without its backend is Unscored, and the run goes on.
        cost: What it takes to compute, in words; empty where it is next to nothing.
        blind_spots: What it cannot see, a sentence each.
        cautions: What a reader should know of these texts though they can be scored, a sentence
            each; the study's warnings take it up.
        statements: How it looks at statements, where a score is a count of them.
        harm: Whether a worse value means that somebody may come to harm. A gate then calls a new
            "metric not worse" only by a bound that holds however rare and heavy losses are.
        symmetric: Whether answer and reference can change places, every parameter at its default.
        parallel: Whether, with these arguments, several processes may share its work: plain Python
            that takes long and holds nothing that is slow to load, so never what runs a model.
        version: Raised whenever the same input gives another value.
        api: The version of this declaration that it was written for.
    """

    name: str
    question: str
    unit: str
    low: float | None
    high: float | None
    direction: Direction
    needs: tuple[Need, ...]
    if_no_answer: float | Reason
    undefined_when: str
    reference: str
    title: str = ""
    if_empty: float | Reason | None = None
    odd: Odd = field(default_factory=dict, hash=False)
    level: Level = Level.ANSWER
    parameters: tuple[Parameter, ...] = ()
    usual: tuple[Mapping[str, str], ...] = ()
    reads: Reads | None = None
    takes_k: bool = False
    parts: tuple[str, ...] = ()
    pool: Pool | None = None
    settings: Callable[[Mapping[str, str]], Mapping[str, str]] = _no_settings
    libraries: tuple[str, ...] = ()
    backend: Callable[[Mapping[str, str]], Mapping[str, str]] | None = None
    cost: str = ""
    blind_spots: tuple[str, ...] = ()
    cautions: Callable[[Sequence[tuple[Case, Answer]], Mapping[str, str]], list[str]] | None = None
    statements: StatementCheck | None = None
    harm: bool = False
    symmetric: bool = False
    parallel: Callable[[Mapping[str, str]], bool] = _never
    version: int = 1
    range_with: Callable[[Mapping[str, str]], tuple[float | None, float | None]] | None = None
    api: int = API

    def __post_init__(self) -> None:
        """Refuse a declaration that leaves a reader guessing.

        Raises:
            InvalidInput: Everything that is missing or does not fit together.
        """
        name = self.name or "a metric without a name"
        checks = [
            (is_word(self.name), "have a name of one word", f'"{self.name}"'),
            *(
                (bool(text.strip()), f"declare its {what}", "blanks")
                for what, text in (
                    ("question", self.question),
                    ("unit", self.unit),
                    ("undefined_when", self.undefined_when),
                    ("reference", self.reference),
                )
            ),
            (bool(self.needs), "declare what it needs", "nothing"),
            (
                all((n.of_case is None) != (n.of_answer is None) for n in self.needs),
                "read each need of the case or of the answer",
                "both or neither",
            ),
            (
                all(
                    p.default is None or p.canonical(p.default, metric=name) == p.default
                    for p in self.parameters
                ),
                "declare defaults in canonical form",
                "another form",
            ),
            (self.pool is None or bool(self.parts), "declare the parts it pools", "none"),
            *(
                (self.holds(value), f"declare {what} inside its range", f"{value}")
                for what, value in (
                    ("if_no_answer", self.if_no_answer),
                    ("if_empty", self.if_empty),
                )
                if isinstance(value, int | float)
            ),
        ]
        problems = [Problem(name, must, got) for passed, must, got in checks if not passed]
        if problems:
            raise InvalidInput(problems)

    def holds(self, value: float) -> bool:
        """Say whether a value lies in the declared range."""
        return (self.low is None or value >= self.low) and (self.high is None or value <= self.high)
