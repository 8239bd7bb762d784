"""Records of plain data whose values say what they are of, and what a reader may get of them."""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass, replace
from enum import StrEnum
from functools import cache
from types import UnionType
from typing import (
    Annotated,
    Any,
    ClassVar,
    Final,
    Literal,
    Protocol,
    TypeVar,
    Union,
    dataclass_transform,
    get_args,
    get_origin,
    get_type_hints,
)

from pydantic import BaseModel, ConfigDict

from medassay.annotations.brief import brief

_Mark = TypeVar("_Mark", bound=StrEnum)


class Kind(StrEnum):
    """What a string is of.

    A marker may stand on a string, or on a whole field: a list of marks in an answer is of the
    answer's text, whatever is in it.
    """

    CASE = "case"
    DOCUMENT = "document"
    TEXT = "text"
    TAG_NAME = "tag name"
    TAG = "tag"
    SYSTEM = "system"
    RATER = "rater"
    DESIGN = "design"
    WORDS = "words"


CaseId = Annotated[str, Kind.CASE]
"""The id of a case."""


DocumentId = Annotated[str, Kind.DOCUMENT]
"""The id of a document or a piece of evidence."""


Text = Annotated[str, Kind.TEXT]
"""What a case, an answer, a document or a rater's comment says, whole or in part."""


TagName = Annotated[str, Kind.TAG_NAME]
"""The key of a tag."""


Tag = Annotated[str, Kind.TAG]
"""The value of a tag, or another word for what a case is about, such as a condition."""


SystemName = Annotated[str, Kind.SYSTEM]
"""The id, title or family of a system."""


RaterName = Annotated[str, Kind.RATER]
"""The name of a rater, a person's or a model's."""


DesignName = Annotated[str, Kind.DESIGN]
"""A name that the study's design chose, and that every reader must know to read a number: of a
dimension, label, option, metric, method or protocol."""


Words = Annotated[str, Kind.WORDS]
"""Words of ours, from a list of the code or written around numbers and names of the design."""


def mark_on(hint: Any, of: type[_Mark]) -> _Mark | None:  # noqa: ANN401 - types of every shape
    """Give the marker of one sort that stands on a type itself."""
    if get_origin(hint) is not Annotated:
        return None
    return next((get_arg for get_arg in get_args(hint)[1:] if isinstance(get_arg, of)), None)


@dataclass(frozen=True, slots=True)
class Guarded:
    """A field of a study's file may name a host, a path or code; this says what stops it.

    A study may come from anybody, so a test refuses such a field without this marker.

    Attributes:
        by: The function that refuses or asks, by its full name; a test looks that it is there.

    Example:
        >>> Guarded("medassay.study.config.protocol.outside_problem").by
        'medassay.study.config.protocol.outside_problem'
    """

    by: str


_Record = TypeVar("_Record")
_ONLY_ITS_FIELDS: Final = {"extra": "forbid"}
_ABSENT: Final[Mapping[type, Any]] = {str: "", list: [], tuple: (), dict: {}}
_Prune = Callable[[Any, Any], Any]
_OPAQUE = (str, bytes, object, Any, list, dict, tuple, set, frozenset)
"""Types that may hold any text: refused bare, and as what a container holds."""


@dataclass_transform(frozen_default=True)
def record(*, infers: bool) -> Callable[[type[_Record]], type[_Record]]:
    """Make a class a frozen dataclass that a report may hold.

    What arithmetic returns is what report.json holds, so a record is declared once, where it is
    computed. Whoever declares one says whether it infers, without a default: one that does goes as
    a whole where a protocol describes only; one that describes may hold an inference only where it
    may be missing.

    Raises:
        UnmarkedText: A field may hold text, and its type does not say of what.
        WrongInference: It says that it describes, and must hold an inference.

    Example:
        >>> from medassay.annotations import CaseId
        >>> @record(infers=False)
        ... class Hardest:
        ...     case: CaseId
        ...     mean: float
        >>> Hardest("asthma-7", 0.25)
        Hardest(case='asthma-7', mean=0.25)
    """

    def make(cls: type[_Record]) -> type[_Record]:
        if "__repr__" not in vars(cls):
            cls.__repr__ = brief  # type: ignore[method-assign]  # a function is a method
        made = dataclass(frozen=True, slots=True, repr=False)(cls)
        made.infers = infers  # type: ignore[attr-defined]  # read by `Describing`
        # Read by pydantic, where a report is read back: a key that is no field is a mistake.
        made.__pydantic_config__ = _ONLY_ITS_FIELDS  # type: ignore[attr-defined]
        check_marked(made)
        check_inference(made, Describing.mark_of)
        return made

    return make


class Plain(BaseModel):
    """Plain data that nobody changes; every string says what it is of.

    Whoever makes a record says whether it infers: `class Leader(Plain, infers=True)`. One that does
    goes as a whole where a protocol describes only; one that describes may hold an inference only
    where it may be missing.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)
    infers: ClassVar[bool]

    def __init_subclass__(cls, *, infers: bool, **kwargs: Any) -> None:  # noqa: ANN401 - pydantic's
        """Keep what is said of the record."""
        super().__init_subclass__(**kwargs)
        cls.infers = infers

    @classmethod
    def __pydantic_init_subclass__(cls, **_: object) -> None:
        """Refuse a record that does not say what its values are."""
        check_marked(cls)
        check_inference(cls, Describing.mark_of)


class Inference(StrEnum):
    """The kind of an inference."""

    INTERVAL = "interval"
    TEST = "test"
    RELIABILITY = "reliability"
    WHOLE = "whole"
    """A record that is nothing but an inference, or rests on a model of the raters."""


PValue = Annotated[float, Inference.TEST]
"""The outcome of a test."""


RankEnd = Annotated[int, Inference.INTERVAL]
"""An end of the ranks that a system may have on other cases."""


TestWords = Annotated[str, Kind.WORDS, Inference.TEST]
"""How a test was made, or what it decided, such as letters of systems that differ."""


Reliability = Annotated[float, Inference.RELIABILITY]
"""The share of a spread that is no luck of the cases: a claim about new cases."""


@dataclass(frozen=True)
class Gone:
    """What stands, for a moment, in place of a value that is taken out."""

    with_its_row: bool = False


class Describing:
    """A reader who is told what the data are, and nothing that goes beyond them."""

    @classmethod
    def mark_of(cls, hint: Any) -> Inference | None:  # noqa: ANN401 - types of every shape
        """Give the inference that a type is, if it is one."""
        if isinstance(hint, type):
            return Inference.WHOLE if getattr(hint, "infers", False) else None
        return mark_on(hint, Inference)

    def take(self, value: object, mark: StrEnum) -> object | Gone:  # noqa: ARG002 - as any rule
        """Take every inference out."""
        return value if value in (None, "") else GONE


GONE: Final = Gone()


GONE_WITH_ITS_ROW: Final = Gone(with_its_row=True)


class Rule(Protocol):
    """What a reader may not get."""

    @classmethod
    def mark_of(cls, hint: Any) -> StrEnum | None:  # noqa: ANN401 - types of every shape
        """Give the marker that makes the rule look at values of a type; None for other types."""
        ...

    def take(self, value: object, mark: StrEnum) -> object | Gone:
        """Give what the reader gets of a value with this marker."""
        ...


class Varied(ABC):
    """Holds records whose types are known only when they are there."""

    @abstractmethod
    def each(self, change: Callable[[Any], Any]) -> "Varied":
        """Give the records as they are after a change; what becomes None or empty is left out."""


def pruned(record: _Record, rule: Rule) -> _Record:
    """Give a record without what a rule takes out.

    What is taken out is None where its field allows that, and empty where it can be. Where it can
    be neither, or a row makes no sense without it, the row goes from its list; an entry of a
    mapping goes with its key or its value.

    Raises:
        TypeError: The record itself goes, so nothing of it can be shown.
    """
    kept_or_gone = _whole(record, rule)
    if isinstance(kept_or_gone, Gone):
        message = f"{type(record).__name__} is, or is about, what this reader may not get"
        raise TypeError(message)
    made: _Record = kept_or_gone
    return made


@cache
def _pruner(rule: type[Rule], hint: Any) -> _Prune | None:  # noqa: ANN401 - as above
    """Give what prunes values of a type; None where the rule never looks at what they hold."""
    mark = rule.mark_of(hint)
    origin, inside = get_origin(hint), get_args(hint)
    made: _Prune | None = None
    if mark is not None:
        made = _leaf(mark)
    elif is_record(hint):
        made = _record(rule, hint)
    elif isinstance(hint, type) and issubclass(hint, Varied):
        made = _varied
    elif origin is Annotated:
        made = _pruner(rule, inside[0])
    elif origin in {Union, UnionType}:
        made = _union(rule, inside)
    elif origin is dict:
        made = _mapping(rule, *inside)
    elif origin in {list, tuple}:
        made = _sequence(rule, origin, inside)
    return made


def _whole(value: Any, rule: Rule) -> Any:  # noqa: ANN401 - as above
    """Prune a value that no field's type tells of: a record, or a tuple of records."""
    if isinstance(value, tuple):
        parts = (_whole(part, rule) for part in value)
        return tuple(part for part in parts if not isinstance(part, Gone))
    of: Any = type(value)
    prune = _pruner(type(rule), of)
    return value if prune is None else prune(value, rule)


def _varied(value: Varied, rule: Rule) -> Varied:
    def change(record: Any) -> Any:  # noqa: ANN401 - as above
        kept_or_gone = _whole(record, rule)
        return None if isinstance(kept_or_gone, Gone) else kept_or_gone

    return value.each(change)


def _leaf(mark: StrEnum) -> _Prune:
    return lambda value, rule: rule.take(value, mark)


def _union(rule: type[Rule], inside: tuple[Any, ...]) -> _Prune | None:
    known = [own for kind in inside if (own := _pruner(rule, kind)) is not None]
    if not known:
        return None
    if len(known) > 1:
        message = f"{inside} holds two types with marks: nothing tells which one a value is of"
        raise TypeError(message)
    optional = type(None) in inside

    def prune(value: Any, rule: Rule) -> Any:  # noqa: ANN401 - as above
        kept_or_gone = None if value is None else known[0](value, rule)
        return None if optional and isinstance(kept_or_gone, Gone) else kept_or_gone

    return prune


def _sequence(rule: type[Rule], origin: type, inside: tuple[Any, ...]) -> _Prune | None:
    each = [_pruner(rule, kind) for kind in inside if kind is not Ellipsis]
    if not any(each):
        return None

    def prune(value: Any, rule: Rule) -> Any:  # noqa: ANN401 - as above
        own = each * len(value) if len(each) == 1 else each
        parts = [
            part if prune is None else prune(part, rule)
            for prune, part in zip(own, value, strict=True)
        ]
        if all(new is old for new, old in zip(parts, value, strict=True)):
            return value
        return origin(part for part in parts if not isinstance(part, Gone))

    def prune_places(value: Any, rule: Rule) -> Any:  # noqa: ANN401 - as above
        made = prune(value, rule)
        # A tuple whose places mean something cannot lack one.
        return made if len(made) == len(value) else GONE_WITH_ITS_ROW

    return prune if len(each) == 1 else prune_places


def _mapping(rule: type[Rule], key: Any, value: Any) -> _Prune | None:  # noqa: ANN401 - as above
    of_key, of_value = _pruner(rule, key), _pruner(rule, value)
    if of_key is None and of_value is None:
        return None

    def prune(entries: Any, rule: Rule) -> Any:  # noqa: ANN401 - as above
        pairs = [
            (of_key(k, rule) if of_key else k, of_value(v, rule) if of_value else v)
            for k, v in entries.items()
        ]
        if all(k is old and v is entries[old] for (k, v), old in zip(pairs, entries, strict=True)):
            return entries
        return {k: v for k, v in pairs if not isinstance(k, Gone) and not isinstance(v, Gone)}

    return prune


def _record(rule: type[Rule], record: type) -> _Prune | None:
    hints = fields_of(record).items()
    inside = [(name, hint, own) for name, hint in hints if (own := _pruner(rule, hint)) is not None]
    if not inside:
        return None

    def prune(value: Any, rule: Rule) -> Any:  # noqa: ANN401 - as above
        changed = {}
        for name, hint, own in inside:
            old = getattr(value, name)
            new = own(old, rule)
            if isinstance(new, Gone):
                if type(None) in get_args(hint):
                    new = None
                elif new.with_its_row or type(old) not in _ABSENT:
                    return new
                else:
                    new = _ABSENT[type(old)]
            if new is not old:
                changed[name] = new
        if not changed:
            return value
        if isinstance(value, BaseModel):
            return value.model_copy(update=changed)
        return replace(value, **changed)

    return prune


class UnmarkedText(TypeError):
    """A field may hold text, and its type does not say of what."""


def check_marked(record: type) -> None:
    """Refuse a record with a field that may hold text of which nothing is said.

    Records inside it are looked at when they are made themselves.

    Raises:
        UnmarkedText: The fields, each with its type and what to write.

    Example:
        >>> from dataclasses import dataclass
        >>> from medassay.annotations import CaseId
        >>> @dataclass
        ... class Hardest:
        ...     case: CaseId
        ...     seen: str
        >>> check_marked(Hardest)
        Traceback (most recent call last):
            ...
        medassay.annotations.record.UnmarkedText: Hardest.seen (str) may hold text: say of what, \
with CaseId, Text, Tag, SystemName, RaterName, DesignName, Words or a Literal
    """
    wrong = [
        f"{record.__name__}.{name} ({_shown(hint)})"
        for name, hint in fields_of(record).items()
        if any(_may_hold_text(hint))
    ]
    if wrong:
        message = (
            f"{', '.join(wrong)} may hold text: say of what, with CaseId, Text, Tag, SystemName, "
            "RaterName, DesignName, Words or a Literal"
        )
        raise UnmarkedText(message)


class WrongInference(TypeError):
    """A record says that it describes, and cannot do without an inference."""


def check_inference(record: type, mark_of: Callable[[Any], object]) -> None:
    """Refuse a record that says it describes while a field of it must hold an inference.

    A field that may be missing, and a list, may hold one: what describes only is given the record
    without it.

    Args:
        record: A record with a class attribute `infers`.
        mark_of: Gives the inference that a type is; None for every other.

    Raises:
        WrongInference: The fields.
    """
    if getattr(record, "infers", True):
        return
    wrong = [
        f"{record.__name__}.{name}"
        for name, hint in fields_of(record).items()
        if mark_of(hint) is not None and not _is_text(hint)
    ]
    if wrong:
        message = (
            f"{', '.join(wrong)} must hold an inference: say infers=True of {record.__name__}, or "
            "let the field be None"
        )
        raise WrongInference(message)


def is_record(hint: object) -> bool:
    """Say whether a type is a record: a dataclass or a model of pydantic."""
    return isinstance(hint, type) and (is_dataclass(hint) or issubclass(hint, BaseModel))


def fields_of(record: type) -> dict[str, Any]:
    """Give a record's fields with their types, markers included."""
    hints = get_type_hints(record, include_extras=True)
    if issubclass(record, BaseModel):
        return {name: hints[name] for name in record.model_fields}
    if is_dataclass(record):
        return {field.name: hints[field.name] for field in fields(record)}
    message = f"{record.__name__} is no record: make it a dataclass or a model of pydantic"
    raise TypeError(message)


def _may_hold_text(hint: Any) -> Iterator[bool]:  # noqa: ANN401 - it walks through any type
    if mark_on(hint, Kind) is not None or get_origin(hint) is Literal or is_record(hint):
        return
    inside = get_args(hint)
    if get_origin(hint) is Annotated:
        inside = inside[:1]
    if hint in _OPAQUE:
        yield True
    for part in inside:
        if part is not Ellipsis and not isinstance(part, str):
            yield from _may_hold_text(part)


def _is_text(hint: Any) -> bool:  # noqa: ANN401 - as above
    return get_origin(hint) is Annotated and get_args(hint)[0] is str


def _shown(hint: object) -> str:
    return hint.__name__ if isinstance(hint, type) else str(hint).replace("typing.", "")


Texts = Literal["full", "ids", "none"]
_TAGS: Final = frozenset({Kind.TAG_NAME, Kind.TAG})
_HIDDEN: Final[dict[Texts, frozenset[Kind]]] = {
    "full": frozenset(),
    "ids": frozenset({Kind.TEXT, *_TAGS}),
    "none": frozenset({Kind.TEXT, *_TAGS}),
}
_NUMBERED: Final[dict[Texts, frozenset[Kind]]] = {
    "full": frozenset(),
    "ids": frozenset(),
    "none": frozenset({Kind.CASE, Kind.DOCUMENT}),
}
_EVER: Final = frozenset[Kind]().union(*_HIDDEN.values(), *_NUMBERED.values())
_TOLD: Final = frozenset({Kind.RATER, Kind.WORDS})
"""What may hold a rater's pseudonym: a rater's name, a pair of them, a sentence of ours."""
_FORMS: Final = ("case-", "private-case-")
_LOOKS_SO: Final = re.compile(r"case[\W_]*\d+", re.IGNORECASE)


@dataclass
class Audience:
    """What a reader sees.

    * A text that is hidden is None where its field allows that, else empty.
    * A row that is about a tag goes with the tag: nothing is left that it is about.
    * A case or document that may not be named has its number.

    Attributes:
        texts: `full`: everything. `ids`: no text of a case, an answer or a comment and no tag; ids
            stay. `none`: cases and documents are numbered besides, in the order given or met.
        cases: The cases in the order in which they are numbered.
        known: Names that are numbers already, which stay as they are.

    Example:
        >>> reader = Audience("none", cases=["asthma-7", "burn-2"])
        >>> reader.named("burn-2", Kind.CASE), reader.named("A", Kind.SYSTEM)
        ('2', 'A')
        >>> reader.hides(Kind.TAG), reader.hides(Kind.DESIGN)
        (True, False)
    """

    texts: Texts
    cases: Iterable[str] = ()
    known: Container[str] = ()
    _numbers: dict[Kind, dict[str, str]] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        """Number the cases in their order."""
        for case in self.cases:
            self.named(case, Kind.CASE)

    def hides(self, kind: Kind) -> bool:
        """Say whether strings of a kind are taken out."""
        return kind in _HIDDEN[self.texts]

    def named(self, name: str, kind: Kind) -> str:
        """Give what this reader is told in place of a name."""
        # Empty where a record says that there is none.
        if not name or kind not in _NUMBERED[self.texts]:
            return name
        if kind is Kind.CASE and name in self.known:
            return name
        numbers = self._numbers.setdefault(kind, {})
        return numbers.setdefault(name, str(len(numbers) + 1))

    @classmethod
    def mark_of(cls, hint: Any) -> Kind | None:  # noqa: ANN401 - types of every shape
        """Give what a type is of, where some audience may not see it."""
        kind = mark_on(hint, Kind)
        return kind if kind in _EVER else None

    def take(self, value: object, mark: StrEnum) -> object | Gone:
        """Give a value as this audience sees it."""
        kind = Kind(mark)
        if self.hides(kind):
            return (GONE_WITH_ITS_ROW if kind in _TAGS else GONE) if value else value
        return self._named(value, kind) if kind in _NUMBERED[self.texts] else value

    def _named(self, value: object, kind: Kind) -> object:
        if isinstance(value, str):
            return self.named(value, kind)
        if isinstance(value, list | tuple):
            return type(value)(self._named(item, kind) for item in value)
        return value


class NamedRaters:
    """A reader who is told people by their names.

    Args:
        names: Pseudonym to name.

    Example:
        >>> reader = NamedRaters({"rater-1": "Maya", "rater-12": "Tom"})
        >>> reader.take("rater-12 and rater-1", Kind.RATER), reader.take("rater-3", Kind.RATER)
        ('Tom and Maya', 'rater-3')
    """

    def __init__(self, names: Mapping[str, str]) -> None:
        self._names = names
        longest = sorted(names, key=len, reverse=True)
        self._any = re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, longest))})(?![\w-])")

    @classmethod
    def mark_of(cls, hint: Any) -> Kind | None:  # noqa: ANN401 - types of every shape
        """Give what a type is of, where it may name a rater."""
        kind = mark_on(hint, Kind)
        return kind if kind in _TOLD else None

    def take(self, value: object, mark: StrEnum) -> object:
        """Give a value with names in place of pseudonyms."""
        if isinstance(value, str):
            return self._any.sub(lambda match: self._names[match[0]], value)
        if isinstance(value, list | tuple):
            return type(value)(self.take(item, mark) for item in value)
        return value


def numbered(names: Iterable[str], what: str = "") -> dict[str, str]:
    """Give each name its place in the order of all names, padded so that it sorts there.

    Example:
        >>> numbered(["b", "a"]), numbered(["asthma", "burn"], "tag ")["burn"]
        ({'a': '1', 'b': '2'}, 'tag 2')
        >>> once = numbered(map(str, range(12)))
        >>> numbered(once.values()) == {number: number for number in once.values()}
        True
    """
    ordered = sorted(set(names))
    width = len(str(len(ordered)))
    return {name: f"{what}{place:0{width}}" for place, name in enumerate(ordered, start=1)}


def case_numbers(cases: Iterable[str]) -> dict[str, str]:
    """Give each case what it is called where its id stays in the study.

    No case is called what looks like another's id. Cases that have their numbers keep them.

    Example:
        >>> case_numbers(["stroke-12", "asthma-3"])["stroke-12"]
        'case-2'
        >>> called = case_numbers(["Case 2", "case-3"])
        >>> called, case_numbers(called.values()) == {name: name for name in called.values()}
        ({'Case 2': 'private-case-1', 'case-3': 'private-case-2'}, True)
    """
    ids = set(cases)
    every = [numbered(ids, form) for form in _FORMS]
    for numbers in every:
        if set(numbers.values()) == ids:
            return numbers
    return every[any(map(_LOOKS_SO.fullmatch, ids))]


def numbers_of_cases(count: int) -> frozenset[str]:
    """Give all that so many cases may be called where their ids stay in the study."""
    ids = list(map(str, range(count)))
    return frozenset(name for form in _FORMS for name in numbered(ids, form).values())
