"""BERTScore from token states: how near each piece of one text comes to any piece of the other.

With unit vectors xᵢ of the answer and yⱼ of the reference, and weights w (1, or idf; 0 for the
marks that the model puts around a text):

    P = Σᵢ w(xᵢ) maxⱼ xᵢ·yⱼ / Σᵢ w(xᵢ)
    R = Σⱼ w(yⱼ) maxᵢ xᵢ·yⱼ / Σⱼ w(yⱼ)
    F1 = 2PR / (P + R), 0 where P or R is not above 0

Marks have no weight, but a piece may find its nearest in one: so does bert-score 0.3.13, whose
values these are. Rescaling is linear, (x - b) / (1 - b), so that b, the mean of unrelated sentences
under the same model and layer, becomes 0: rescaled values have no lower end.

Source: Zhang et al. 2020, https://openreview.net/forum?id=SkeHuCVFDr.
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["Matched", "greedy_match", "idf_weights", "rescaled", "unit_rows"]


class Matched(NamedTuple):
    """Precision, recall and F1."""

    precision: float
    recall: float
    f1: float


def unit_rows(states: NDArray[np.float32]) -> NDArray[np.float32]:
    """Bring every row to length 1."""
    lengths = np.linalg.norm(states, axis=1, keepdims=True)
    unit: NDArray[np.float32] = (states / np.where(lengths > 0, lengths, 1)).astype(np.float32)
    return unit


def greedy_match(
    answer: NDArray[np.float32],
    reference: NDArray[np.float32],
    answer_weights: Sequence[float],
    reference_weights: Sequence[float],
) -> Matched | None:
    """Match each piece with the nearest of the other text; None where no piece has a weight.

    Args:
        answer: Unit vectors, shape (pieces, width).
        reference: Unit vectors, shape (pieces, width).
        answer_weights: A weight of 0 or more for each piece.
        reference_weights: A weight of 0 or more for each piece.

    Example:
        >>> e = np.eye(3, dtype=np.float32)
        >>> greedy_match(e[:2], e[1:], [1, 1], [1, 3])
        Matched(precision=0.5, recall=0.25, f1=0.3333333333333333)
    """
    of_answer = np.asarray(answer_weights, dtype=np.float64)
    of_reference = np.asarray(reference_weights, dtype=np.float64)
    if not of_answer.sum() or not of_reference.sum():
        return None
    # In double precision: in single, which of two texts comes first shows in the eighth digit.
    nearness = np.clip(answer.astype(np.float64) @ reference.T.astype(np.float64), -1, 1)
    precision = min(1.0, float(nearness.max(axis=1) @ of_answer / of_answer.sum()))
    recall = min(1.0, float(nearness.max(axis=0) @ of_reference / of_reference.sum()))
    # Cosines of real texts are far above 0; below it a harmonic mean would mean nothing.
    sensible = precision > 0 and recall > 0
    f1 = 2 * precision * recall / (precision + recall) if sensible else 0.0
    return Matched(precision, recall, f1)


def idf_weights(documents: Iterable[Iterable[int]]) -> tuple[Mapping[int, float], float]:
    """Weigh pieces by how few documents have them: ln((N + 1) / (n + 1)).

    Returns:
        The weight of each piece seen, and that of a piece in no document, ln(N + 1).

    Example:
        >>> weights, unseen = idf_weights([[101, 7, 102], [101, 7, 8, 8, 102], [101, 102]])
        >>> weights[101], round(weights[7], 3), round(weights[8], 3), round(unseen, 3)
        (0.0, 0.288, 0.693, 1.386)
    """
    sets = [set(document) for document in documents]
    counts = Counter(piece for pieces in sets for piece in pieces)
    n = len(sets)
    weights = {piece: math.log((n + 1) / (count + 1)) for piece, count in counts.items()}
    return weights, math.log(n + 1)


def rescaled(value: float, baseline: float) -> float:
    """Put the baseline at 0 and leave 1 where it is.

    Example:
        >>> rescaled(0.75, 0.5)
        0.5
    """
    return (value - baseline) / (1 - baseline)
