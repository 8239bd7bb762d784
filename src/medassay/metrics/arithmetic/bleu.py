"""BLEU from counts.

BLEU = BP · (p₁ · p₂ · p₃ · p₄)^¼ with pₙ = matchesₙ / totalsₙ, the share of the answer's n-grams
that the reference has (each no more often than there), and the brevity penalty
BP = min(1, exp(1 − r / c)) for an answer of c tokens and a reference of r. No smoothing: one order
without a match gives 0.

Source: Papineni et al. 2002, doi:10.3115/1073083.1073135.
"""

from collections import Counter
from collections.abc import Sequence
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


@dataclass(frozen=True, slots=True)
class NgramCounts:
    """How often each n-gram of orders 1 to 4 occurs, and the lengths of the texts counted."""

    by_order: tuple[Counter[tuple[str, ...]], ...]
    lengths: tuple[int, ...]


def count_ngrams(tokens: Sequence[str]) -> NgramCounts:
    """Count the n-grams of one text.

    Example:
        >>> count_ngrams(["a", "b", "a"]).by_order[0][("a",)]
        2
    """
    shifted = [tokens[n:] for n in range(ORDER)]
    by_order = (Counter(zip(*shifted[:n], strict=False)) for n in range(1, ORDER + 1))
    return NgramCounts(tuple(by_order), (len(tokens),))


def merge(references: Sequence[NgramCounts]) -> NgramCounts:
    """Put several references together: each n-gram as often as in the one that has most of it."""
    by_order = list(references[0].by_order)
    for other in references[1:]:
        by_order = [mine | theirs for mine, theirs in zip(by_order, other.by_order, strict=True)]
    return NgramCounts(tuple(by_order), tuple(n for r in references for n in r.lengths))


def compare(answer: NgramCounts, reference: NgramCounts) -> tuple[float, ...]:
    """Give the sufficient statistics of one answer; see `PARTS`.

    With several references the length is that of the nearest, the shorter of two as near.

    Example:
        >>> compare(count_ngrams("a b c".split()), count_ngrams("a b d".split()))
        (2.0, 1.0, 0.0, 0.0, 3.0, 2.0, 1.0, 0.0, 3.0, 3.0)
    """
    length = answer.lengths[0]
    matches = []
    for mine, theirs in zip(answer.by_order, reference.by_order, strict=True):
        shared = mine.keys() & theirs.keys()
        matches.append(float(sum([min(mine[gram], theirs[gram]) for gram in shared])))
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
    matched = (matches > 0).all(axis=-1)
    # Where some order has no match the value is 0; ones keep the logarithm quiet there.
    safe = np.where(matched[..., None], matches / np.maximum(totals, 1), 1.0)
    penalty = np.exp(np.minimum(0.0, 1 - reference / np.maximum(length, 1)))
    value: NDArray[np.float64] = np.where(
        matched, penalty * np.exp(np.log(safe).mean(axis=-1)), 0.0
    )
    return np.minimum(value, 1.0)
