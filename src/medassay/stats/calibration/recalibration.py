"""What recalibrating the confidences could gain, measured on answers that it has not seen."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from medassay.errors import InvalidInput, Problem
from medassay.stats.calibration.bins import checked
from medassay.stats.clusters import cluster_index

__all__ = ["Recalibrated", "isotonic_fit", "recalibrate"]

_EDGE = 1e-6
"""Confidences of 0 and 1 are moved in by this much before their logarithm is taken."""

Fit = Callable[
    [NDArray[np.float64], NDArray[np.float64]],
    Callable[[NDArray[np.float64]], NDArray[np.float64]],
]


@dataclass(frozen=True, slots=True)
class Recalibrated:
    """New confidences, each from a fit that did not see its answer.

    Attributes:
        method: `temperature` or `isotonic`.
        folds: How many parts the answers were split into.
        confidence: Shape (n,), in the order given.
    """

    method: str
    folds: int
    confidence: NDArray[np.float64]


def recalibrate(
    confidence: ArrayLike,
    correct: ArrayLike,
    method: str,
    rng: np.random.Generator,
    folds: int = 10,
    clusters: Sequence[Hashable] | None = None,
) -> Recalibrated:
    """What would the confidences be, had they been recalibrated on other answers?

    `temperature` divides the log-odds by one number, chosen by likelihood: it keeps the order of
    the answers and cannot move .5. `isotonic` replaces each confidence by the accuracy of answers
    around it, so that more confidence never means less accuracy. Answers of one cluster stay in one
    fold.

    Args:
        confidence: Shape (n,), from 0 to 1.
        correct: Shape (n,), 1 for a right answer and 0 for a wrong one.
        method: `temperature` or `isotonic`.
        rng: Draws the folds.
        folds: How many parts; as many as there are clusters at most.
        clusters: For each answer what it belongs to, such as its case.

    Raises:
        InvalidInput: Another method, or fewer than two clusters.

    Source: Guo et al. 2017, arXiv:1706.04599; Zadrozny & Elkan 2002, doi:10.1145/775047.775151.

    Example:
        >>> p, y = np.tile([0.9, 0.8], 50), np.tile([1, 0], 50)
        >>> new = recalibrate(p, y, "isotonic", np.random.default_rng(1))
        >>> new.confidence[:2].tolist()
        [1.0, 0.0]
    """
    if method not in _FITS:
        raise InvalidInput(Problem("method", f"be one of {', '.join(_FITS)}", f'"{method}"'))
    p, y = checked(confidence, correct)
    of_answer = cluster_index(clusters, p.size)
    groups = int(of_answer.max()) + 1
    folds = min(folds, groups)
    if folds < 2:  # noqa: PLR2004 - one part to fit on and one to look at
        raise InvalidInput(Problem("clusters", "be two or more", f"{groups}"))
    fold = (rng.permutation(groups) % folds)[of_answer]
    made = np.empty_like(p)
    for k in range(folds):
        seen = fold != k
        made[~seen] = _FITS[method](p[seen], y[seen])(p[~seen])
    return Recalibrated(method, folds, made)


def _fit_temperature(
    p: NDArray[np.float64], y: NDArray[np.float64]
) -> Callable[[NDArray[np.float64]], NDArray[np.float64]]:
    from scipy.optimize import minimize_scalar
    from scipy.special import expit, log_expit

    def log_odds(probability: NDArray[np.float64]) -> NDArray[np.float64]:
        inside = np.clip(probability, _EDGE, 1 - _EDGE)
        odds: NDArray[np.float64] = np.log(inside) - np.log1p(-inside)
        return odds

    z = log_odds(p)

    def loss(log_temperature: float) -> float:
        scaled = z / np.exp(log_temperature)
        return float(-(y * log_expit(scaled) + (1 - y) * log_expit(-scaled)).mean())

    best = minimize_scalar(loss, bounds=(-5, 5), method="bounded", options={"xatol": 1e-10})
    temperature = float(np.exp(best.x))
    return lambda new: expit(log_odds(new) / temperature)


def isotonic_fit(
    p: NDArray[np.float64], y: NDArray[np.float64]
) -> Callable[[NDArray[np.float64]], NDArray[np.float64]]:
    """How right are answers around each confidence, if more of it never means less?

    Least squares under that order, straight lines between the confidences seen, level beyond them.

    Args:
        p: Shape (n,), confidences.
        y: Shape (n,), 1 for a right answer and 0 for a wrong one.

    Returns:
        What gives new confidences for old ones.

    Source: Zadrozny & Elkan 2002, doi:10.1145/775047.775151.

    Example:
        >>> isotonic_fit(np.array([0.2, 0.8]), np.array([0.0, 1.0]))(np.array([0.1, 0.5, 1.0]))
        array([0. , 0.5, 1. ])
    """
    from scipy.optimize import isotonic_regression

    values, place, times = np.unique(p, return_inverse=True, return_counts=True)
    share = np.bincount(place, y) / times
    level = isotonic_regression(share, weights=times.astype(np.float64)).x
    return lambda new: np.interp(new, values, level)


_FITS: dict[str, Fit] = {"temperature": _fit_temperature, "isotonic": isotonic_fit}
