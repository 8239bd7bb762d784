"""How a difference in one column of system means foretells the difference in another."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from medassay.errors import InvalidInput, Problem

__all__ = ["SystemLine", "p_without_any_two", "system_line"]

_Floats = NDArray[np.float64]
_FEWEST = 3
_FEWEST_WITHOUT_TWO = _FEWEST + 2
_ROUNDING = 1e-12
"""What is left of a sum of squares, as a share of it, that only rounding left over."""


@dataclass(frozen=True, slots=True)
class SystemLine:
    """A straight line through one point a system.

    Attributes:
        slope: By how much y grows for one unit of x.
        error: The standard error of the slope.
        spread: The standard deviation of the points off the line.
        freedom: Degrees of freedom, the number of systems less 2.
        p: One-sided, of a slope that is 0 or less.
        span: The largest difference in x between two systems.
    """

    slope: float
    error: float
    spread: float
    freedom: int
    p: float
    span: float

    def loss_not_excluded(self, level: float = 0.95) -> float:
        """What loss in y do two new systems not exclude whose x is the same?

        The lower end of the prediction interval for their difference in y, turned positive:
        t(level, S − 2) · s · √2, since each of the two lies off the line with spread s. In units of
        y, 0 or more; 0 where all points lie on the line.

        Example:
            >>> line = system_line([1, 2, 3, 4, 5], [1, 2, 2, 4, 5])
            >>> round(line.loss_not_excluded(), 3)
            2.324
        """
        return self._quantile(level) * self.spread * 2**0.5

    def threshold(self, level: float = 0.95) -> float | None:
        """From which loss in x on does y surely have one too, for two new systems?

        The surrogate threshold effect: the smallest d for which the prediction interval for the
        difference in y of two new systems that differ by d in x lies below 0,
        d·slope − t(level, S − 2) · √(2 s² + d² · error²) = 0, so
        d = t s √2 / √(slope² − t² · error²). In units of x, 0 or more; 0 where all points lie on a
        rising line. None where no loss is large enough, since the slope itself may be 0. It is the
        caller's to ask whether it lies within `span`: a line says nothing beyond its points.

        Source: Burzykowski & Buyse (2006), doi:10.1002/pst.207, for a surrogate's effect in a new
            trial; here two new systems stand in the place of a trial's two arms.

        Example:
            >>> line = system_line([1, 2, 3, 4, 5], [1, 2, 2, 4, 5])
            >>> round(line.threshold(), 3)
            2.72
        """
        left = self.slope**2 - (self._quantile(level) * self.error) ** 2
        if self.slope <= 0 or left <= 0:
            return None
        return float(self.loss_not_excluded(level) / left**0.5)

    def _quantile(self, level: float) -> float:
        from scipy.special import stdtrit

        return float(stdtrit(self.freedom, (1 + level) / 2))


def system_line(x: ArrayLike, y: ArrayLike) -> SystemLine | None:
    """Does y rise with x over systems, and by how much?

    Least squares: slope = Σ(x − x̄)(y − ȳ) / Σ(x − x̄)², s² = Σ(y − ŷ)² / (S − 2),
    error = s / √Σ(x − x̄)², and p = P(T ≥ slope / error) with S − 2 degrees of freedom. A system is
    one point: how many cases stand behind its means shows in the spread alone.

    Args:
        x: Shape (systems,), finite; a metric's means, say.
        y: Shape (systems,), finite; the raters' means, say.

    Returns:
        The line, or None where there are fewer than three systems or all have the same x or all
        the same y.

    Raises:
        InvalidInput: The two differ in length.

    Example:
        >>> line = system_line([1, 2, 3, 4, 5], [1, 2, 2, 4, 5])
        >>> line.slope, line.freedom, round(line.p, 4)
        (1.0, 3, 0.0044)
    """
    left, right = _columns(x, y)
    if left.size < _FEWEST or _flat(left) or _flat(right):
        return None
    sums = _Sums.of(left, right)
    slope, error, t = (float(part) for part in sums.slope())
    spread, freedom = error * float(sums.xx) ** 0.5, left.size - 2
    return SystemLine(slope, error, spread, freedom, _p(t, freedom), float(np.ptp(left)))


def p_without_any_two(x: ArrayLike, y: ArrayLike) -> float | None:
    """Does y rise with x whichever two systems are left out?

    The largest one-sided p of `system_line` over all systems, over all but one and over all
    but two of them. One or two systems that lie far off the others in both columns make a slope on
    their own; here they cannot. 1 where those that are left have all the same x or the same y.

    Args:
        x: Shape (systems,), finite.
        y: Shape (systems,), finite.

    Returns:
        The p, in (0, 1]; None where there are fewer than five systems or all have the same x or
        all the same y.

    Raises:
        InvalidInput: The two differ in length.

    Example:
        >>> far_off = [0, 1, 0, 1, 0, 1, 9, 9], [0, 0, 1, 1, 1, 0, 9, 8]
        >>> round(system_line(*far_off).p, 4), round(p_without_any_two(*far_off), 2)
        (0.0, 0.74)
    """
    left, right = _columns(x, y)
    if left.size < _FEWEST_WITHOUT_TWO or _flat(left) or _flat(right):
        return None
    whole = _Sums.of(left, right)
    first, second = np.triu_indices(left.size, 1)
    all_but_one = whole.without(left, right)
    all_but_two = whole.without(left[first], right[first], left[second], right[second])
    return max(
        _p(float(np.min(sums.slope()[2])), sums.count - 2)
        for sums in (whole, all_but_one, all_but_two)
    )


def _columns(x: ArrayLike, y: ArrayLike) -> tuple[_Floats, _Floats]:
    left, right = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    if left.shape != right.shape:
        raise InvalidInput(Problem("y", f"have {left.size} values, as x has", str(right.size)))
    return left, right


def _flat(values: _Floats) -> bool:
    scale = float(np.abs(values).max(initial=0.0))
    return float(np.ptp(values)) <= _ROUNDING * scale


@dataclass(frozen=True, slots=True, eq=False)
class _Sums:
    """Squares and products about the means, of one set of systems or of many."""

    count: int
    mean: tuple[float, float]
    xx: _Floats
    xy: _Floats
    yy: _Floats

    @classmethod
    def of(cls, x: _Floats, y: _Floats) -> "_Sums":
        """Sum over all systems."""
        mean = float(x.mean()), float(y.mean())
        off_x, off_y = x - mean[0], y - mean[1]
        squares = (np.asarray(part) for part in (off_x @ off_x, off_x @ off_y, off_y @ off_y))
        return cls(x.size, mean, *squares)

    def without(self, *out: _Floats) -> "_Sums":
        """Leave systems out, given as x and y of the first, x and y of the second, and so on."""
        off_x, off_y = np.array(out[::2]) - self.mean[0], np.array(out[1::2]) - self.mean[1]
        left = self.count - len(off_x)
        sum_x, sum_y = off_x.sum(axis=0), off_y.sum(axis=0)
        return _Sums(
            left,
            self.mean,  # of all: nobody is left out twice
            self.xx - (off_x**2).sum(axis=0) - sum_x**2 / left,
            self.xy - (off_x * off_y).sum(axis=0) - sum_x * sum_y / left,
            self.yy - (off_y**2).sum(axis=0) - sum_y**2 / left,
        )

    def slope(self) -> tuple[_Floats, _Floats, _Floats]:
        """Give slopes, their errors and their t; t is -∞ where a column does not vary."""
        varies = (self.xx > _ROUNDING * np.max(self.xx)) & (self.yy > _ROUNDING * np.max(self.yy))
        xx = np.where(varies, self.xx, 1.0)
        slope = np.where(varies, self.xy / xx, 0.0)
        rest = self.yy - slope * self.xy
        rest = np.where(rest <= _ROUNDING * self.yy, 0.0, rest)
        error = np.sqrt(rest / ((self.count - 2) * xx))
        on_line = error == 0
        t = slope / np.where(on_line, 1.0, error)
        t = np.where(on_line, np.copysign(np.inf, slope), t)
        return slope, error, np.where(varies, t, -np.inf)


def _p(t: float, freedom: int) -> float:
    from scipy.special import stdtr

    return float(stdtr(freedom, -t))
