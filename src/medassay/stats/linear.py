"""Pearson's and Spearman's correlation of two columns."""

from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray

from medassay.errors import InvalidInput, Problem
from medassay.stats.ranks import mean_ranks
from medassay.stats.ties import dense_ranks

__all__ = ["pearson", "spearman"]


def pearson(x: ArrayLike, y: ArrayLike) -> float | None:
    """How near to one straight line do two columns lie?

    r = Σ(x − x̄)(y − ȳ) / √(Σ(x − x̄)² Σ(y − ȳ)²). 1: on a rising line. 0: no linear relation. -1: on
    a falling line. One system far off the others can make r on its own: see Spearman or tau beside.

    Args:
        x: Shape (n,), finite.
        y: Shape (n,), finite.

    Returns:
        r, or None where a column has fewer than two distinct values.

    Raises:
        InvalidInput: The columns differ in length, or a value is not finite.

    Source: Pearson (1895), doi:10.1098/rspl.1895.0041.

    Example:
        >>> pearson([1, 2, 3], [2, 4, 6]), pearson([1, 1, 1], [1, 2, 3]) is None
        (1.0, True)
    """
    columns = [np.asarray(side, dtype=np.float64) for side in (x, y)]
    ranked = [dense_ranks(side) for side in columns]
    _check(ranked)
    return None if _constant(ranked) else _correlation(*columns)


def spearman(x: ArrayLike, y: ArrayLike) -> float | None:
    """How near do the ranks of two columns lie to one straight line?

    Pearson's r of the ranks, ties sharing the mean of their places. 1: the same order and the same
    ties. -1: the opposite order.

    Args:
        x: Shape (n,), finite.
        y: Shape (n,), finite.

    Returns:
        rho, or None where a column has fewer than two distinct values.

    Raises:
        InvalidInput: The columns differ in length, or a value is not finite.

    Source: Spearman (1904), doi:10.2307/1412159.

    Example:
        >>> spearman([1, 2, 3, 4], [1, 3, 2, 4])  # 1 - 6·2 / (4·15)
        0.8
    """
    ranked = [dense_ranks(side) for side in (x, y)]
    _check(ranked)
    return None if _constant(ranked) else _correlation(*map(mean_ranks, ranked))


def _check(columns: list[NDArray[np.intp]]) -> None:
    for first, second in pairwise(columns):
        if first.shape != second.shape:
            must = f"have {first.size} values, as x has"
            raise InvalidInput(Problem("y", must, str(second.size)))


def _constant(ranked: list[NDArray[np.intp]]) -> bool:
    return min(int(ranks.max(initial=0)) for ranks in ranked) == 0


def _correlation(x: NDArray[np.float64], y: NDArray[np.float64]) -> float:
    x, y = x - x.mean(), y - y.mean()
    r = (x / np.sqrt(x @ x)) @ (y / np.sqrt(y @ y))
    return float(np.clip(round(float(r), 15), -1.0, 1.0))
