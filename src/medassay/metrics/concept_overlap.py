"""Concepts that two texts share: as sets, and as the scorers of shared tasks count them.

With A and R the concepts of answer and reference, precision is |A ∩ R| / |A|, recall |A ∩ R| / |R|
and F1 = 2·|A ∩ R| / (|A| + |R|): symmetric, in [0, 1].
"""

from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

__all__ = ["PARTS", "Measure", "best_overlap", "measure_overlap", "medcon_compat"]

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
