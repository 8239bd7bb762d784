"""What the judges are compared with: the most common label, and thresholds on a cosine."""

import math
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.models.nli import Verdict
from medassay.models.nli.reading import read_sentence
from tools.support.data import Claim

__all__ = ["CLASSES", "Codes", "by_thresholds", "codes_of", "folds", "majority", "word_cosine"]

CLASSES: Final = (Verdict.SUPPORTED, Verdict.NOT_FOUND, Verdict.CONTRADICTED)
FOLDS: Final = 10
Codes = NDArray[np.intp]
"""Places in CLASSES."""


def codes_of(verdicts: Sequence[Verdict]) -> Codes:
    """Give each verdict's place among the classes."""
    return np.asarray([CLASSES.index(one) for one in verdicts], dtype=np.intp)


def folds(claims: Sequence[Claim], seed: int) -> Codes:
    """Deal the questions into folds, so that no question is on both sides."""
    questions = sorted({one.question for one in claims})
    order = np.random.default_rng(seed).permutation(len(questions))
    fold_of = {questions[i]: place % FOLDS for place, i in enumerate(order)}
    return np.asarray([fold_of[one.question] for one in claims], dtype=np.intp)


def majority(truth: Codes, fold: Codes) -> Codes:
    """Say for every claim the most common label of the other folds."""
    said = np.empty_like(truth)
    for one in range(FOLDS):
        said[fold == one] = np.bincount(truth[fold != one], minlength=len(CLASSES)).argmax()
    return said


def by_thresholds(
    cosine: NDArray[np.float64],
    truth: Codes,
    fold: Codes,
    goal: Callable[[Codes, Codes], float],
) -> Codes:
    """Call the highest supported and the lowest contradicted, by thresholds of the other folds.

    Args:
        cosine: One number a claim.
        truth: The labels.
        fold: Each claim's fold.
        goal: What the two thresholds are fitted for: labels and codes said to a number.
    """
    said = np.empty_like(truth)
    for one in range(FOLDS):
        fitted = fold != one
        cuts = np.unique(np.quantile(cosine[fitted], np.linspace(0, 1, 41)))
        cuts = np.concatenate([[-np.inf], cuts, [np.inf]])
        best = max(
            ((low, high) for low in cuts for high in cuts if low <= high),
            key=lambda cut: goal(truth[fitted], _cut(cosine[fitted], *cut)),
        )
        said[~fitted] = _cut(cosine[~fitted], *best)
    return said


def _cut(cosine: NDArray[np.float64], low: float, high: float) -> Codes:
    return np.where(cosine >= high, 0, np.where(cosine < low, 2, 1)).astype(np.intp)


def word_cosine(one: str, other: str) -> float:
    """Give the cosine of two sentences as bags of the words that the rules read."""
    first, second = (Counter(read_sentence(text).units) for text in (one, other))
    for counter, text in ((first, one), (second, other)):
        counter.update(f"{q.kind} {q.low:g} {q.high:g}" for q in read_sentence(text).quantities)
    shared = sum(first[word] * second[word] for word in first)
    sizes = math.sqrt(sum(n * n for n in first.values()) * sum(n * n for n in second.values()))
    return shared / sizes if sizes else 0.0
