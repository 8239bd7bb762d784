"""What methods share: scores of labels, of a posterior over them, and what labels alone say."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.judgements import Units
from medassay.scores import Reason, Score, Unscored

PARTS: Final = ("entropy of the posterior in nats", "probability of the most probable label")
VALUES: Final = ("label", "expected")
"""The score of the most probable label, or the mean of the scores under the posterior."""
_TIE: Final = 1e-9
"""Probabilities no further apart than this are equal: a fit stops short of its limit."""


def score_sums(units: Units) -> tuple[list[float], list[float]]:
    """Add up each unit's label scores, and count its labels.

    Example:
        >>> score_sums(Units.from_codes([[0, 1], [1, -1]], ["no", "yes"], scores=[0, 2]))
        ([2.0, 2.0], [2.0, 1.0])
    """
    scores = np.zeros(len(units.labels)) if units.scores is None else units.scores
    sizes = units.sizes.astype(np.float64).tolist()
    if units.of_numbers:
        # From low to high, whoever gave which; a table of units by numbers would have no end.
        order = np.lexsort((units.code, units.unit))
        given = scores[units.code][order]
        return np.bincount(units.unit[order], given, minlength=len(units)).tolist(), sizes
    # Counts times scores, not a sum over raters: whole scores stay exact in any order.
    return (units.counts @ scores).tolist(), sizes


def no_scores(units: Units) -> list[Score | Unscored]:
    """Say for every unit that its labels have no scores."""
    detail = f"the labels of {units.dimension} have no scores"
    return [Unscored(Reason.UNDEFINED, detail)] * len(units)


def posterior_codes(
    posterior: NDArray[np.float64], sure: NDArray[np.bool_] | None = None
) -> tuple[int, ...]:
    """Give the code of each unit's most probable label; -1 at a tie, or where it is not sure.

    Example:
        >>> posterior_codes(np.array([[0.25, 0.75], [0.5, 0.5]]))
        (1, -1)
    """
    alone = _leaders(posterior).sum(axis=1) == 1
    is_sure = alone if sure is None else alone & sure
    return tuple(np.where(is_sure, posterior.argmax(axis=1), -1).tolist())


def posterior_scores(
    units: Units,
    posterior: NDArray[np.float64],
    value: str,
    sure: NDArray[np.bool_] | None = None,
) -> list[Score | Unscored]:
    """Score each unit by its most probable label, or by the mean under the posterior.

    Args:
        units: What was judged.
        posterior: Shape (units, labels).
        value: One of `VALUES`.
        sure: Which units are certain enough to have a score; all of them where not given.

    Example:
        >>> units = Units.from_codes([[0], [1]], ["no", "yes"], scores=[0, 2])
        >>> shares = np.array([[0.75, 0.25], [0.5, 0.5]])
        >>> [score.value for score in posterior_scores(units, shares, "expected")]
        [0.5, 1.0]
        >>> print(posterior_scores(units, shares, "label")[1])
        raters tied: no, yes are equally probable
    """
    if units.scores is None:
        return no_scores(units)
    is_sure = np.ones(len(units), dtype=np.bool_) if sure is None else sure
    doubtful = Unscored(
        Reason.UNDEFINED,
        f"not among the {is_sure.sum()} of {len(is_sure)} answers that are most certain",
    )
    made: list[Score | Unscored] = []
    rows = zip(
        is_sure.tolist(),
        posterior_codes(posterior),
        entropies(posterior),
        posterior.max(axis=1, initial=0.0).tolist(),
        (posterior @ units.scores).tolist(),
        _leaders(posterior),
        strict=True,
    )
    for certain, code, entropy, highest, mean, leading in rows:
        if not certain:
            made.append(doubtful)
        elif value == "expected":
            made.append(Score(mean, parts=(entropy, highest)))
        elif code < 0:
            names = ", ".join(units.labels[i] for i in np.flatnonzero(leading))
            made.append(Unscored(Reason.TIE, f"{names} are equally probable"))
        else:
            made.append(Score(float(units.scores[code]), parts=(entropy, highest)))
    return made


def most_certain(entropy: tuple[float, ...], keep: float) -> NDArray[np.bool_]:
    """Mark the `keep` % of units with the lowest entropy; equally certain ones stay together.

    Example:
        >>> most_certain((0.3, 0.1, 0.2), 50).tolist()
        [False, True, True]
    """
    if not entropy:
        return np.zeros(0, dtype=np.bool_)
    place = max(0, int(np.ceil(len(entropy) * keep / 100)) - 1)
    certain: NDArray[np.bool_] = np.array(entropy) <= sorted(entropy)[place] + _TIE
    return certain


def _leaders(posterior: NDArray[np.float64]) -> NDArray[np.bool_]:
    leads: NDArray[np.bool_] = posterior >= posterior.max(axis=1, keepdims=True) - _TIE
    return leads


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
