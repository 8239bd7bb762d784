"""The arithmetic of Davidson's model: many sets of comparisons fitted side by side."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

__all__ = ["fit_davidson", "has_fit"]

_Floats = NDArray[np.float64]

_SETTLED: Final = 1e-10
_MOST_STEPS: Final = 100
_LONGEST_STEP: Final = 2.0


def has_fit(wins: _Floats, ties: _Floats) -> NDArray[np.bool_]:
    """Say of each set whether finite strengths fit it best.

    The likelihood keeps growing along a direction (d, e) of (λ, δ) if every comparison that was
    won by i over j has d_i − d_j ≥ 2e, every tie |d_i − d_j| ≤ 2e, and not all d are equal with
    e = 0. With e = 0 that asks for a group that never lost to the rest or tied with it; with e > 0
    it is a system of difference constraints, which has a solution unless some round trip along
    wins (+1) and ties (−1, either way) has more wins than ties.

    Args:
        wins: Shape (sets, systems, systems): how often the row's system beat the column's.
        ties: The same shape, symmetric.
    """
    size = wins.shape[1]
    apart = -size - 1.0
    trip = np.where(wins > 0, 1.0, np.where(ties > 0, -1.0, apart))
    trip[:, np.arange(size), np.arange(size)] = 0.0
    for k in range(size):
        through = trip[:, :, k, None] + trip[:, k, None, :]
        joined = (trip[:, :, k, None] > apart) & (trip[:, k, None, :] > apart)
        # A longer way than `size` has been round a gainful trip: more does not matter.
        np.clip(through, -size, size, out=through)
        np.maximum(trip, np.where(joined, through, apart), out=trip)
    reached = (trip > apart).all(axis=(1, 2))
    gain = np.diagonal(trip, axis1=1, axis2=2).max(axis=1, initial=0.0) > 0
    mask: NDArray[np.bool_] = reached & gain
    return mask


def fit_davidson(wins: _Floats, ties: _Floats) -> tuple[_Floats, _Floats]:
    """Fit log strengths and the log weight of ties by Newton's steps.

    With λ the log strengths and δ the log weight of ties, a pair's three outcomes have weights
    exp(λ_i), exp(λ_j) and exp(δ + (λ_i + λ_j)/2). The log likelihood is concave; a step longer than
    2 in any coordinate is shortened.

    Args:
        wins: Shape (sets, systems, systems); each set must have a fit.
        ties: The same shape, symmetric; a tie of i and j stands at both places.

    Returns:
        λ with mean 0, shape (sets, systems), and δ, shape (sets,); −inf without ties.
    """
    sets, size, _ = wins.shape
    strength, tie = np.zeros((sets, size)), np.zeros(sets)
    games = wins + wins.transpose(0, 2, 1) + ties
    won = wins.sum(axis=2) + ties.sum(axis=2) / 2
    tied = ties.sum(axis=(1, 2)) / 2
    free = tied > 0
    tie[~free] = -np.inf
    for _ in range(_MOST_STEPS):
        first, even = _chances(strength, tie)
        # Moments of (x_i, t): x_i is 1, 1/2 or 0 and t is 1 at a tie.
        mean_i = first + even / 2
        gradient = np.concatenate(
            [
                won - (games * mean_i).sum(axis=2),
                (tied - (games * even).sum(axis=(1, 2)) / 2)[:, None],
            ],
            axis=1,
        )
        step = _newton(games, first, even, mean_i, gradient, free)
        longest = np.abs(step).max(axis=1, keepdims=True)
        step *= np.minimum(1.0, _LONGEST_STEP / np.maximum(longest, _LONGEST_STEP))
        strength += step[:, :size]
        tie[free] += step[free, size]
        if longest.max(initial=0.0) < _SETTLED:
            break
    return strength - strength.mean(axis=1, keepdims=True), tie


def _chances(strength: _Floats, tie: _Floats) -> tuple[_Floats, _Floats]:
    """Give P(i beats j) and P(tie) for all pairs, from differences so that nothing overflows."""
    half = (strength[:, :, None] - strength[:, None, :]) / 2
    up, down, even = np.exp(half), np.exp(-half), np.exp(tie)[:, None, None]
    total = up + down + even
    return up / total, even / total


def _newton(
    games: _Floats,
    first: _Floats,
    even: _Floats,
    mean_i: _Floats,
    gradient: _Floats,
    free: NDArray[np.bool_],
) -> _Floats:
    sets, size = games.shape[:2]
    spread = games * (first + even / 4 - mean_i**2)
    # x_j = 1 − x_i, so the covariance of a pair is minus its variance.
    hessian = np.zeros((sets, size + 1, size + 1))
    hessian[:, :size, :size] = -spread
    diagonal = np.arange(size)
    hessian[:, diagonal, diagonal] = spread.sum(axis=2)
    with_tie = (games * (even / 2 - mean_i * even)).sum(axis=2)
    hessian[:, :size, size] = hessian[:, size, :size] = with_tie
    hessian[:, size, size] = (games * even * (1 - even)).sum(axis=(1, 2)) / 2
    hessian[~free, :, size] = hessian[~free, size, :] = 0.0
    hessian[~free, size, size] = 1.0
    gradient = np.where(np.arange(size + 1) == size, np.where(free[:, None], gradient, 0), gradient)
    # Strengths are known up to a shift: pin their sum.
    hessian[:, :size, :size] += 1.0
    solved = np.linalg.solve(hessian, gradient[:, :, None])[:, :, 0]
    return solved.astype(np.float64)
