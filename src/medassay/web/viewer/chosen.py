"""What somebody wants to see, as the address of a page says it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final
from urllib.parse import urlencode

__all__ = ["ViewerFilter"]

_BETWEEN: Final = ":"


@dataclass(frozen=True, slots=True)
class ViewerFilter:
    """What somebody wants to see.

    Attributes:
        systems: Their answers; those of all systems if empty.
        dimension: Answers that somebody gave a label of this question, with `label`.
        label: The label; empty: any.
        differ: Only answers whose raters say different things.
        hardest: The hardest cases first.
        words: Words that stand in the question or an answer, or a case's id.
        page: The page of the list, from 1.
    """

    systems: tuple[str, ...] = ()
    dimension: str = ""
    label: str = ""
    differ: bool = False
    hardest: bool = False
    words: str = ""
    page: int = 1

    @classmethod
    def of(cls, asked: Sequence[tuple[str, str]]) -> "ViewerFilter":
        """Read it from an address; what is not known there is passed over.

        Example:
            >>> found = ViewerFilter.of([("system", "A"), ("label", "harm:none"), ("page", "x")])
            >>> found.systems, found.dimension, found.label, found.page
            (('A',), 'harm', 'none', 1)
        """
        last: Mapping[str, str] = dict(asked)
        dimension, _, label = last.get("label", "").partition(_BETWEEN)
        page = last.get("page", "")
        return cls(
            tuple(dict.fromkeys(value for name, value in asked if name == "system" and value)),
            dimension,
            label,
            bool(last.get("differ")),
            bool(last.get("hardest")),
            " ".join(last.get("words", "").split()),
            max(1, int(page)) if page.isascii() and page.isdecimal() and len(page) < 8 else 1,  # noqa: PLR2004 - ten million pages
        )

    def address(self, **more: str) -> str:
        """Write it behind a `?`, with what a page asks besides.

        Example:
            >>> ViewerFilter(systems=("A",), differ=True).address(case="7")
            'system=A&differ=1&case=7'
        """
        return urlencode([*self.pairs, *more.items()])

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """Give its parts as an address or a form names them."""
        said = [("system", name) for name in self.systems]
        said += [("label", f"{self.dimension}{_BETWEEN}{self.label}")] if self.dimension else []
        said += [("differ", "1")] if self.differ else []
        said += [("hardest", "1")] if self.hardest else []
        said += [("words", self.words)] if self.words else []
        said += [("page", str(self.page))] if self.page > 1 else []
        return tuple(said)

    def at(self, page: int) -> "ViewerFilter":
        """Ask for another page of the same."""
        return replace(self, page=page)

    @property
    def some(self) -> bool:
        """Say whether anything is left out."""
        return bool(self.systems or self.dimension or self.differ or self.words)
