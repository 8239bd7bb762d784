"""The n-grams of texts as numbers, so that comparing two texts is comparing sets of integers."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

__all__ = ["ORDER", "Ngrams", "count_ngrams"]

ORDER: Final = 4


@dataclass(frozen=True, slots=True)
class Ngrams:
    """Which n-grams a text has and how often; comparable with those of the same call only.

    Attributes:
        distinct: For each order the n-grams that occur.
        repeated: For each order those that occur more than once, and how often.
        length: Tokens of the text.
    """

    distinct: tuple[frozenset[int], ...]
    repeated: tuple[Mapping[int, int], ...]
    length: int


def count_ngrams(texts: Iterable[Sequence[str]]) -> list[Ngrams]:
    """Count the n-grams of orders 1 to 4 of each text; all of them are tokens.

    Example:
        >>> first, second = count_ngrams([["a", "b", "a"], ["b", "a"]])
        >>> [len(of_order) for of_order in first.distinct], list(first.repeated[0].values())
        ([2, 2, 1, 0], [2])
        >>> len(first.distinct[1] & second.distinct[1])
        1
    """
    texts = list(texts)
    words: dict[str, int] = {}
    tokens = np.array([words.setdefault(t, len(words)) for text in texts for t in text], np.int64)
    lengths = [len(text) for text in texts]
    text_of = np.repeat(np.arange(len(texts)), lengths)
    distinct: list[list[frozenset[int]]] = [[] for _ in texts]
    repeated: list[list[dict[int, int]]] = [[{} for _ in range(ORDER)] for _ in texts]
    numbers = tokens
    for n in range(ORDER):
        if n:
            # An n-gram is its first n - 1 tokens and its last one, numbered anew at each order:
            # without it the numbers of long n-grams would pass 64 bits.
            longer = numbers[:-1] * len(words) + tokens[n:]
            _, numbers = np.unique(longer, return_inverse=True)
        listed = numbers.tolist()
        for mine, (start, stop) in zip(
            distinct, pairwise(accumulate(lengths, initial=0)), strict=True
        ):
            mine.append(frozenset(listed[start : max(start, stop - n)]))
        for text, gram, count in _repeats(numbers, text_of, n):
            repeated[text][n][gram] = count
    counted = zip(distinct, repeated, lengths, strict=True)
    return [Ngrams(tuple(once), tuple(often), length) for once, often, length in counted]


def _repeats(
    numbers: NDArray[np.int64], text_of: NDArray[np.int64], n: int
) -> Iterator[tuple[int, int, int]]:
    """Give text, n-gram and count of all that a text has more than once."""
    within = text_of[: len(numbers)] == text_of[n:]  # not from one text into the next
    many = int(numbers.max(initial=0)) + 1
    keys = (text_of[: len(numbers)] * many + numbers)[within]
    both, counts = np.unique(keys, return_counts=True)
    again = counts > 1
    for key, count in zip(both[again].tolist(), counts[again].tolist(), strict=True):
        text, gram = divmod(key, many)
        yield text, gram, count
