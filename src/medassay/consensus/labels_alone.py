"""What the labels say before any method joins them: where raters doubt, and who stands alone."""

import numpy as np
from numpy.typing import NDArray

from medassay.judgements import Units

__all__ = ["agreement_with_others", "entropies", "label_entropy"]


def entropies(shares: NDArray[np.float64]) -> tuple[float, ...]:
    """Give the entropy −Σ p ln p of each row, in nats.

    Example:
        >>> entropies(np.array([[1.0, 0.0], [0.5, 0.5]]))
        (0.0, 0.6931471805599453)
    """
    safe = np.where(shares > 0, shares, 1.0)
    rows = np.abs((shares * np.log(safe)).sum(axis=1))
    return tuple(rows.tolist())


def label_entropy(units: Units) -> tuple[float, ...]:
    """Give the entropy of the labels that each unit got, in nats.

    Example:
        >>> label_entropy(Units.from_codes([[0, 0], [0, 1]], ["no", "yes"]))
        (0.0, 0.6931471805599453)
    """
    counts = units.counts
    return entropies(counts / np.maximum(1, counts.sum(axis=1, keepdims=True)))


def agreement_with_others(units: Units) -> tuple[float | None, ...]:
    """Give the share of each rater's labels that lead among the unit's other raters.

    Units where the others have two leading labels, or where there are no others, are left out; None
    where that leaves none.

    Example:
        >>> agreement_with_others(Units.from_codes([[0, 0, 1], [1, 1, 1]], ["no", "yes"]))
        (1.0, 1.0, 0.5)
    """
    others = units.counts[units.unit]
    place = np.arange(len(units.code))
    own = others[place, units.code] - 1
    others[place, units.code] = -1
    rival = others.max(axis=1, initial=-1)
    # Where another label leads alone the rater is wrong; where two of the others lead, nobody is.
    alone = (others == rival[:, None]).sum(axis=1) == 1
    agrees = own > rival
    agrees &= own > 0
    counted = agrees | ((rival > own) & alone)
    size = len(units.raters)
    right = np.bincount(units.rater[agrees], minlength=size)
    seen = np.bincount(units.rater[counted], minlength=size)
    return tuple(r / n if n else None for r, n in zip(right.tolist(), seen.tolist(), strict=True))
