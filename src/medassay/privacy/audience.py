"""Who reads: what each setting of `[privacy]` shows, and what stands in place of a name."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final, Literal

from medassay.privacy.kinds import Kind

__all__ = ["Audience", "Texts"]

Texts = Literal["full", "ids", "none"]

_HIDDEN: Final[dict[Texts, frozenset[Kind]]] = {
    "full": frozenset(),
    "ids": frozenset({Kind.TEXT, Kind.TAG_NAME, Kind.TAG}),
    "none": frozenset({Kind.TEXT, Kind.TAG_NAME, Kind.TAG}),
}
_NUMBERED: Final[dict[Texts, frozenset[Kind]]] = {
    "full": frozenset(),
    "ids": frozenset(),
    "none": frozenset({Kind.CASE, Kind.DOCUMENT}),
}


@dataclass
class Audience:
    """What a reader sees.

    Attributes:
        texts: `full`: everything. `ids`: no text of a case, an answer or a comment and no tag; ids
            stay. `none`: cases and documents are numbered besides, in the order given or met.
        cases: The cases in the order in which they are numbered.

    Example:
        >>> reader = Audience("none", cases=["asthma-7", "burn-2"])
        >>> reader.named("burn-2", Kind.CASE), reader.named("A", Kind.SYSTEM)
        ('2', 'A')
        >>> reader.hides(Kind.TAG), reader.hides(Kind.DESIGN)
        (True, False)
    """

    texts: Texts
    cases: Iterable[str] = ()
    _numbers: dict[Kind, dict[str, str]] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        """Number the cases in their order."""
        for case in self.cases:
            self.named(case, Kind.CASE)

    @property
    def sees_all(self) -> bool:
        """Say whether nothing is hidden or renamed."""
        return not (_HIDDEN[self.texts] or _NUMBERED[self.texts])

    def hides(self, kind: Kind) -> bool:
        """Say whether strings of a kind are taken out."""
        return kind in _HIDDEN[self.texts]

    def renames(self, kind: Kind) -> bool:
        """Say whether another name stands in place of strings of a kind."""
        return kind in _NUMBERED[self.texts]

    def named(self, name: str, kind: Kind) -> str:
        """Give what this reader is told in place of a name."""
        # Empty where a record says that there is none.
        if not name or not self.renames(kind):
            return name
        numbers = self._numbers.setdefault(kind, {})
        return numbers.setdefault(name, str(len(numbers) + 1))
