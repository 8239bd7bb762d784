"""The record of a case and its parts."""

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from sys import intern
from typing import Annotated, ClassVar, Final, Literal, Self, TypeAlias, get_args

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainValidator,
    model_validator,
)

from medassay.errors import nearest
from medassay.tables import finite, hidden_signs, wrong
from medassay.tables.constructed import Constructed

RelevanceWord: TypeAlias = Literal["essential", "supplementary", "not-relevant"]
_RELEVANCE_WORDS: tuple[str, ...] = get_args(RelevanceWord)
_ONE_GOLD: Final = "A question has one right option; leave gold out where there are several."


def one_object(name: str) -> str:
    """Give the one object of an id, however often it is named; one of a class of its own stays."""
    return intern(name) if type(name) is str else name


def _as_id(value: object) -> object:
    if isinstance(value, str):
        if not value or value != value.strip() or not value.isprintable():
            must = "be an id: not empty, one line, no blanks around it"
            raise wrong(must, f'"{value}"', hidden_signs(value))
        return one_object(value)
    if isinstance(value, int) and not isinstance(value, bool):
        return one_object(str(value))
    raise wrong("be text or a whole number", f"{value!r}", "Ids are text always.")


def _as_relevance(value: object) -> str | float:
    if isinstance(value, str) and value in _RELEVANCE_WORDS:
        return value
    if isinstance(value, int | float) and not isinstance(value, bool):
        grade = finite(value)
        if grade is not None and grade >= 0:
            return grade
    words = ", ".join(_RELEVANCE_WORDS)
    try_ = nearest(value, _RELEVANCE_WORDS) if isinstance(value, str) else ""
    got = f'"{value}"' if isinstance(value, str) else f"{value!r}"
    raise wrong(f"be one of {words}, or a grade of 0 or more", got, try_)


def _as_grade(value: object) -> object:
    """Refuse words and grades below 0; the field takes what is left."""
    must = "be a grade of relevance, 0 or more"
    if isinstance(value, str):
        try:
            float(value)
        except ValueError:
            hint = "Write 1 for a relevant document and 0 for another."
            raise wrong(must, f'"{value}"', hint) from None
    if isinstance(value, int | float) and value < 0:
        hint = "Write 0 for a document that is not relevant; leave out what nobody judged."
        raise wrong(must, f"{value}", hint)
    return value


def _as_gold(value: object) -> object:
    if isinstance(value, list | tuple | dict):
        raise wrong("be one option", json.dumps(value, default=str), _ONE_GOLD)
    return value


def _none_if_blank(value: object) -> object:
    return None if isinstance(value, str) and not value.strip() else value


def _not_blank(value: str) -> str:
    if not value.strip():
        raise wrong("have a text", "blanks only", "Leave out a reference that nobody wrote.")
    return value


Id: TypeAlias = Annotated[str, BeforeValidator(_as_id)]
"""An id: text always, so that `01` and `1` differ. Whole numbers become text."""

TextOrNone: TypeAlias = Annotated[str | None, BeforeValidator(_none_if_blank)]
"""A text; blanks only count as none."""

Relevance: TypeAlias = Annotated[RelevanceWord | float, PlainValidator(_as_relevance)]
"""How much evidence bears on the question: one of three words, or a grade of 0 or more."""


class _Record(BaseModel, metaclass=Constructed):
    model_config: ClassVar[ConfigDict] = ConfigDict(frozen=True, extra="forbid")


class Evidence(_Record):
    """A sentence or passage that the case offers.

    Attributes:
        id: What answers cite.
        text: What it says.
        relevance: Its relevance to the question; None where nobody said.
    """

    id: Id
    text: str
    relevance: Relevance | None = None


class Reference(_Record):
    """An expert's answer.

    Attributes:
        text: The answer.
        kind: Who or what made it; `ref=human` reads the references of kind `human`.
        id: Its name, where there is one.
    """

    text: Annotated[str, AfterValidator(_not_blank)]
    kind: Id = "human"
    id: Id | None = None


class Document(_Record):
    """A document that a system may retrieve.

    Attributes:
        id: What rankings name.
        title: Its title.
        text: What it says.
        grade: Its relevance, 0 for none; None where nobody judged it.
    """

    id: Id
    title: str | None = None
    text: str | None = None
    grade: Annotated[float, BeforeValidator(_as_grade), Field(ge=0, allow_inf_nan=False)] | None = (
        None
    )


class Turn(_Record):
    """What one side of a conversation says at a time.

    Attributes:
        role: Who says it: the person who asks (user), the system that answers (assistant), or what
            the system was told beforehand (system, developer, tool).
        text: What is said.
    """

    role: Literal["user", "assistant", "system", "developer", "tool"]
    text: str


class Criterion(_Record):
    """One thing that an answer to this case should do, or should not.

    Attributes:
        id: Its name in this case.
        text: What the answer does where the criterion is met.
        points: What meeting it adds to the answer's score; below 0 for what no answer should do.
        tags: What it belongs to, such as an axis (accuracy, completeness).
    """

    id: Id
    text: Annotated[str, AfterValidator(_not_blank)]
    points: Annotated[float, Field(allow_inf_nan=False)]
    tags: tuple[Id, ...] = ()


class LabelledDocument(Document):
    """A document that experts labelled one by one; no file of cases can say so of itself.

    Attributes:
        share: How many of those experts find it relevant, from 0 to 1.
    """

    share: float


class Case(_Record):
    """What is asked, and all that an answer can be held against.

    Attributes:
        case: The case's id.
        question: The question, where there is one.
        turns: The conversation before the question or, where there is no question, up to the last
            turn, which the answer replies to.
        narrative: The story around it, such as a patient's letter.
        evidence: What the case offers, in document order.
        references: Experts' answers.
        options: The choices of a multiple-choice question, letter to text.
        gold: The letter of the right option.
        documents: Documents with their grades.
        criteria: What an answer to this case should do, and should not, with points.
        tags: Anything to group by: condition, specialty, difficulty.

    Example:
        >>> case = Case(case=1, question="Is it safe?", references=[{"text": "Yes."}])
        >>> case.case, case.references[0].kind
        ('1', 'human')
    """

    case: Id
    question: TextOrNone = None
    turns: tuple[Turn, ...] = ()
    narrative: TextOrNone = None
    evidence: tuple[Evidence, ...] = ()
    references: tuple[Reference, ...] = ()
    options: dict[Id, str] = Field(default_factory=dict)
    gold: Annotated[Id | None, BeforeValidator(_as_gold)] = None
    documents: tuple[Document, ...] = ()
    criteria: tuple[Criterion, ...] = ()
    tags: dict[Id, Id] = Field(default_factory=dict)

    @model_validator(mode="before")
    @classmethod
    def _name_criteria(cls, cells: object) -> object:
        """Name the criteria of sources that name none: by case, place and words."""
        if not isinstance(cells, Mapping) or not isinstance(cells.get("criteria"), list | tuple):
            return cells
        named = [
            {"id": _criterion_id(cells.get("case"), place, criterion), **criterion}
            if isinstance(criterion, Mapping) and criterion.get("id") is None
            else criterion
            for place, criterion in enumerate(cells["criteria"], 1)
        ]
        return {**cells, "criteria": named}

    @property
    def prompt(self) -> str | None:
        """Give what the answer replies to: the question or, without one, a user's last turn."""
        if self.question is not None:
            return self.question
        return next((turn.text for turn in reversed(self.turns) if turn.role == "user"), None)

    @property
    def question_held(self) -> bool:
        """Say whether anything of what was asked is there, or the case is known by its id alone."""
        whole = (
            self.prompt,
            self.turns,
            self.narrative,
            self.options,
            self.evidence,
            self.documents,
        )
        return any(whole)

    @model_validator(mode="after")
    def _check_ids(self) -> Self:
        parts = (
            ("evidence", "evidence", self.evidence),
            ("criterion", "criteria", self.criteria),
            ("document", "documents", self.documents),
            ("reference", "references", self.references),
        )
        for what, column, named in parts:
            if len(named) > 1:
                ids = (own.id for own in named if own.id is not None)
                require_unique(what, ids, column)
        if self.options:
            _check_options(self.options)
        if self.gold is not None and self.options and self.gold not in self.options:
            must = f"be one of its options, {', '.join(self.options)}"
            raise wrong(must, f'"{self.gold}"', _gold_hint(self.gold, self.options), "gold")
        return self


def _criterion_id(case: object, place: int, criterion: Mapping[str, object]) -> str:
    words = f"{case}\n{place}\n{criterion.get('text')}"
    return f"{place}-{hashlib.sha256(words.encode()).hexdigest()[:8]}"


def _check_options(options: dict[str, str]) -> None:
    if len(options) == 1:
        got = f'"{next(iter(options))}" alone'
        raise wrong(
            "have two options or more",
            got,
            "Leave options out where there is nothing to choose.",
            "options",
        )
    folded: dict[str, str] = {}
    for letter in options:
        other = folded.setdefault(letter.lower(), letter)
        if other != letter:
            must = "have options whose letters differ by more than capitals"
            raise wrong(must, f'"{other}" and "{letter}"', "Answers write either.", "options")


def _gold_hint(gold: str, options: dict[str, str]) -> str:
    """Say which letter a gold means that is in another case, or is the option's text."""
    alike = [
        letter
        for letter, text in options.items()
        if gold.lower() in {letter.lower(), text.strip().lower()}
    ]
    if len(alike) == 1:
        return f'Did you mean "{alike[0]}"?'
    named = [letter for letter in re.findall(r"\w+", gold) if letter in options]
    return _ONE_GOLD if len(named) > 1 else "Write the letter of the right option."


def require_unique(what: str, ids: Iterable[str], column: str = "") -> None:
    """Refuse a record that names the same thing twice.

    Args:
        what: What is named.
        ids: The names.
        column: Where they stand; the thing's own name if not given.

    Raises:
        PydanticCustomError: An id occurs twice.
    """
    names = tuple(ids)
    if len(set(names)) == len(names):
        return
    seen: set[str] = set()
    for name in names:
        if name in seen:
            hint = "Leave out the second."
            raise wrong(f"name each {what} once", f'"{name}" twice', hint, column or what)
        seen.add(name)
