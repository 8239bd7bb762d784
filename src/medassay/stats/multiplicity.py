"""Many tests at once: p values adjusted so that they can be read one by one."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from medassay.errors import InvalidInput, Problem

__all__ = ["benjamini_hochberg", "holm"]


def holm(p_values: ArrayLike) -> NDArray[np.float64]:
    """Adjust so that the chance of even one false finding stays below the level.

    Holds however the tests depend on each other.

    With p sorted upwards, p̃_(i) = max_{j ≤ i} min(1, (m − j + 1) p_(j)).

    Args:
        p_values: Shape (m,), each in [0, 1].

    Returns:
        The adjusted p values, in the order given.

    Source: Holm (1979), A simple sequentially rejective multiple test procedure, Scandinavian
        Journal of Statistics 6(2):65-70.

    Example:
        >>> holm([0.01, 0.04, 0.03]).tolist()
        [0.03, 0.06, 0.06]
    """
    p = _checked(p_values)
    order = np.argsort(p, kind="stable")
    adjusted = np.empty(p.size)
    steps = p[order] * np.arange(p.size, 0, -1)
    adjusted[order] = np.minimum(np.maximum.accumulate(steps), 1.0)
    return adjusted


def benjamini_hochberg(p_values: ArrayLike) -> NDArray[np.float64]:
    """Adjust so that the expected share of false findings among the findings stays below the level.

    With p sorted upwards, p̃_(i) = min_{j ≥ i} min(1, m p_(j) / j). Holds for independent or
    positively dependent tests.

    Args:
        p_values: Shape (m,), each in [0, 1].

    Returns:
        The adjusted p values, in the order given.

    Source: Benjamini & Hochberg (1995), doi:10.1111/j.2517-6161.1995.tb02031.x.

    Example:
        >>> benjamini_hochberg([0.01, 0.04, 0.03]).tolist()
        [0.03, 0.04, 0.04]
    """
    p = _checked(p_values)
    order = np.argsort(p, kind="stable")
    adjusted = np.empty(p.size)
    steps = p[order] * p.size / np.arange(1, p.size + 1)
    adjusted[order] = np.minimum(np.minimum.accumulate(steps[::-1])[::-1], 1.0)
    return adjusted


def _checked(p_values: ArrayLike) -> NDArray[np.float64]:
    p = np.asarray(p_values, dtype=np.float64)
    inside = (p >= 0) & (p <= 1)
    if not inside.all():
        raise InvalidInput(Problem("p_values", "lie between 0 and 1", f"{p[~inside][0]}"))
    return p
