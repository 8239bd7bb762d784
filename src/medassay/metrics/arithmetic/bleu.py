"""BLEU from counts.

BLEU = BP · (p₁ · p₂ · p₃ · p₄)^¼ with pₙ = matchesₙ / totalsₙ, the share of the answer's n-grams
that the reference has (each no more often than there), and the brevity penalty
BP = min(1, exp(1 − r / c)) for an answer of c tokens and a reference of r. No smoothing: one order
without a match gives 0.

Source: Papineni et al. 2002, doi:10.3115/1073083.1073135.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

__all__ = ["ORDER", "PARTS", "NgramCounts", "bleu", "compare", "count_ngrams", "merge"]

ORDER: Final = 4
PARTS: Final = (
    *(f"matches{n}" for n in range(1, ORDER + 1)),
    *(f"totals{n}" for n in range(1, ORDER + 1)),
    "answer_length",
    "reference_length",
)
"""What `compare` gives, in this order; sums of it over answers are what corpus BLEU needs."""


Gram = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NgramCounts:
    """The n-grams of orders 1 to 4, kept so that most of the counting is comparing sets.

    Attributes:
        distinct: For each order the n-grams that occur.
        repeated: For each order those that occur more than once, and how often.
        lengths: Tokens of each text counted.
    """

    distinct: tuple[frozenset[Gram], ...]
    repeated: tuple[Mapping[Gram, int], ...]
    lengths: tuple[int, ...]


def count_ngrams(tokens: Sequence[str]) -> NgramCounts:
    """Count the n-grams of one text.

    Example:
        >>> counts = count_ngrams(["a", "b", "a"])
        >>> len(counts.distinct[0]), counts.repeated[0], counts.repeated[1]
        (2, {('a',): 2}, {})
    """
    shifted = [tokens[n:] for n in range(ORDER)]
    distinct: list[frozenset[Gram]] = []
    repeated: list[Mapping[Gram, int]] = []
    for n in range(1, ORDER + 1):
        grams = list(zip(*shifted[:n], strict=False))
        distinct.append(frozenset(grams))
        again = len(distinct[-1]) < len(grams)
        repeated.append({g: c for g, c in Counter(grams).items() if c > 1} if again else {})
    return NgramCounts(tuple(distinct), tuple(repeated), (len(tokens),))


def merge(references: Sequence[NgramCounts]) -> NgramCounts:
    """Put several references together: each n-gram as often as in the one that has most of it.

    Example:
        >>> merge([count_ngrams("a a".split()), count_ngrams("a b".split())]).repeated[0]
        {('a',): 2}
    """
    if len(references) == 1:
        return references[0]
    orders = range(ORDER)
    repeated: list[dict[Gram, int]] = [{} for _ in orders]
    for reference in references:
        for most, counts in zip(repeated, reference.repeated, strict=True):
            most.update({g: max(c, most.get(g, 0)) for g, c in counts.items()})
    return NgramCounts(
        tuple(frozenset[Gram]().union(*(r.distinct[n] for r in references)) for n in orders),
        tuple(repeated),
        tuple(length for r in references for length in r.lengths),
    )


def compare(answer: Sequence[str], reference: NgramCounts) -> tuple[float, ...]:
    """Give the sufficient statistics of one answer's tokens; see `PARTS`.

    With several references the length is that of the nearest, the shorter of two as near.

    Example:
        >>> compare("a b c".split(), count_ngrams("a b d".split()))
        (2.0, 1.0, 0.0, 0.0, 3.0, 2.0, 1.0, 0.0, 3.0, 3.0)
    """
    length = len(answer)
    shifted = [answer[n:] for n in range(ORDER)]
    matches = []
    for n in range(ORDER):
        shared = reference.distinct[n].intersection(zip(*shifted[: n + 1], strict=False))
        # Only what the reference repeats can match more than once: all else need not be counted.
        theirs = reference.repeated[n]
        again = shared.intersection(theirs)
        mine = Counter(zip(*shifted[: n + 1], strict=False)) if again else Counter[Gram]()
        clipped = sum(map(min, map(mine.__getitem__, again), map(theirs.__getitem__, again)))
        matches.append(float(len(shared) - len(again) + clipped))
    totals = [float(max(length - n, 0)) for n in range(ORDER)]
    nearest = min(reference.lengths, key=lambda other: (abs(other - length), other))
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
