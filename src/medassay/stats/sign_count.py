"""How many of all sign patterns reach a sum? Counted, not drawn, however many there are."""

import math
import sys
from typing import Final

import numpy as np
from numpy.typing import NDArray

__all__ = ["counted_sign_p"]

_STEPS: Final = 4096
_STEPS_A_DIFFERENCE: Final = 8
_MOST_STEPS: Final = 16_384
_FEW: Final = 64
"""Up to so many differences what rounding adds to their sum moves p by less than a hundredth."""
_SAME: Final = 1e-9
"""What is below this share of the largest difference is rounding of floats."""
_NEAR: Final = 1e-4
"""How far from a whole number of units a multiple may be, the unit being found to some digits."""
_DOUBLINGS: Final = 1000
"""Counts double with every difference, and a float holds 1023 doublings."""

Floats = NDArray[np.float64]


def counted_sign_p(sums: Floats) -> tuple[Floats, NDArray[np.bool_]]:
    """Ask how often |Σ ±d_c| reaches |Σ d_c| when every sign is equally likely, without drawing.

    Of the two signs one has the smaller sum T of |d|. A pattern reaches |Σ d_c| when the |d| on its
    smaller side sum up to T or less; so subsets are counted by their sums from 0 to T, one
    difference after the other. Where all differences are multiples of one unit (labels, shares of
    ten documents) that is exact. Elsewhere each |d_c| is rounded to whole steps of T/4096, as exact
    tests of real-valued scores do; p is then off by about a hundredth of itself. Differences that
    others outweigh ten thousandfold are lost beside them: a p above .1 may then be too large.

    Args:
        sums: Sums of differences over clusters, shape (rows, clusters); 0 where nothing is known.

    Returns:
        p, and whether it is exact; each of shape (rows,).

    Source: Streitberg & Röhmel (1986), Exact distributions for permutation and rank tests,
        Statistical Software Newsletter 12:10-17 (the shift algorithm); Pagano & Tritchler (1983),
        On obtaining permutation distributions in polynomial time, JASA 78:435-440 (the grid).

    Example:
        >>> p, exact = counted_sign_p(np.array([[1.0, 2.0, 3.0], [1.0, -1.0, 0.0]]))
        >>> p.tolist(), exact.tolist()  # 2 of 8 signs; all of them
        ([0.25, 1.0], [True, True])
    """
    scale = np.abs(sums).max(axis=1, initial=0.0)
    scaled = sums / np.where(scale > 0, scale, 1.0)[:, None]
    scaled[np.abs(scaled) <= _SAME] = 0.0
    smaller = (np.abs(scaled).sum(axis=1) - np.abs(scaled.sum(axis=1))) / 2
    unit = _common_unit(np.abs(scaled))
    # On one side alone there is one subset, the empty one, whatever the step.
    exact = (smaller <= _MOST_STEPS * unit) | (smaller <= _SAME)
    steps = max(_STEPS, _STEPS_A_DIFFERENCE * sums.shape[1])
    step = np.where(exact, np.maximum(unit, _SAME), smaller / steps)
    cells = np.rint(scaled / step[:, None]).astype(np.int64)
    # Among few differences a pattern that ties with the observed one must do so on the grid too;
    # among many, what rounding adds to the observed sum alone would count for more.
    own = exact | (np.count_nonzero(scaled, axis=1) <= _FEW)
    net = np.abs(np.where(own, cells.sum(axis=1), np.rint(scaled.sum(axis=1) / step)))
    p = np.ones(len(sums))
    for row in np.flatnonzero(net).tolist():
        sizes = np.sort(np.abs(cells[row][cells[row] != 0]))
        most = (int(sizes.sum()) - int(net[row])) // 2
        p[row] = min(1.0, 2 * _share_up_to(max(most, 0), sizes.tolist()))
    return p, exact


def _common_unit(sizes: Floats) -> Floats:
    """Find what all sizes of a row are multiples of, by Euclid's algorithm; 0 where nothing is."""
    unit = np.zeros(len(sizes))
    for column in sizes.T:
        large, small = np.maximum(unit, column), np.minimum(unit, column)
        while (small > 0).any():
            rest = np.mod(large, np.where(small > 0, small, np.inf))
            rest = np.where(small > 0, np.minimum(rest, small - rest), 0.0)
            large = np.where(small > 0, small, large)
            small = np.where(rest > _SAME, rest, 0.0)
        unit = large
    times = sizes / np.where(unit > 0, unit, 1.0)[:, None]
    return np.where((np.abs(times - np.rint(times)) < _NEAR).all(axis=1), unit, 0.0)


def _share_up_to(most: int, sizes: list[int]) -> float:
    """Give the share of all subsets that sum up to at most so much; never 0."""
    counts = np.zeros(most + 1)
    counts[0] = 1.0
    top = scaled = 0
    for done, size in enumerate(sizes, start=1):
        if size > most:
            break
        top = min(most, top + size)
        counts[size : top + 1] += counts[: top + 1 - size]
        if done % _DOUBLINGS == 0:
            counts = np.ldexp(counts, -_DOUBLINGS)
            scaled += _DOUBLINGS
    return max(math.ldexp(counts.sum(), scaled - len(sizes)), sys.float_info.min)
