"""Concepts and n-grams that two texts share."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

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


PARTS: Final = ("shared", "of_answer", "of_reference")
Measure = Literal["f", "precision", "recall"]
Parts = tuple[float, float, float]


def best_overlap(answer: AbstractSet[str], references: Iterable[AbstractSet[str]]) -> Parts | None:
    """Count what an answer shares with the reference with which it has the highest F1.

    References without any concept are passed over; None if no other is left.

    Example:
        >>> best_overlap({"fever", "malaria"}, [{"malaria"}, {"malaria", "fever", "rash"}, set()])
        (2.0, 2.0, 3.0)
    """
    counts = [
        (len(answer & reference), len(answer), len(reference))
        for reference in references
        if reference
    ]
    if not counts:
        return None
    shared, mine, theirs = max(counts, key=lambda c: c[0] / (c[1] + c[2]))
    return float(shared), float(mine), float(theirs)


def measure_overlap(parts: NDArray[np.float64], measure: Measure) -> NDArray[np.float64]:
    """Turn counts, shape (..., 3) in the order of `PARTS`, to values, shape (...).

    An answer without any concept has precision 0; NaN where the references have none.

    Example:
        >>> measure_overlap(np.array([[2.0, 2.0, 3.0], [0.0, 0.0, 3.0]]), "f")
        array([0.8, 0. ])
    """
    shared, mine, theirs = parts[..., 0], parts[..., 1], parts[..., 2]
    above, below = {
        "f": (2 * shared, mine + theirs),
        "precision": (shared, np.maximum(mine, 1)),
        "recall": (shared, theirs),
    }[measure]
    values = np.full(np.shape(theirs), np.nan)
    np.divide(above, below, out=values, where=theirs > 0)
    return values


def medcon_compat(
    answer: Mapping[str, AbstractSet[str]], reference: Mapping[str, AbstractSet[str]]
) -> float:
    """Compute MEDCON as the scorers of the shared tasks do.

    They count matched terms, not concepts: with t the terms of the reference of which any concept
    is among the answer's, precision is t over the answer's terms, recall t over the reference's.
    So F1 = 2·t / (terms of the answer + terms of the reference) is not symmetric, and passes 1
    where the reference names by several terms what the answer names once; it stays below 2. Where
    the formula divides by zero the scorers give 0, and so does this.

    Args:
        answer: Each term that was matched, with its concepts.
        reference: The same.

    Source: the scorers of ACI-bench (Yim et al. 2023, doi:10.1038/s41597-023-02487-3) and
    ArchEHR-QA.

    Example:
        >>> said = {"heart attack": {"C0027051"}}
        >>> known = {term: {"C0027051"} for term in ("heart attack", "mi", "infarction", "ami")}
        >>> medcon_compat(said, known), medcon_compat(known, said)
        (1.6, 0.4)
    """
    concepts = set().union(*answer.values()) if answer else set()
    met = sum(not concepts.isdisjoint(group) for group in reference.values())
    return 2 * met / (len(answer) + len(reference)) if met else 0.0
