"""What was found: documents by rank."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.systems.passages import Passage

__all__ = ["Hit", "documents_by_rank", "least_to_most"]

_DIGITS: Final = 9
"""Scores are compared to so many: the last digits of a sum must not decide a rank."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A document that was found.

    Attributes:
        document: Its id.
        score: The score of its best passage.
        passage: That passage.
    """

    document: str
    score: float
    passage: Passage


def documents_by_rank(
    passages: Sequence[Passage], scores: NDArray[np.float64], k: int
) -> list[Hit]:
    """Rank documents by their best passage; equal ones in the order of the passages.

    A passage whose score is minus infinity was not looked at, and brings nothing.
    """
    rounded = np.round(scores, _DIGITS)
    hits: dict[str, Hit] = {}
    for place in np.argsort(-rounded, kind="stable"):
        if len(hits) == k or rounded[place] == -np.inf:
            break
        passage = passages[place]
        hits.setdefault(passage.document, Hit(passage.document, float(rounded[place]), passage))
    return list(hits.values())


def least_to_most(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Bring the scores of one query to 0 to 1, so that two signals can be added; all 0 if equal.

    Example:
        >>> least_to_most(np.array([2.0, 4.0, 3.0])).tolist()
        [0.0, 1.0, 0.5]
    """
    spread = float(scores.max() - scores.min())
    return (scores - scores.min()) / spread if spread else np.zeros_like(scores)
