"""What a sentence has that may decide on a claim: marks, each with a number."""

from collections.abc import Iterable
from threading import Lock
from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.models.nli.reading import Reading

__all__ = ["DRUG", "Numbers", "choice_mark", "marks_of", "quantity_mark", "which_marks"]

Numbers = NDArray[np.intp]

# Content words begin with a letter, and are marks themselves: no other mark is one.
DRUG: Final = "℞"
"""The mark of a sentence that names a drug."""
_UNKNOWN: Final = 0
_NUMBER: Final[dict[str, int]] = {}
_NUMBERING: Final = Lock()


def quantity_mark(kind: str) -> str:
    """Name the mark of a sentence that has a quantity of a kind."""
    return f"#{kind}"


def choice_mark(group: str) -> str:
    """Name the mark of a sentence that chooses from a group of words that exclude each other."""
    return f"|{group}"


def marks_of(sentence: Reading) -> list[int]:
    """Give the numbers of a sentence's marks: its words, kinds of quantities, choices, drugs."""
    marks = set(sentence.units)
    marks.update(quantity_mark(quantity.kind) for quantity in sentence.quantities)
    marks.update(map(choice_mark, sentence.choices))
    if sentence.drugs:
        marks.add(DRUG)
    return [_NUMBER.get(mark) or _numbered(mark) for mark in marks]


def _numbered(mark: str) -> int:
    with _NUMBERING:
        return _NUMBER.setdefault(mark, len(_NUMBER) + 1)


def which_marks(marks: Iterable[str], among: Numbers) -> NDArray[np.int32]:
    """Say of each number which of some marks it is: 1 for the first; 0 where it is none of them.

    Example:
        >>> from medassay.models.nli.reading import read_sentence
        >>> numbers = np.array(marks_of(read_sentence("Take 5 mg.")), np.intp)
        >>> sorted(which_marks(["cough", "#mass"], numbers).tolist())
        [0, 2]
    """
    which = np.zeros(len(_NUMBER) + 1, np.int32)
    for place, mark in enumerate(marks, 1):
        which[_NUMBER.get(mark, _UNKNOWN)] = place
    which[_UNKNOWN] = 0
    return which[among]
