"""How a change between versions of one system in one column foretells the change in another."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from medassay.errors import InvalidInput, Problem
from medassay.stats.clusters import cluster_index
from medassay.stats.unequal_clusters import bias_reduced

__all__ = ["VersionLine", "version_line"]

_Floats = NDArray[np.float64]
_FEWEST = 3
_ROUNDING = 1e-12
_HALVINGS = 60


@dataclass(frozen=True, slots=True)
class VersionLine:
    """A straight line through the changes between versions, families apart.

    Attributes:
        slope: By how much y changes for one unit of change in x.
        error: The standard error of the slope, families being the independent units.
        error_freedom: Its degrees of freedom, Satterthwaite's.
        spread: How far versions lie off the line that is drawn without their own family.
        spread_freedom: Degrees of freedom of the spread: versions less families, less 1.
        p: One-sided, of a slope that is 0 or less: the largest of that over all families and those
            over all but each one, versions being independent within families.
        p_clustered: The same over all families, these being the independent units.
        span: The largest difference in x between two versions of a family.
        pairs: Versions less families: a family of three gives two pairs.
        families: Families with two versions or more.
    """

    slope: float
    error: float
    error_freedom: float
    spread: float
    spread_freedom: int
    p: float
    p_clustered: float
    span: float
    pairs: int
    families: int

    def lower(self, loss: float, level: float = 0.95) -> float:
        """How much of a loss in y is sure behind this loss in x, between two further versions?

        d·slope − t · √(2 s² + d² · error²), the degrees of freedom of the two parts joined by
        Satterthwaite. Negative where y may have gained.

        Example:
            >>> line = version_line([1, 2, 3, 4, 5, 7], [1, 2.1, 3, 4.2, 5, 7], list("aabbcc"))
            >>> round(line.lower(0.0), 2), round(line.lower(2.0), 2)
            (-0.88, 1.36)
        """
        from scipy.special import stdtrit

        own, through = 2 * self.spread**2, (loss * self.error) ** 2
        if own + through == 0:
            return loss * self.slope
        freedom = (own + through) ** 2 / (
            own**2 / self.spread_freedom + through**2 / self.error_freedom
        )
        quantile = float(stdtrit(freedom, (1 + level) / 2))
        return float(loss * self.slope - quantile * (own + through) ** 0.5)

    def threshold(self, level: float = 0.95) -> float | None:
        """From which loss in x on does y surely have one too, between two further versions?

        The surrogate threshold effect, where `lower` reaches 0; None where no loss as large as was
        observed within a family is enough.

        Source: Burzykowski & Buyse (2006), doi:10.1002/pst.207.

        Example:
            >>> line = version_line([1, 2, 3, 4, 5, 7], [1, 2.1, 3, 4.2, 5, 7], list("aabbcc"))
            >>> round(line.threshold(), 2)
            0.78
        """
        low, high = 0.0, self.span
        if self.lower(high, level) <= 0:
            return None
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            low, high = (low, middle) if self.lower(middle, level) > 0 else (middle, high)
        return high


def version_line(x: ArrayLike, y: ArrayLike, families: Sequence[Hashable]) -> VersionLine | None:
    """Does y change with x between versions of one system, and by how much?

    Within each family both columns are taken from their mean, so that nothing that families differ
    in counts: slope = Σ x y / Σ x². Its error is CR2's, families being the clusters (`bias_reduced`
    of Σ x e by family); the spread off the line is that of each family off the line drawn without
    it, so that a family whose slope differs widens it.

    Args:
        x: Shape (versions,), finite; a metric's means, say.
        y: Shape (versions,), finite; the raters' means, say.
        families: The family of each; one with a single version shows no change and is left out.

    Returns:
        The line; None where fewer than three families have two versions, or all changes in x, or
        all in y, are 0.

    Raises:
        InvalidInput: The columns differ in length.

    Example:
        >>> line = version_line([1, 2, 3, 4, 5, 7], [1, 2.1, 3, 4.2, 5, 7], list("aabbcc"))
        >>> round(line.slope, 3), line.pairs, line.families, round(line.p, 4)
        (1.05, 3, 3, 0.0244)
    """
    left, right = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    if left.shape != right.shape:
        raise InvalidInput(Problem("y", f"have {left.size} values, as x has", str(right.size)))
    index = cluster_index(families, left.size)
    size = np.bincount(index)
    several = size[index] > 1
    left, right = left[several], right[several]
    index = cluster_index(index[several], left.size)
    count = int(index.max(initial=-1)) + 1
    if count < _FEWEST:
        return None
    off_x, off_y = (column - _means(index, column)[index] for column in (left, right))
    if _flat(off_x, left) or _flat(off_y, right):
        return None
    xx, xy, yy = (_sums(index, part) for part in (off_x**2, off_x * off_y, off_y**2))
    slope = float(xy.sum() / xx.sum())
    freedom = left.size - count - 1
    [error], [error_freedom] = (
        part.tolist() for part in bias_reduced((xy - slope * xx)[None], xx[None])
    )
    others_xx, versions = xx.sum() - xx, left.size - np.bincount(index)
    if (others_xx <= _ROUNDING * xx.sum()).any():
        return None
    without = (xy.sum() - xy) / others_xx
    rest = np.maximum((yy.sum() - yy) - without * (xy.sum() - xy), 0.0)
    left_freedom = versions - (count - 1) - 1
    spread = float(np.sqrt(((off_y - without[index] * off_x) ** 2).sum() / (left.size - count)))
    residual = float(np.maximum(yy.sum() - slope * xy.sum(), 0.0))
    p = [_p(slope, (residual / freedom / xx.sum()) ** 0.5 if freedom > 0 else np.inf, freedom)]
    p += [
        _p(own, (squares / free / others) ** 0.5 if free > 0 else np.inf, max(free, 1))
        for own, squares, others, free in zip(
            without.tolist(), rest.tolist(), others_xx.tolist(), left_freedom.tolist(), strict=True
        )
    ]
    span = max(float(np.ptp(left[index == family])) for family in range(count))
    return VersionLine(
        slope,
        error,
        error_freedom,
        spread,
        freedom,
        max(p),
        _p(slope, error, error_freedom),
        span,
        left.size - count,
        count,
    )


def _sums(index: NDArray[np.intp], column: _Floats) -> _Floats:
    return np.asarray(np.bincount(index, column), dtype=np.float64)


def _means(index: NDArray[np.intp], column: _Floats) -> _Floats:
    return _sums(index, column) / np.bincount(index)


def _flat(off: _Floats, column: _Floats) -> bool:
    return float(np.abs(off).max()) <= _ROUNDING * float(np.abs(column).max(initial=0.0))


def _p(slope: float, error: float, freedom: float) -> float:
    from scipy.special import stdtr

    if error == 0:
        return 0.0 if slope > 0 else 1.0
    return float(stdtr(freedom, -slope / error))
