"""Letters that the figures' type does not have, and names that leave a figure no room."""

import warnings
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from medassay.analyses.results import Results
from medassay.annotations import Kind, mark_on, pruned
from medassay.report.names import Names

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_LONGEST: Final = 44
"""Letters of a name that leave a figure of 178 mm room for what it shows."""
_DECIMALS: Final = 6
"""Of a figure's width or height that a place is kept to: a millionth of it."""


def drawable(results: Results) -> Results:
    """Write letters of titles that the type lacks, such as Chinese ones, as their numbers.

    A box would tell nobody which system it is. Names of systems, raters and tags that are too long
    for a figure lose their middle; the tables have them whole.
    """
    seen = _Long()
    pruned(results, seen)
    if seen.names:
        results = pruned(results, _Long(_short(seen.names)))
    names = Names(results)
    known = (*names.system.values(), *names.dimension.values(), *names.source.values())
    short = _short({written(names.of_system(system.id)) for system in results.systems})
    same = [*((title, written(title)) for title in known), *short.items()]
    if all(title == shown for title, shown in same):
        return results
    return results.model_copy(
        update={
            "systems": [
                system.model_copy(update={"title": short[written(names.of_system(system.id))]})
                for system in results.systems
            ],
            "dimensions": [
                dimension.model_copy(update={"title": written(names.of_dimension(dimension.id))})
                for dimension in results.dimensions
            ],
            "sources": [
                source.model_copy(update={"title": written(names.of_source(source.name))})
                for source in results.sources
            ],
        }
    )


@dataclass
class _Long:
    """Looks for names of raters and tags that are long, or writes them shorter."""

    shorter: Mapping[str, str] = field(default_factory=dict)
    names: set[str] = field(default_factory=set)

    @classmethod
    def mark_of(cls, hint: Any) -> Kind | None:  # noqa: ANN401 - types of every shape
        """Give what a type is of, where it is of a rater or a tag."""
        kind = mark_on(hint, Kind)
        return kind if kind in {Kind.RATER, Kind.TAG, Kind.TAG_NAME} else None

    def take(self, value: object, mark: StrEnum) -> object:
        """Give the name as a figure has room for it."""
        if isinstance(value, list | tuple):
            return type(value)(self.take(member, mark) for member in value)
        if isinstance(value, str) and len(value) > _LONGEST:
            self.names.add(value)
            return self.shorter.get(value, value)
        return value


def lay_out(figure: "Figure") -> None:
    """Give every part of a figure its place, once: each further pass would move things by a hair.

    What is too long for any place lets go of its middle.
    """
    engine = figure.get_layout_engine()
    if engine is None:
        return
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        # What drawing begins with; the rest of it would move nothing.
        engine.execute(figure)
    if warned:
        _cut_all(figure)
        engine.execute(figure)
    figure.set_layout_engine("none")
    # The solver's last bits follow where its variables lie in memory, and the names of an SVG's
    # clip paths follow the last bit of a place.
    for axes in figure.axes:
        left, bottom, width, height = axes.get_position(original=True).bounds
        places = (round(left, _DECIMALS), round(bottom, _DECIMALS))
        axes.set_position((*places, round(width, _DECIMALS), round(height, _DECIMALS)))


def _cut_all(figure: "Figure") -> None:
    from matplotlib.text import Text

    for axes in figure.axes:
        for axis in (axes.xaxis, axes.yaxis):
            named = [get_ticklabel.get_text() for get_ticklabel in axis.get_ticklabels()]
            if any(len(name) > _LONGEST for name in named):
                axis.set_ticklabels([_cut(name, _LONGEST) for name in named])
    for text in figure.findobj(Text):
        words = text.get_text().split(" ")
        if max(map(len, words)) > _LONGEST:
            text.set_text(" ".join(_cut(word, _LONGEST) for word in words))


def write_drawably(figure: "Figure") -> None:
    """Write every text of a figure with the letters that the type has: raters, tags, labels."""
    from matplotlib.text import Text

    for text in figure.findobj(Text):
        if not text.get_text().isascii():
            text.set_text(written(text.get_text()))
    for axes in figure.axes:
        for axis in (axes.xaxis, axes.yaxis):
            named = [get_ticklabel.get_text() for get_ticklabel in axis.get_ticklabels()]
            if [written(name) for name in named] != named:
                axis.set_ticklabels([written(name) for name in named])


def _short(names: Collection[str]) -> dict[str, str]:
    """Cut the middle out of long names, as little as keeps every two of them apart.

    Example:
        >>> _short({"A", f"retriever {'x' * 60} top 5"})["A"]
        'A'
        >>> long = f"retriever {'x' * 60} top 5"
        >>> _short({long})[long]
        'retriever xxxxxxxxxxxx…xxxxxxxxxxxxxxx top 5'
    """
    for most in range(_LONGEST, max(map(len, names), default=0) + 1):
        short = {name: _cut(name, most) for name in names}
        if len(set(short.values())) == len(short):
            return short
    return {name: name for name in names}


def _cut(name: str, most: int) -> str:
    head = most // 2
    return name if len(name) <= most else f"{name[:head]}…{name[1 + head - most :]}"


def written(text: str) -> str:
    """Write the letters that the type lacks as numbers in brackets; lines break where they did.

    Example:
        >>> written("Réponse τ"), written("中文 1")
        ('Réponse τ', '[U+4E2D][U+6587] 1')
    """
    if text.isascii():
        return text
    letters = _letters()
    return "".join(
        letter if letter.isspace() or ord(letter) in letters else f"[U+{ord(letter):04X}]"
        for letter in text
    )


@cache
def _letters() -> frozenset[int]:
    from matplotlib.font_manager import findfont, get_font

    return frozenset(get_font(findfont("DejaVu Sans")).get_charmap())
