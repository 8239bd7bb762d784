"""The record of an answer and its parts."""

from collections.abc import Callable, Mapping
from typing import Annotated, ClassVar, Literal, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator
from pydantic.dataclasses import dataclass

from medassay.cases import Id, Turn
from medassay.cases.record import require_unique
from medassay.tables import number_hint, wrong
from medassay.tables.constructed import Constructed

_LEAST_PERCENT, _PERCENT = 2, 100  # 1.2 is a slip, hardly one per cent
_Amount = Annotated[float, Field(ge=0, allow_inf_nan=False)]


def _as_probability(value: object) -> object:
    """Refuse a percentage as such; what is no number at all is left for the field to name."""
    text = value.strip() if isinstance(value, str) else repr(value)
    must = "be a probability from 0 to 1"
    if text.endswith("%"):
        raise wrong(must, f'"{text}"', number_hint(text))
    if isinstance(value, bool):
        raise wrong(must, text.lower())
    try:
        number = float(text)
    except ValueError:
        if not isinstance(value, str) or number_hint(text):
            return value
        raise wrong(must, f'"{text}"', "A word belongs under confidence_label.") from None
    if not 0 <= number <= 1:
        percent = _LEAST_PERCENT <= number <= _PERCENT
        hint = "0 stands for surely wrong, 1 for surely right."
        if percent:
            hint = f"Is it a percentage? Then write {round(number / 100, 12):g}."
        raise wrong(must, f'"{text}"' if isinstance(value, str) else text, hint)
    return number


_Probability = Annotated[float, BeforeValidator(_as_probability)]


@dataclass(frozen=True, slots=True, config=ConfigDict(extra="forbid"))
class Statement:
    """A sentence or line of an answer with what it cites.

    Attributes:
        text: What it says.
        citations: Ids of evidence, in the order written; an id may be one that the case lacks.
    """

    text: str
    citations: tuple[Id, ...] = ()


@dataclass(frozen=True, slots=True, config=ConfigDict(extra="forbid"))
class Retrieved:
    """A document that the system found; the order in the answer is its rank.

    There are more of them than of anything else in a study, so they are kept small.

    Attributes:
        document: The document's id.
        score: The system's own score for it, where it has one.
    """

    document: Id
    score: Annotated[float, Field(allow_inf_nan=False)] | None = None

    def __reduce__(self) -> "tuple[Callable[..., Retrieved], tuple[str, float | None]]":
        """Let it be packed as two values: it was checked, and is not checked again."""
        return _retrieved, (self.document, self.score)


def _retrieved(document: str, score: float | None) -> Retrieved:
    made = object.__new__(Retrieved)
    object.__setattr__(made, "document", document)
    object.__setattr__(made, "score", score)
    return made


class Answer(BaseModel, metaclass=Constructed):
    """What one system answered to one case.

    Attributes:
        system: The system.
        case: The case.
        sample: Which of the system's answers to the case it is, where one was asked for more than
            once; 0 for the first.
        text: The answer as text; with statements it is theirs, joined by blanks. Empty text is an
            empty answer; None is an answer that has no text (a bare choice, a bare ranking). Empty
            text beside a choice is none: the choice is the answer.
        turns: The conversation as it went, where the system spoke more than once; the text is the
            system's own turns, joined by empty lines.
        statements: The answer in pieces, each with its citations.
        retrieved: Documents by rank; None where the system reported none, () where it found none.
        reasoning: The system's account of how it came to the answer.
        choice: The option chosen.
        confidence: The system's probability that it is right, 0 to 1.
        confidence_label: Its confidence in words; ordinal, never turned into a probability.
        seconds: Time it took.
        cost: What it cost, in the study's currency.
        ended: Why it is no whole answer: the system refused, or was cut off; None where it is one.
        raw: The submission as it came.
        held: Whether the study has what the system wrote. False where its answer is known by its
            id alone, such as from ratings: it has no text, turns, statements or raw submission,
            and nobody knows whether it was empty. Empty text beside it is none.

    Example:
        >>> answer = Answer(system="A", case="1", statements=[
        ...     {"text": "Rest.", "citations": [2]}, {"text": "Drink.", "citations": [2, 5]}])
        >>> answer.text, answer.citations
        ('Rest. Drink.', ('2', '5'))
        >>> Answer(system="A", case="1", held=False).is_blank
        False
    """

    model_config: ClassVar[ConfigDict] = ConfigDict(frozen=True, extra="forbid")

    system: Id
    case: Id
    sample: Annotated[int, Field(ge=0)] = 0
    text: str | None = None
    turns: tuple[Turn, ...] | None = None
    statements: tuple[Statement, ...] | None = None
    retrieved: tuple[Retrieved, ...] | None = None
    reasoning: str | None = None
    choice: Id | None = None
    confidence: _Probability | None = None
    confidence_label: Id | None = None
    seconds: _Amount | None = None
    cost: _Amount | None = None
    ended: Literal["refused", "cut_off"] | None = None
    raw: str | None = None
    held: bool = True

    @model_validator(mode="before")
    @classmethod
    def _derive_text(cls, cells: object) -> object:
        """Join the pieces; anything malformed is left for the fields' own checks to name."""
        if not isinstance(cells, Mapping):
            return cells
        if cells.get("turns") is not None:
            return _with_text_of_turns(cells)
        statements = cells.get("statements")
        if not isinstance(statements, list | tuple):
            return _without_blank_text(cells)
        texts = [s.get("text") if isinstance(s, Mapping) else _text_of(s) for s in statements]
        if not all(isinstance(text, str) for text in texts):
            return cells
        joined = " ".join(map(str, texts))
        if cells.get("text") not in (None, joined):
            try_ = "Give either the text or the statements: the text follows from them."
            raise wrong("have the text of its statements", "another text", try_)
        return {**cells, "text": joined}

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.retrieved:
            documents = (retrieved.document for retrieved in self.retrieved)
            require_unique("retrieved document", documents, "retrieved")
        if not self.held:
            _refuse_what_was_written(self)
            return self
        contents = (self.text, self.retrieved, self.choice, self.reasoning, self.raw)
        if (*contents, self.confidence_label) == (None,) * 6:
            try_ = (
                'Write "text": "" for an empty answer, "held": false where its text is not at hand;'
                " leave out one that was never given."
            )
            raise wrong("hold a text, statements, a choice or a ranking", "none of them", try_)
        return self

    @property
    def key(self) -> tuple[str, str, int]:
        """Give what no other answer has: system, case and sample."""
        return self.system, self.case, self.sample

    @property
    def citations(self) -> tuple[str, ...]:
        """List each cited id once, in the order of first mention."""
        cited = (c for statement in self.statements or () for c in statement.citations)
        return tuple(dict.fromkeys(cited))

    @property
    def tells_choice(self) -> bool:
        """Say whether what it chose can be known: it states a choice, or its text is held."""
        return self.held or self.choice is not None

    @property
    def status(self) -> Literal["given", "empty", "not held"]:
        """Say in which of three states its text is; an answer never given has no record."""
        if not self.held:
            return "not held"
        return "empty" if self.is_blank else "given"

    @property
    def is_blank(self) -> bool:
        """Say whether the answer has a text and that text is empty."""
        return self.text is not None and not self.text.strip()


def _refuse_what_was_written(answer: Answer) -> None:
    for name in ("text", "turns", "statements", "raw"):
        if getattr(answer, name) is not None:
            hint = f'Leave out "held": false, or the {name}.'
            raise wrong("be true where the answer has what was written", f"{name}", hint, "held")


def _without_blank_text(cells: Mapping[str, object]) -> Mapping[str, object]:
    """Take the text out that a program wrote because it had none: a choice, or nothing held."""
    text = cells.get("text")
    stands_for_it = cells.get("choice") is not None or _says_no(cells.get("held"))
    bare = isinstance(text, str) and not text.strip() and stands_for_it
    return {**cells, "text": None} if bare else cells


def _says_no(held: object) -> bool:
    """Say whether a cell says false in any form that the field reads."""
    return str(held).strip().lower() in {"false", "0", "no", "n", "f", "off"}


def _with_text_of_turns(cells: Mapping[str, object]) -> object:
    turns = cells["turns"]
    if not isinstance(turns, list | tuple):
        return cells
    own = [turn for turn in map(_turn_of, turns) if turn is not None and turn[0] == "assistant"]
    if len(own) == 0:
        hint = 'The system\'s own turns have the role "assistant".'
        raise wrong("hold a turn of the system", "none", hint, "turns")
    if cells.get("statements") is not None:
        hint = "Give the conversation or one answer in pieces."
        raise wrong("hold turns or statements, not both", "both", hint, "turns")
    joined = "\n\n".join(text for _, text in own)
    if cells.get("text") not in (None, joined):
        hint = "Give either the text or the turns: the text follows from them."
        raise wrong("have the text of its turns", "another text", hint)
    return {**cells, "text": joined}


def _turn_of(turn: object) -> tuple[str, str] | None:
    if isinstance(turn, Turn):
        return turn.role, turn.text
    if not isinstance(turn, Mapping):
        return None
    role, text = turn.get("role"), turn.get("text")
    return (role, text) if isinstance(role, str) and isinstance(text, str) else None


def _text_of(statement: object) -> object:
    return statement.text if isinstance(statement, Statement) else None
