"""Whether two columns put systems in one order whichever two of them are left out."""

import numpy as np
from numpy.typing import ArrayLike

from medassay.errors import InvalidInput, Problem
from medassay.stats.kendall_null import untied_tail

__all__ = ["FEWEST_WITHOUT_TWO", "tau_p_without_any_two"]

FEWEST_WITHOUT_TWO = 5


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
