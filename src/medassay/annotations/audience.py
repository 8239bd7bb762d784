"""Who reads: what each setting of `[privacy]` shows, and what stands in place of a name."""

import re
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final, Literal

from medassay.annotations.kinds import Kind, mark_on
from medassay.annotations.record import GONE, GONE_WITH_ITS_ROW, Gone

__all__ = ["Audience", "NamedRaters", "Texts", "case_numbers", "numbered", "numbers_of_cases"]

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
