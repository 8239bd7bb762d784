"""Effect sizes from sums, so that resampling cases is one matrix product.

Each function takes sums whose last axis holds the columns that its docstring names, and gives the
effect for every leading index; NaN where it is undefined.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

__all__ = ["correlation", "difference_of_means", "ratio", "sd_ratio", "slope"]

_Floats = NDArray[np.float64]
Effect = Callable[[_Floats], _Floats]

_FLAT = 1e-12


def ratio(sums: _Floats) -> _Floats:
    """Give Σx / n. Columns: x, 1."""
    return _divide(sums[..., 0], sums[..., 1])


def difference_of_means(sums: _Floats) -> _Floats:
    """Give the mean of x less the mean of y. Columns: x, its 1, y, its 1."""
    return ratio(sums[..., :2]) - ratio(sums[..., 2:])


def sd_ratio(sums: _Floats) -> _Floats:
    """Give SD(x) / SD(y). Columns: x, x², its 1, y, y², its 1."""
    first, other = (_variance(sums[..., i], sums[..., i + 1], sums[..., i + 2]) for i in (0, 3))
    squared = _divide(first, np.where(other > _FLAT, other, 0.0))
    return np.sqrt(np.maximum(squared, 0.0))


def slope(sums: _Floats) -> _Floats:
    """Give the least-squares slope of y on x. Columns: x, y, xy, x², y², 1."""
    x, y, xy, xx, _, n = np.moveaxis(sums, -1, 0)
    spread = _variance(x, xx, n)
    return _divide(_divide(xy, n) - ratio2(x, y, n), np.where(spread > _FLAT, spread, 0.0))


def correlation(sums: _Floats) -> _Floats:
    """Give Pearson's r of x and y. Columns: x, y, xy, x², y², 1."""
    x, y, xy, xx, yy, n = np.moveaxis(sums, -1, 0)
    product = _variance(x, xx, n) * _variance(y, yy, n)
    return _divide(
        _divide(xy, n) - ratio2(x, y, n), np.sqrt(np.where(product > _FLAT, product, 0.0))
    )


def ratio2(x: _Floats, y: _Floats, n: _Floats) -> _Floats:
    """Give the product of the means of x and y."""
    return _divide(x, n) * _divide(y, n)


def _variance(x: _Floats, xx: _Floats, n: _Floats) -> _Floats:
    return _divide(xx, n) - _divide(x, n) ** 2


def _divide(above: _Floats, below: _Floats) -> _Floats:
    quotient = np.full(np.broadcast(above, below).shape, np.nan)
    np.divide(above, below, out=quotient, where=below > 0)
    return quotient
