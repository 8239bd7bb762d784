"""From a posterior over labels to scores."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.consensus.label_scores import no_scores
from medassay.consensus.labels_alone import entropies
from medassay.judgements import Units
from medassay.scores import Reason, Score, Unscored

__all__ = ["PARTS", "VALUES", "most_certain", "posterior_codes", "posterior_scores"]

PARTS: Final = ("entropy of the posterior in nats", "probability of the most probable label")

VALUES: Final = ("label", "expected")
"""The score of the most probable label, or the mean of the scores under the posterior."""

_TIE: Final = 1e-9
"""Probabilities no further apart than this are equal: a fit stops short of its limit."""


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
