"""Precision, recall and F1 of citations, by the rules of the ArchEHR-QA shared tasks.

With tp, fp, fn the cited and relevant, the cited and irrelevant, and the relevant and uncited
sentences: P = tp / (tp + fp), R = tp / (tp + fn), F1 = 2PR / (P + R). 0/0 is 0, except that under
`archehr2026` all three are 1 where nothing is relevant and nothing is cited.
"""

from collections.abc import Collection, Mapping
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

__all__ = ["PARTS", "Measure", "count_citations", "measure_citations"]

Measure = Literal["precision", "recall", "f1"]

PARTS: Final = ("tp", "fp", "fn")


def count_citations(
    cited: Collection[str], relevance: Mapping[str, str], *, gold: str, rules: str
) -> tuple[float, float, float]:
    """Count (tp, fp, fn) of one answer; a citation counts once, one of no sentence is wrong.

    Args:
        cited: Ids that the answer cites.
        relevance: Every sentence's id to essential, supplementary or not-relevant.
        gold: `strict`: essential sentences are relevant. `lenient`: under `archehr2025`
            supplementary ones are relevant too; under `archehr2026` they are no longer held
            against an answer that cites them, and count for nothing.
        rules: `archehr2025` or `archehr2026`.

    Example:
        >>> note = {"1": "essential", "2": "supplementary", "3": "supplementary"}
        >>> [count_citations(["1", "2"], note, gold=gold, rules=rules) for gold, rules in [
        ...     ("strict", "archehr2025"), ("lenient", "archehr2025"), ("lenient", "archehr2026")]]
        [(1.0, 1.0, 0.0), (2.0, 0.0, 1.0), (1.0, 0.0, 0.0)]
    """
    mine = set(cited)
    relevant = {sentence for sentence, word in relevance.items() if word == "essential"}
    if gold == "lenient":
        supplementary = {
            sentence for sentence, word in relevance.items() if word == "supplementary"
        }
        if rules == "archehr2025":
            relevant |= supplementary
        else:
            mine -= supplementary
    right = len(mine & relevant)
    return float(right), float(len(mine) - right), float(len(relevant) - right)


def measure_citations(
    parts: NDArray[np.float64], measure: Measure, *, rules: str
) -> NDArray[np.float64]:
    """Compute one measure from counts, of one answer or summed over many.

    Args:
        parts: Shape (..., 3), in the order of `PARTS`.
        measure: Which of the three.
        rules: Decides the value where all counts are 0.

    Returns:
        Shape (...), from 0 to 1.

    Example:
        >>> measure_citations(np.array([[1.0, 1.0, 0.0], [0.0, 0.0, 0.0]]), "f1",
        ...                   rules="archehr2026").round(3).tolist()
        [0.667, 1.0]
    """
    right, wrong, missed = parts[..., 0], parts[..., 1], parts[..., 2]
    # 2PR / (P + R) is 2tp / (2tp + fp + fn), and 0 where either is 0.
    whole = {
        "precision": right + wrong,
        "recall": right + missed,
        "f1": 2 * right + wrong + missed,
    }[measure]
    share = (2 * right if measure == "f1" else right) / np.maximum(whole, 1)
    if rules == "archehr2026":
        share = np.where(parts.sum(axis=-1) == 0, 1.0, share)
    value: NDArray[np.float64] = np.asarray(share)
    return value
