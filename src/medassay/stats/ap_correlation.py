"""Rank correlation that weighs the top of the ranking: tau_AP,b."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from medassay.errors import InvalidInput, Problem
from medassay.stats.ties import dense_ranks

__all__ = ["tau_ap_b"]


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
