"""Ranks with ties, how far they move, and Kendall's tau-b of two columns with its null."""

import math
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations as all_orders
from typing import Final, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from medassay.api_checks import ArrayLike, Draws, checked
from medassay.errors import InvalidInput, Problem
from medassay.stats.randomness import Rng, as_generator

_NOT_FINITE: Final = Problem("values", "be finite", "NaN or infinity", "Leave them out.")
AT_ONCE_FROM: Final = 12
"""From so many systems on ranges of ranks hold at once (`rank_sets`)."""

_CHUNK_CELLS: Final = 2_000_000
TIE_TOLERANCE = 1e-12
"""Numbers closer than this share of their column's largest magnitude are equal.

Two means of the same numbers can differ in the last bit when they were added in another order. Such
a difference must never decide a rank.
"""


def ranks(
    values: ArrayLike, *, higher_is_better: bool = True, decimals: int | None = None
) -> NDArray[np.intp]:
    """Number the places 1, 2, ...; ties share the best place: 1, 2, 2, 4.

    Args:
        values: Shape (n,), finite.
        higher_is_better: Whether the largest value takes place 1.
        decimals: Round to so many decimals first, as published tables do; None: as they are, with
            differences within 1e-12 of the largest magnitude tied.

    Example:
        >>> ranks([0.9, 0.71, 0.74, 0.1], decimals=1).tolist()
        [1, 2, 2, 4]
    """
    numbers = np.asarray(values, dtype=np.float64)
    places = dense_ranks(numbers if decimals is None else np.round(numbers, decimals))
    better = -places if higher_is_better else places
    taken: NDArray[np.intp] = 1 + (better[None, :] < better[:, None]).sum(axis=1)
    return taken


def mean_ranks(values: ArrayLike) -> NDArray[np.float64]:
    """Number values 1, 2, ... from the least; what is equal shares its mean place.

    Example:
        >>> mean_ranks([0.3, 0.1, 0.3]).tolist()
        [2.5, 1.0, 2.5]
    """
    _, place, times = np.unique(values, return_inverse=True, return_counts=True)
    return np.asarray((np.cumsum(times) - (times - 1) / 2)[place])


def rank_ranges(
    replicates: NDArray[np.float64],
    *,
    higher_is_better: bool = True,
    level: float = 0.95,
    step: float | None = None,
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Between which places does each system move from resample to resample?

    Ranks every replicate (ties share the best place) and takes the central share of the places,
    whole numbers. The range describes how stable the order is on cases like these; it is no test.

    Args:
        replicates: Values, shape (replicates, systems); NaN where a system has none in a
            replicate, which then counts neither for it nor against others.
        higher_is_better: Whether the largest value takes place 1.
        level: The share of replicates inside.
        step: Values no further apart are tied; 1e-12 of the largest magnitude if not given.

    Returns:
        Best and worst place, each of shape (systems,); 0 for a system that is never there.

    Example:
        >>> low, high = rank_ranges(np.array([[3.0, 2.0, 1.0], [2.0, 3.0, 1.0]]))
        >>> low.tolist(), high.tolist()
        ([1, 1, 3], [2, 2, 3])
    """
    count, systems = replicates.shape
    known = ~np.isnan(replicates)
    better = np.where(known, replicates if higher_is_better else -replicates, -np.inf)
    if step is None:
        step = TIE_TOLERANCE * float(np.abs(replicates[known]).max(initial=0.0))
    places = np.empty((count, systems), dtype=np.int32)
    chunk = max(1, _CHUNK_CELLS // max(1, systems))
    for start in range(0, count, chunk):
        part = better[start : start + chunk]
        for i in range(systems):
            ahead = (part > part[:, i, None] + step).sum(axis=1)
            places[start : start + chunk, i] = 1 + ahead
    low, high = np.zeros(systems, dtype=np.intp), np.zeros(systems, dtype=np.intp)
    tails = [(1 - level) / 2, (1 + level) / 2]
    for i in range(systems):
        seen = places[known[:, i], i]
        if seen.size:
            low[i], high[i] = np.quantile(seen, tails, method="closest_observation")
    return low, high


def dense_ranks(values: ArrayLike, *, scale: float | None = None) -> NDArray[np.intp]:
    """Number the distinct values from the smallest, 0, 1, 2, ...; ties share a number.

    Args:
        values: Shape (n,), finite.
        scale: The magnitude that the tolerance refers to, where it is not that of the values
            themselves (means near 0 of large numbers carry the rounding of the large numbers).

    Returns:
        Shape (n,).

    Raises:
        InvalidInput: A value is not finite.

    Example:
        >>> dense_ranks([0.3, 0.1 + 0.2, 0.1]).tolist()
        [1, 1, 0]
    """
    numbers = np.asarray(values, dtype=np.float64)
    if not np.isfinite(numbers).all():
        raise InvalidInput(_NOT_FINITE)
    if scale is None:
        scale = float(np.abs(numbers).max(initial=0.0))
    order = np.argsort(numbers, kind="stable")
    ranks = np.empty(numbers.size, dtype=np.intp)
    steps = np.diff(numbers[order]) > TIE_TOLERANCE * scale
    ranks[order] = np.concatenate([np.zeros(min(1, numbers.size), np.intp), np.cumsum(steps)])
    return ranks


def all_tied(values: NDArray[np.float64]) -> bool:
    """Say whether `dense_ranks` gives every value the same number, without ranking them.

    Raises:
        InvalidInput: A value is not finite.

    Example:
        >>> all_tied(np.array([0.3, 0.1 + 0.2])), all_tied(np.array([0.3, 0.1, 0.3]))
        (True, False)
    """
    if not values.size:
        return True
    low, high = float(values.min()), float(values.max())
    if not (math.isfinite(low) and math.isfinite(high)):
        raise InvalidInput(_NOT_FINITE)
    step = TIE_TOLERANCE * max(abs(low), abs(high))
    if high - low > 2 * step * values.size:  # no chain of ties is so long
        return False
    return not (np.diff(np.sort(values)) > step).any()


def pair_index(n: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """List the pairs i < j of n things, row by row: the one order in which rooms name pairs.

    Example:
        >>> [side.tolist() for side in pair_index(3)]
        [[0, 0, 1], [1, 2, 2]]
    """
    first, second = np.triu_indices(n, k=1)
    return first, second


def rank_sets(
    differences: ArrayLike,
    apart: ArrayLike,
    places: ArrayLike,
    *,
    higher_is_better: bool = True,
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Which places can each system have, so that what is said of all of them holds at once?

    From 1 + #{systems shown to be better} to n − #{systems shown to be worse}. Where the tests of
    all pairs set two systems apart, the right way round, with no error but in 5% of studies, all
    sets hold their system's place at once in the other 95%. The place is that of the true means;
    of systems with one mean it is any place that they share.

    Args:
        differences: Mean of the first less that of the other, for each pair in the order of
            `pair_index`.
        apart: Whether the tests of all pairs set that pair apart.
        places: Each system's place as printed, shape (systems,); a set is widened to hold it.
        higher_is_better: Whether the largest mean takes place 1.

    Returns:
        Best and worst place, each of shape (systems,).

    Source: Mogstad, Romano, Shaikh & Wilhelm (2024), doi:10.1093/restud/rdad006.

    Example:
        >>> low, high = rank_sets([0.1, 0.9, 0.8], [False, True, False], [1, 2, 3])
        >>> low.tolist(), high.tolist()
        ([1, 1, 2], [2, 3, 3])
    """
    rank = np.asarray(places, dtype=np.intp)
    told = np.asarray(apart, dtype=np.bool_)
    first_ahead = (np.asarray(differences, dtype=np.float64) > 0) == higher_is_better
    first, second = pair_index(len(rank))
    better = np.where(first_ahead, first, second)[told]
    worse = np.where(first_ahead, second, first)[told]
    low = 1 + np.bincount(worse, minlength=len(rank))
    high = len(rank) - np.bincount(better, minlength=len(rank))
    return np.minimum(low, rank), np.maximum(high, rank)


PMethod = Literal["exact", "grid", "monte-carlo"]
"""All permutations; all of them, of values rounded to a grid; some, drawn."""
_ENUMERATED: Final = 9
_COUNTED: Final = 100

_MANY_PAIRS: Final = 1000
"""From so many pairs of systems on, threads gain more than they cost."""
FEWEST_WITHOUT_TWO = 5
Floats = NDArray[np.float64]
_MOST: Final = 4
_Part = TypeVar("_Part")
_Made = TypeVar("_Made")


@dataclass(frozen=True, slots=True)
class KendallResult:
    """A rank correlation and how often chance alone agrees as well.

    Attributes:
        tau: tau-b, from -1 (opposite orders) to 1 (the same order); None where undefined.
        p: Two-sided, P(|tau*| ≥ |tau|) over permutations; None where tau is.
        p_method: `exact` or `monte-carlo`; None where tau is.
        n: Number of pairs (x, y).
        undefined: Why there is no tau; empty where there is one.
    """

    tau: float | None
    p: float | None
    p_method: PMethod | None
    n: int
    undefined: str = ""


def tau_b(x: ArrayLike, y: ArrayLike) -> float | None:
    """How far do two columns put the same things in the same order?

    τ_b = (C − D) / √((C + D + T_x)(C + D + T_y)) over all pairs of things: C concordant, D
    discordant, T_x tied in y alone left to x, T_y the other way round; pairs tied in both columns
    count nowhere. 1: the same order and the same ties. 0: as many concordant as discordant pairs.
    -1: the opposite order.

    Args:
        x: Shape (n,), finite. Values within 1e-12 of the column's largest magnitude are tied.
        y: Shape (n,), finite.

    Returns:
        tau-b, or None where a column has fewer than two distinct values.

    Raises:
        InvalidInput: The columns differ in length, or a value is not finite.

    Source: Kendall (1945), The treatment of ties in ranking problems, doi:10.1093/biomet/33.3.239.

    Example:
        >>> tau_b([1, 2, 3, 4], [1, 3, 2, 4])  # five pairs agree, one does not
        0.6666666666666666
        >>> tau_b([1, 1, 1], [1, 2, 3]) is None
        True
    """
    return _tau(*_ranked(x, y))


@checked
def kendall(
    x: ArrayLike, y: ArrayLike, *, rng: Rng, permutations: Draws = 100_000
) -> KendallResult:
    """Measure tau-b, and ask how often a random order would agree as well.

    The p is that of the permutation null with the ties as they are: every order of one column is
    equally likely. It is exact up to n = 9 (all n! orders), and above where no value is tied; else
    (1 + #{|tau*| ≥ |tau|}) / (1 + B) over B random orders. With few things the smallest p is large
    (2/120 at n = 5 without ties): a large p there says little.

    Args:
        x: Shape (n,), finite.
        y: Shape (n,), finite.
        rng: The source of randomness; not touched where p is exact.
        permutations: B.

    Example:
        >>> result = kendall([1, 2, 3, 4, 5], [1, 2, 3, 5, 4], rng=1)
        >>> result.tau, round(result.p, 3), result.p_method
        (0.8, 0.083, 'exact')
    """
    rng = as_generator(rng)
    first, second = _ranked(x, y)
    tau = _tau(first, second)
    if tau is None:
        return KendallResult(None, None, None, first.size, _why_undefined(first, second))
    p, exact = permutation_p(first[None], second[None], rng=rng, permutations=permutations)
    method: PMethod = "exact" if exact[0, 0] else "monte-carlo"
    return KendallResult(tau, float(p[0, 0]), method, first.size)


def _ranked(x: ArrayLike, y: ArrayLike) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    first, second = dense_ranks(x), dense_ranks(y)
    if first.shape != second.shape:
        raise InvalidInput(Problem("y", f"have {first.size} values, as x has", str(second.size)))
    return first, second


def _tau(x: NDArray[np.intp], y: NDArray[np.intp]) -> float | None:
    first, second = pair_index(x.size)
    x_signs, y_signs = np.sign(x[first] - x[second]), np.sign(y[first] - y[second])
    untied = np.count_nonzero(x_signs) * np.count_nonzero(y_signs)
    return float((x_signs @ y_signs) / np.sqrt(untied)) if untied else None


def _why_undefined(x: NDArray[np.intp], y: NDArray[np.intp]) -> str:
    fewest = 2
    if x.size < fewest:
        return f"tau needs at least two things to order; there {'is' if x.size else 'are'} {x.size}"
    constant = [name for name, ranks in (("x", x), ("y", y)) if ranks.max() == 0]
    return f"all values of {' and of '.join(constant)} are equal"


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
    # Differences of ranks: the narrower their cells, the more of them the processor takes at once.
    cell = next(kind for kind in (np.int8, np.int16, np.int32) if n <= np.iinfo(kind).max)

    def reached(start: int) -> NDArray[np.int64]:
        part = orders[:, start : start + chunk]
        signs = np.empty((pairs, part.shape[1]), dtype=cell)
        counts = np.empty(observed.shape, dtype=np.int64)
        for column, ranks in enumerate(y_ranks.astype(cell)):
            shuffled = ranks[part]
            row = 0
            for i in range(n - 1):
                stop = row + n - 1 - i
                np.subtract(shuffled[i], shuffled[i + 1 :], out=signs[row:stop])
                row = stop
            np.sign(signs, out=signs)
            as_far = np.abs(x_signs @ signs.astype(np.float32)) >= observed[:, column, None]
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


def tau_p_without_any_two(x_ranks: ArrayLike, y_ranks: ArrayLike) -> float | None:
    """Does y order systems as x does whichever two of them are left out?

    With C pairs of systems that both columns put in one order and D in opposite ones,
    p = P(|C* − D*| ≥ C − D) over all orders of as many systems without ties, and 1 where C ≤ D: the
    two-sided p of tau, of an agreement. Given is the largest over all systems, all but one and all
    but two. One or two systems that lie far off the others in both columns make a tau on their own;
    here they cannot. A tied pair counts for neither side and is still a pair: the p is larger than
    that over orders with those ties.

    Args:
        x_ranks: Shape (systems,), finite; what is equal is tied.
        y_ranks: Shape (systems,), finite.

    Returns:
        The p, in (0, 1]; None with fewer than five systems, or where a column is the same for all.

    Raises:
        InvalidInput: The two differ in length.

    Source: Kendall (1938), doi:10.1093/biomet/30.1-2.81.

    Example:
        >>> round(tau_p_without_any_two(range(8), range(8)), 4)  # 2/720: six of eight are left
        0.0028
        >>> far_off = [0, 1, 0, 1, 0, 1, 9, 8], [0, 0, 1, 1, 1, 0, 9, 8]
        >>> tau_p_without_any_two(*far_off)
        1.0
    """
    left, right = np.asarray(x_ranks), np.asarray(y_ranks)
    if left.shape != right.shape:
        raise InvalidInput(Problem("y_ranks", f"have {left.size} values", str(right.size)))
    n = left.size
    if n < FEWEST_WITHOUT_TWO or np.ptp(left) == 0 or np.ptp(right) == 0:
        return None
    alike = np.sign(np.subtract.outer(left, left)) * np.sign(np.subtract.outer(right, right))
    alike = alike.astype(np.int64)
    of_each = alike.sum(axis=0)
    whole = int(of_each.sum()) // 2
    first, second = np.triu_indices(n, 1)
    excesses = (
        whole,
        whole - int(of_each.max()),
        whole - int((of_each[first] + of_each[second] - alike[first, second]).max()),
    )
    return max(_p(excess, n - out) for out, excess in enumerate(excesses))


def _p(excess: int, systems: int) -> float:
    return float(untied_tail(systems)[excess]) if excess > 0 else 1.0


def tau_ap_b(x: ArrayLike, y: ArrayLike) -> float | None:
    """How far do two columns agree on the order, mistakes near the top counting most?

    With p_i the place of thing i by y (1 the highest; ties share the best place) and t the things
    tied for the first place,

        τ_AP(x | y) = 2/(n − t) Σ_{p_i > 1} C_i / (p_i − 1) − 1,

    C_i being how many of the p_i − 1 things that y places above i stand above it in x too; and
    τ_AP,b is the mean of τ_AP(x | y) and τ_AP(y | x). A pair tied in one column alone is no
    agreement. 1: the same order and ties. 0: as many pairs agree as not. -1: the opposite order.

    Args:
        x: Shape (n,), finite; higher is better.
        y: Shape (n,), finite; higher is better.

    Returns:
        The coefficient, or None where a column has fewer than two distinct values.

    Raises:
        InvalidInput: The columns differ in length, or a value is not finite.

    Source: Urbano & Marrero (2017), The treatment of ties in AP correlation,
        doi:10.1145/3121050.3121106; Yilmaz, Aslam & Robertson (2008), doi:10.1145/1390334.1390435.

    Example:
        >>> tau_ap_b([4, 3, 2, 1], [4, 3, 1, 2]), tau_ap_b([4, 3, 2, 1], [3, 4, 2, 1])
        (0.7777777777777777, 0.33333333333333326)
    """
    first, second = dense_ranks(x), dense_ranks(y)
    if first.shape != second.shape:
        raise InvalidInput(Problem("y", f"have {first.size} values, as x has", str(second.size)))
    if min(first.max(initial=0), second.max(initial=0)) == 0:
        return None
    return (_given(first, second) + _given(second, first)) / 2


def _given(ranks: NDArray[np.intp], reference: NDArray[np.intp]) -> float:
    above = reference[:, None] < reference  # [i, j]: the reference has j above i
    concordant = (above & (ranks[:, None] < ranks)).sum(axis=1)
    places = above.sum(axis=1)
    later = places > 0
    return float(2 * (concordant[later] / places[later]).mean() - 1)


def tau_within(metrics: Floats, human: Floats, known: NDArray[np.bool_]) -> Floats:
    """Within one case, does the better answer get the higher score?

    tau-b over the answers to each case by itself, so that hard and easy cases cannot make or hide
    it. Values within 1e-12 of a column's largest magnitude are tied.

    Args:
        metrics: Shape (metrics, members, groups): the systems of each case, or, turned round, the
            cases of each system.
        human: Shape (members, groups).
        known: Shape (members, groups).

    Returns:
        Shape (metrics, groups); NaN where a group has no two members with different values in a
        column.

    Source: Deutsch, Foster & Freitag (2023), Ties matter, arXiv:2305.14324 (group by item).

    Example:
        >>> human = np.array([[1.0, 0.0], [2.0, 0.0], [3.0, 0.0]])
        >>> tau_within(human[None], human, human >= 0).tolist()
        [[1.0, nan]]
    """
    first, second = pair_index(len(human))
    both = known[first] & known[second]
    theirs = _signs_inside(np.where(known, human, 0.0), first, second) * both
    untied_theirs = np.abs(theirs)
    taus = np.empty((len(metrics), human.shape[1]))
    for row, metric in enumerate(metrics):
        ours = _signs_inside(np.where(known, metric, 0.0), first, second) * both
        product = np.abs(ours).sum(axis=0, dtype=np.int64) * untied_theirs.sum(axis=0)
        agreement = (ours * theirs).sum(axis=0, dtype=np.int64)
        with np.errstate(invalid="ignore", divide="ignore"):  # 0/0 is what NaN marks here
            taus[row] = agreement / np.sqrt(product.astype(np.float64))
    return taus


def _signs_inside(
    values: Floats, first: NDArray[np.intp], second: NDArray[np.intp]
) -> NDArray[np.int32]:
    apart = values[first] - values[second]
    margin = TIE_TOLERANCE * np.abs(values).max(initial=0.0)
    signs: NDArray[np.int32] = (apart > margin).astype(np.int32) - (apart < -margin)
    return signs


def side_by_side(work: Callable[[_Part], _Made], parts: Sequence[_Part]) -> list[_Made]:
    """Do each part, and give what came of them in their order.

    It helps where a part is numpy's work on large arrays, which lets other threads run. No part may
    depend on another, so that the number of threads changes no bit.

    Args:
        work: Done with one part.
        parts: Them; a single one is done at once.

    Example:
        >>> side_by_side(lambda part: part**2, [1, 2, 3])
        [1, 4, 9]
    """
    threads = min(len(parts), _MOST, _processors())
    if threads <= 1:
        return [work(part) for part in parts]
    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(work, parts))


def _processors() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
