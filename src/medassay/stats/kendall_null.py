"""How often chance alone agrees as well: the permutation null of Kendall's tau."""

from functools import lru_cache
from itertools import permutations as all_orders
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from medassay.stats.seeding import Rng, as_generator
from medassay.stats.side_by_side import side_by_side
from medassay.stats.ties import pair_index

__all__ = ["PMethod", "permutation_p"]

PMethod = Literal["exact", "grid", "monte-carlo"]
"""All permutations; all of them, of values rounded to a grid; some, drawn."""

_ENUMERATED: Final = 9
_COUNTED: Final = 100
_CHUNK_CELLS: Final = 2_000_000
_MANY_PAIRS: Final = 1000
"""From so many pairs of systems on, threads gain more than they cost."""


def permutation_p(
    x_ranks: NDArray[np.intp],
    y_ranks: NDArray[np.intp],
    *,
    rng: Rng,
    permutations: int = 100_000,
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Ask for many pairs of columns at once: how often is |tau*| at least |tau| under permutation?

    The tie counts do not change when one column is permuted, so tau-b can be compared through its
    numerator, an integer. Three ways, the first that applies:

    - n ≤ 9: all n! orders, ties included; exact.
    - No ties in either column, n ≤ 100: the counts of orders by discordant pairs (the Mahonian
      numbers), a product of uniform distributions; exact.
    - Otherwise B random orders, shared by all columns: p = (1 + #{|tau*| ≥ |tau|}) / (1 + B).

    Args:
        x_ranks: Dense ranks, shape (columns of x, n).
        y_ranks: Dense ranks, shape (columns of y, n).
        rng: The source of randomness; not touched where every p is exact.
        permutations: B.

    Returns:
        p, shape (columns of x, columns of y), each in (0, 1]; and whether it is exact.

    Source: Kendall (1938), A new measure of rank correlation, doi:10.1093/biomet/30.1-2.81; the
        added 1: Phipson & Smyth (2010), doi:10.2202/1544-6115.1585.

    Example:
        >>> ranks = np.array([[0, 1, 2, 3]])
        >>> p, exact = permutation_p(ranks, ranks, rng=np.random.default_rng(1))
        >>> round(float(p[0, 0]), 4), bool(exact[0, 0])  # 2 of 24 orders
        (0.0833, True)
    """
    rng = as_generator(rng)
    n = x_ranks.shape[1]
    x_signs, y_signs = _signs(x_ranks), _signs(y_ranks)
    observed = np.abs(x_signs @ y_signs.T)
    if n <= _ENUMERATED:
        every = _every_order(n)
        counts = _exceedances(x_signs, y_ranks, observed, every)
        return counts / every.shape[1], np.ones(counts.shape, np.bool_)
    untied_x, untied_y = (ranks.max(axis=1) == n - 1 for ranks in (x_ranks, y_ranks))
    exact = (untied_x[:, None] & untied_y[None, :]) & (n <= _COUNTED)
    p = np.ones(exact.shape)
    if exact.any():
        p[exact] = untied_tail(n)[observed[exact].astype(np.intp)]
    if not exact.all():
        drawn = np.broadcast_to(np.arange(n, dtype=np.int32), (permutations, n))
        orders = np.ascontiguousarray(rng.permuted(drawn, axis=1).T)
        counts = _exceedances(x_signs, y_ranks, observed, orders)
        p[~exact] = ((1 + counts) / (1 + permutations))[~exact]
    return p, exact


def _signs(ranks: NDArray[np.intp]) -> NDArray[np.float32]:
    first, second = pair_index(ranks.shape[1])
    signs: NDArray[np.float32] = np.sign(ranks[:, first] - ranks[:, second]).astype(np.float32)
    return signs


def _exceedances(
    x_signs: NDArray[np.float32],
    y_ranks: NDArray[np.intp],
    observed: NDArray[np.float32],
    orders: NDArray[np.intp] | NDArray[np.int32],
) -> NDArray[np.int64]:
    """Count the orders whose numerator is at least as large; all numbers here are integers."""
    n, total = orders.shape
    pairs = x_signs.shape[1]
    chunk = max(1, _CHUNK_CELLS // max(1, pairs))

    def reached(start: int) -> NDArray[np.int64]:
        part = orders[:, start : start + chunk]
        signs = np.empty((pairs, part.shape[1]), dtype=np.float32)
        counts = np.empty(observed.shape, dtype=np.int64)
        for column, ranks in enumerate(y_ranks.astype(np.int32)):
            shuffled = ranks[part]
            row = 0
            for i in range(n - 1):
                stop = row + n - 1 - i
                np.sign(shuffled[i] - shuffled[i + 1 :], out=signs[row:stop], casting="unsafe")
                row = stop
            as_far = np.abs(x_signs @ signs) >= observed[:, column, None]
            counts[:, column] = as_far.sum(axis=1)
        return counts

    starts = range(0, total, chunk)
    made = side_by_side(reached, starts) if pairs >= _MANY_PAIRS else map(reached, starts)
    return sum(made, start=np.zeros(observed.shape, dtype=np.int64))


@lru_cache(maxsize=_ENUMERATED + 1)
def _every_order(n: int) -> NDArray[np.intp]:
    orders = np.array(list(all_orders(range(n))), dtype=np.intp).reshape(-1, n).T
    orders = np.ascontiguousarray(orders)
    orders.flags.writeable = False
    return orders


@lru_cache(maxsize=256)
def untied_tail(n: int) -> NDArray[np.float64]:
    """How often do n things without ties have |C − D| of at least k in a random order?

    Returns:
        P(|C − D| ≥ k) for k = 0..n(n − 1)/2, C and D being the concordant and discordant pairs.

    Source: Kendall (1938), doi:10.1093/biomet/30.1-2.81.

    Example:
        >>> untied_tail(3).tolist()  # of six orders two have |C − D| = 3, the others 1
        [1.0, 1.0, 0.3333333333333333, 0.3333333333333333]
    """
    discordant = np.ones(1)
    for size in range(2, n + 1):
        discordant = np.convolve(discordant, np.full(size, 1 / size))
    pairs = n * (n - 1) // 2
    distance = np.abs(pairs - 2 * np.arange(pairs + 1))
    weight = np.bincount(distance, weights=discordant, minlength=pairs + 1)
    tail = np.minimum(np.cumsum(weight[::-1])[::-1], 1.0)
    tail.flags.writeable = False
    return tail
