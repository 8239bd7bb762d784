"""Letters that the figures' type does not have, and names that leave a figure no room."""

from collections.abc import Collection
from functools import cache
from typing import TYPE_CHECKING, Final

from medassay.report.names import Names
from medassay.study.results import Results

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["drawable", "write_drawably"]

_LONGEST: Final = 44
"""Letters of a name that leave a figure of 178 mm room for what it shows."""


def drawable(results: Results) -> Results:
    """Write letters of titles that the type lacks, such as Chinese ones, as their numbers.

    A box would tell nobody which system it is. Systems' names that are too long for a figure lose
    their middle; the tables have them whole.
    """
    names = Names(results)
    known = (*names.system.values(), *names.dimension.values(), *names.source.values())
    short = _short({written(names.of_system(one.id)) for one in results.systems})
    same = [*((title, written(title)) for title in known), *short.items()]
    if all(title == shown for title, shown in same):
        return results
    return results.model_copy(
        update={
            "systems": [
                one.model_copy(update={"title": short[written(names.of_system(one.id))]})
                for one in results.systems
            ],
            "dimensions": [
                one.model_copy(update={"title": written(names.of_dimension(one.id))})
                for one in results.dimensions
            ],
            "sources": [
                one.model_copy(update={"title": written(names.of_source(one.name))})
                for one in results.sources
            ],
        }
    )


def write_drawably(figure: "Figure") -> None:
    """Write every text of a figure with the letters that the type has: raters, tags, labels."""
    from matplotlib.text import Text

    for text in figure.findobj(Text):
        if not text.get_text().isascii():
            text.set_text(written(text.get_text()))
    for axes in figure.axes:
        for axis in (axes.xaxis, axes.yaxis):
            named = [one.get_text() for one in axis.get_ticklabels()]
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
        one if one.isspace() or ord(one) in letters else f"[U+{ord(one):04X}]" for one in text
    )


@cache
def _letters() -> frozenset[int]:
    from matplotlib.font_manager import findfont, get_font

    return frozenset(get_font(findfont("DejaVu Sans")).get_charmap())
