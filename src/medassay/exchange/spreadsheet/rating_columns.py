"""Columns that hold the labels of one dimension: Accuracy, Safety (Dr. A), ChatGPT accuracy."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from medassay.exchange.spreadsheet.headers import plain
from medassay.judgements import Dimension

__all__ = ["RatingColumn", "label_of", "rating_of"]

_RATER: Final = re.compile(
    r"(rater|reviewer|expert|annotator|physician|clinician|evaluator|assessor|judge|gutachter|"
    r"doctor|dr|r)( ?[0-9a-z]+)+"
)


@dataclass(frozen=True, slots=True)
class RatingColumn:
    """What a header says of a column of ratings; empty where it says nothing.

    Attributes:
        dimension: The dimension's id.
        system: Whose answers were rated.
        rater: Who rated.
    """

    dimension: str
    system: str = ""
    rater: str = ""


def rating_of(
    header: str, dimensions: Sequence[Dimension], systems: Sequence[str], asked: str = ""
) -> RatingColumn | None:
    """Say what a header says of ratings; None where it is none of a column of ratings.

    Args:
        header: The header.
        dimensions: What raters may have been asked.
        systems: The systems that the table's other columns name.
        asked: The dimension that a user says it is; found in the header if not given.

    Example:
        >>> from medassay.judgements import choose_rubric
        >>> known = choose_rubric("accuracy,safety").rubric.dimensions
        >>> rating_of("AlphaChat accuracy (Rater 2)", known, ["AlphaChat"])
        RatingColumn(dimension='accuracy', system='AlphaChat', rater='Rater 2')
        >>> rating_of("Category", known, [])
    """
    words = plain(header)
    dimension = asked
    for known in dimensions:
        names = sorted({plain(known.id), plain(known.title)} - {""}, key=len, reverse=True)
        name = next((name for name in names if _has(words, name)), None)
        if name is not None and asked in {"", known.id}:
            dimension, words = known.id, _without(words, name)
            break
    if not dimension:
        return None
    system = next((name for name in systems if _has(words, plain(name))), "")
    words = _without(words, plain(system)) if system else words
    words = " ".join(word for word in words.split() if word not in {"score", "rating", "of", "by"})
    if words and not _RATER.fullmatch(words):
        return RatingColumn(dimension, system) if asked else None
    return RatingColumn(dimension, system, _as_written(header, words))


def label_of(cell: str, dimension: Dimension) -> str:
    """Give the label that a cell means: capitals and a written-out fraction of 0 do not matter.

    Example:
        >>> from medassay.judgements import choose_rubric
        >>> accuracy, safety = choose_rubric("accuracy,safety").rubric.dimensions
        >>> label_of("4,0", accuracy), label_of("Safe", safety), label_of("4.5", accuracy)
        ('4', 'safe', '4.5')
    """
    words = {word.casefold(): label for word, label in dimension.words.items()}
    whole = re.sub(r"[.,]0+$", "", cell) if re.fullmatch(r"\d+[.,]0+", cell) else cell
    return words.get(whole.casefold(), cell)


def _has(words: str, name: str) -> bool:
    return bool(name) and f" {name} " in f" {words} "


def _without(words: str, name: str) -> str:
    return " ".join(f" {words} ".replace(f" {name} ", " ", 1).split())


def _as_written(header: str, words: str) -> str:
    """Give a rater's name as the header writes it."""
    if not words:
        return ""
    pattern = r"[\W_]*".join(map(re.escape, words.replace(" ", "")))
    written = re.search(pattern, header, re.IGNORECASE)
    return written[0] if written else words
