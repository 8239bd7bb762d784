"""Many differences of the same systems, tested at once: step-down by the largest."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.stats.seeding import Rng, as_generator

__all__ = ["max_t_adjusted"]

Floats = NDArray[np.float64]

_DRAWS: Final = 20_000
_CELLS: Final = 4_000_000
_FLAT: Final = 1e-9


def max_t_adjusted(
    p_values: Floats,
    first: NDArray[np.intp],
    second: NDArray[np.intp],
    pulled: Floats,
    *,
    rng: Rng,
) -> Floats:
    """Adjust the p values of differences of systems for all of them being tested.

    Each p is turned into the |z| that has it. The largest |z| of the differences that are left,
    were all of these 0, is drawn from the normal distribution in which they hang together as
    `pulled` says; p̃ is how often it reaches what was found, and never under p itself or over
    Holm's. A difference that nothing pulls is drawn by itself.

    Args:
        p_values: Shape (pairs,).
        first: The systems that come first in the pairs.
        second: Those that come second.
        pulled: What each cluster of cases adds to each system's mean, shape (clusters, systems).
        rng: The source of randomness.

    Source: Westfall & Young (1993), Resampling-Based Multiple Testing; Hothorn, Bretz & Westfall
        (2008), doi:10.1002/bimj.200810425.

    Example:
        >>> pulled = np.random.default_rng(1).normal(size=(50, 3))
        >>> pair = np.array([0, 0, 1]), np.array([1, 2, 2])
        >>> p = np.array([0.01, 0.02, 0.9])
        >>> max_t_adjusted(p, *pair, pulled, rng=np.random.default_rng(1)).round(2).tolist()
        [0.03, 0.04, 0.9]
    """
    from scipy.special import ndtri

    rng = as_generator(rng)
    pairs = len(p_values)
    if pairs <= 1:
        return p_values.copy()
    order = np.argsort(p_values, kind="stable")
    reached = -ndtri(np.maximum(p_values[order], 1e-300) / 2)
    root = np.asarray(np.linalg.qr(pulled, mode="r"), dtype=np.float64)
    roots = root[:, first[order]] - root[:, second[order]]
    spread = np.sqrt((roots**2).sum(axis=0))
    flat = spread <= _FLAT * float(np.abs(root).max(initial=0.0))
    roots = np.where(flat, 0.0, roots / np.where(flat, 1.0, spread))
    counts = np.zeros(pairs)
    step = max(1, _CELLS // pairs)
    for start in range(0, _DRAWS, step):
        size = min(step, _DRAWS - start)
        drawn = np.abs(rng.standard_normal((size, len(root))) @ roots)
        if flat.any():
            drawn[:, flat] = np.abs(rng.standard_normal((size, int(flat.sum()))))
        # The largest of a difference and all that come after it.
        largest = np.maximum.accumulate(drawn[:, ::-1], axis=1)[:, ::-1]
        counts += (largest >= reached).sum(axis=0)
    shares = (1 + counts) / (1 + _DRAWS)
    left = np.arange(pairs, 0, -1)
    single = p_values[order]
    bounded = np.clip(shares, single, np.minimum(left * single, 1.0))
    adjusted = np.empty(pairs)
    adjusted[order] = np.maximum.accumulate(bounded)
    return adjusted
