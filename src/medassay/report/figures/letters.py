"""Letters that the figures' type does not have."""

from functools import cache

from medassay.report.names import Names
from medassay.study.results import Results

__all__ = ["drawable"]


def drawable(results: Results) -> Results:
    """Write letters of titles that the type lacks, such as Chinese ones, as their numbers.

    A box would tell nobody which system it is.
    """
    names = Names(results)
    known = (*names.system.values(), *names.dimension.values(), *names.source.values())
    if all(written(title) == title for title in known):
        return results
    return results.model_copy(
        update={
            "systems": [
                one.model_copy(update={"title": written(names.of_system(one.id))})
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


def written(text: str) -> str:
    """Write the letters that the type lacks as numbers in brackets.

    Example:
        >>> written("Réponse τ"), written("中文 1")
        ('Réponse τ', '[U+4E2D][U+6587] 1')
    """
    if text.isascii():
        return text
    letters = _letters()
    return "".join(one if ord(one) in letters else f"[U+{ord(one):04X}]" for one in text)


@cache
def _letters() -> frozenset[int]:
    from matplotlib.font_manager import findfont, get_font

    return frozenset(get_font(findfont("DejaVu Sans")).get_charmap())
