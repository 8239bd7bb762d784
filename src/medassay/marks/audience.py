"""Who reads: what each setting of `[privacy]` shows, and what stands in place of a name."""

from collections.abc import Container, Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final, Literal

from medassay.marks.kinds import Kind, mark_on
from medassay.marks.pruning import GONE, GONE_WITH_ITS_ROW, Gone

__all__ = ["Audience", "Texts"]

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
