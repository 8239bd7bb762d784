"""BLEU from counts.

BLEU = BP · (p₁ · p₂ · p₃ · p₄)^¼ with pₙ = matchesₙ / totalsₙ, the share of the answer's n-grams
that the reference has (each no more often than there), and the brevity penalty
BP = min(1, exp(1 − r / c)) for an answer of c tokens and a reference of r. No smoothing: one order
without a match gives 0.

Source: Papineni et al. 2002, doi:10.3115/1073083.1073135.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.metrics.arithmetic.ngrams import ORDER, Ngrams

__all__ = ["PARTS", "References", "bleu", "compare", "merge"]

PARTS: Final = (
    *(f"matches{n}" for n in range(1, ORDER + 1)),
    *(f"totals{n}" for n in range(1, ORDER + 1)),
    "answer_length",
    "reference_length",
)
"""What `compare` gives, in this order; sums of it over answers are what corpus BLEU needs."""


@dataclass(frozen=True, slots=True)
class References:
    """The references of one answer, put together: each n-gram as often as in the one with most.

    Attributes:
        distinct: For each order the n-grams that occur.
        repeated: For each order those that some reference repeats, and how often at most.
        lengths: Tokens of each reference.
    """

    distinct: tuple[frozenset[int], ...]
    repeated: tuple[Mapping[int, int], ...]
    lengths: tuple[int, ...]


def merge(references: Sequence[Ngrams]) -> References:
    """Put several references together: each n-gram as often as in the one that has most of it.

    Example:
        >>> from medassay.metrics.arithmetic.ngrams import count_ngrams
        >>> merge(count_ngrams(["a a".split(), "a b".split()])).repeated[0].values()
        dict_values([2])
    """
    lengths = tuple(reference.length for reference in references)
    if len(references) == 1:
        return References(references[0].distinct, references[0].repeated, lengths)
    orders = range(ORDER)
    repeated: list[dict[int, int]] = [{} for _ in orders]
    for reference in references:
        for most, counts in zip(repeated, reference.repeated, strict=True):
            most.update({g: max(c, most.get(g, 0)) for g, c in counts.items()})
    distinct = (frozenset[int]().union(*(r.distinct[n] for r in references)) for n in orders)
    return References(tuple(distinct), tuple(repeated), lengths)


def compare(answer: Ngrams, references: References) -> tuple[float, ...]:
    """Give the sufficient statistics of one answer; see `PARTS`.

    With several references the length is that of the nearest, the shorter of two as near.

    Example:
        >>> from medassay.metrics.arithmetic.ngrams import count_ngrams
        >>> answer, reference = count_ngrams(["a b c".split(), "a b d".split()])
        >>> compare(answer, merge([reference]))
        (2.0, 1.0, 0.0, 0.0, 3.0, 2.0, 1.0, 0.0, 3.0, 3.0)
    """
    matches = []
    for n in range(ORDER):
        shared = answer.distinct[n] & references.distinct[n]
        mine, theirs = answer.repeated[n], references.repeated[n]
        # What only one of the two repeats matches once, as all else does.
        more = sum(min(mine[gram], theirs[gram]) - 1 for gram in mine.keys() & theirs)
        matches.append(float(len(shared) + more))
    length = answer.length
    totals = [float(max(length - n, 0)) for n in range(ORDER)]
    nearest = min(references.lengths, key=lambda other: (abs(other - length), other))
    return (*matches, *totals, float(length), float(nearest))


def bleu(parts: NDArray[np.float64]) -> NDArray[np.float64]:
    """Compute BLEU from sufficient statistics, of one answer or summed over many.

    Args:
        parts: Shape (..., 10), in the order of `PARTS`.

    Returns:
        Shape (...), from 0 (some order has no match) to 1 (the answer is a reference).

    Example:
        >>> round(float(bleu(np.array([4, 3, 2, 1, 4, 3, 2, 1, 4, 5.]))), 4)  # exp(1 − 5/4)
        0.7788
    """
    matches, totals = parts[..., :ORDER], parts[..., ORDER : 2 * ORDER]
    length, reference = parts[..., -2], parts[..., -1]
    matched: NDArray[np.bool_] = np.all(matches > 0, axis=-1, keepdims=True)
    # Where some order has no match the value is 0; ones keep the logarithm quiet there.
    precisions = np.where(matched, matches / np.maximum(totals, 1), 1.0)
    penalty = np.exp(np.minimum(0.0, 1 - reference / np.maximum(length, 1)))
    value: NDArray[np.float64] = np.exp(np.log(precisions).mean(axis=-1)) * penalty
    return np.minimum(value, 1.0) * matched[..., 0]
