"""Kendall's tau-b of two columns, with its permutation p."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from medassay.errors import InvalidInput, Problem
from medassay.stats.kendall_null import PMethod, permutation_p
from medassay.stats.seeding import Rng, as_generator
from medassay.stats.ties import dense_ranks, pair_index
from medassay.surface import Draws, checked

__all__ = ["KendallResult", "kendall", "tau_b"]


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
