"""The n-grams of texts as numbers, so that comparing two texts is comparing sets of integers."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Final

import numpy as np

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
    numbers: dict[str, int] = {}
    tokens = np.array([numbers.setdefault(t, len(numbers)) for text in texts for t in text], int)
    # The number of an n-gram is made of its first n - 1 tokens' number and its last token's.
    codes, all_codes = tokens, [tokens.tolist()]
    for n in range(1, ORDER):
        # Numbered anew at each order: without it long n-grams would pass 64 bits.
        _, shorter = np.unique(codes, return_inverse=True)
        codes = shorter[: max(len(tokens) - n, 0)] * len(numbers) + tokens[n:]
        all_codes.append(codes.tolist())
    ends = accumulate(map(len, texts), initial=0)
    return [
        _count(
            [codes[start : max(start, stop - n)] for n, codes in enumerate(all_codes)],
            stop - start,
        )
        for start, stop in pairwise(ends)
    ]


def _count(grams: Sequence[Sequence[int]], length: int) -> Ngrams:
    distinct = tuple(map(frozenset, grams))
    repeated = tuple(
        {gram: count for gram, count in Counter(every).items() if count > 1}
        if len(once) < len(every)
        else {}
        for every, once in zip(grams, distinct, strict=True)
    )
    return Ngrams(distinct, repeated, length)
