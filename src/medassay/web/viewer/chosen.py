"""What somebody wants to see of a study, as the address of a page says it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import isfinite
from typing import Final
from urllib.parse import urlencode

_BETWEEN: Final = ":"


@dataclass(frozen=True, slots=True)
class ViewerFilter:
    """What somebody wants to see.

    Attributes:
        systems: Their answers; those of all systems if empty.
        dimension: Answers that somebody gave a label of this question, with `label`.
        label: The label; empty: any.
        rater: Answers of which this rater said something, or that label of that question.
        differ: Only answers whose raters say different things.
        tags: Only cases with these tags, name and value.
        within: The column whose value lies from `least` to `most`.
        least: The lowest value; None: no lower bound.
        most: The highest value; None: no upper bound.
        sort: The column to sort by; empty: the worst answers first.
        down: Whether the highest stand first.
        columns: The columns to show; the usual ones if empty.
        words: Words that stand in the question or an answer, or a case's id.
        page: The page of the list, from 1.
    """

    systems: tuple[str, ...] = ()
    dimension: str = ""
    label: str = ""
    rater: str = ""
    differ: bool = False
    tags: tuple[tuple[str, str], ...] = ()
    within: str = ""
    least: float | None = None
    most: float | None = None
    sort: str = ""
    down: bool = False
    columns: tuple[str, ...] = ()
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

        def each(wanted: str) -> tuple[str, ...]:
            return tuple(dict.fromkeys(value for name, value in asked if name == wanted and value))

        tags = (tag.partition(_BETWEEN) for tag in each("tag"))
        return cls(
            each("system"),
            dimension,
            label,
            last.get("rater", ""),
            bool(last.get("differ")),
            tuple((name, value) for name, between, value in tags if between),
            last.get("within", ""),
            _number(last.get("least", "")),
            _number(last.get("most", "")),
            last.get("sort", ""),
            bool(last.get("down")),
            each("col"),
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
        said += [("rater", self.rater)] if self.rater else []
        said += [("differ", "1")] if self.differ else []
        said += [("tag", f"{name}{_BETWEEN}{value}") for name, value in self.tags]
        said += [("within", self.within)] if self.within else []
        said += [
            (name, f"{bound:g}")
            for name, bound in (("least", self.least), ("most", self.most))
            if bound is not None
        ]
        said += [("sort", self.sort)] if self.sort else []
        said += [("down", "1")] if self.down else []
        said += [("col", name) for name in self.columns]
        said += [("words", self.words)] if self.words else []
        said += [("page", str(self.page))] if self.page > 1 else []
        return tuple(said)

    def at(self, page: int) -> "ViewerFilter":
        """Ask for another page of the same."""
        return replace(self, page=page)

    @property
    def some(self) -> bool:
        """Say whether anything is left out."""
        bounds = self.within and (self.least, self.most) != (None, None)
        words = self.dimension or self.rater or self.words
        return bool(self.systems or self.differ or self.tags or bounds or words)

    def by(self, column: str, *, down: bool) -> "ViewerFilter":
        """Ask for the same in another order."""
        return replace(self, sort=column, down=down, page=1)


def _number(text: str) -> float | None:
    try:
        value = float(text.strip().replace(",", "."))
    except ValueError:
        return None
    return value if isfinite(value) else None
