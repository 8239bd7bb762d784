"""Whether confidence promises more right answers than there are, or fewer."""

from collections.abc import Hashable, Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from medassay.stats import Interval, holm, moments
from medassay.stats.calibration import count_as_promised
from medassay.stats.means import bounded_intervals

__all__ = ["Gap", "gaps_of"]

_ESTIMAND: Final = "this system, new questions of the same kind"
_Array = NDArray[np.float64]


class Gap(NamedTuple):
    """How far a system's confidence lies from its accuracy.

    Attributes:
        interval: Around mean confidence minus accuracy.
        p: Adjusted over the systems; see `CalibrationOf.gap_p`.
    """

    interval: Interval | None
    p: float | None


def gaps_of(p: _Array, y: _Array, groups: Sequence[Hashable]) -> list[Gap]:
    """Measure each system's gap, shapes (systems, cases); NaN is no confidence.

    Two tests must agree. The t test knows how alike the answers of a cluster are, and believes too
    much of an error that few wrong answers show; the exact count does not mind how rare they are,
    and knows no clusters (simulations/calibration-words.md).
    """
    from scipy.special import stdtr

    known = ~np.isnan(p)
    found = moments(np.where(known, p - y, 0.0), known, list(groups))
    intervals = bounded_intervals(found, (-1.0, 1.0), estimand=_ESTIMAND)
    larger: list[float | None] = []
    for s, (interval, _) in enumerate(intervals):
        right = y[s, known[s]]
        if interval is None or right.min() == right.max():
            larger.append(None)
            continue
        t = -abs(found.mean[s]) / found.clumped_error[s]
        by_cluster = 2 * float(stdtr(found.freedom[s], t))
        larger.append(max(by_cluster, count_as_promised(p[s, known[s]], right)))
    adjusted = iter(holm([one for one in larger if one is not None]).tolist())
    return [
        Gap(None, None) if one is None else Gap(interval, next(adjusted))
        for one, (interval, _) in zip(larger, intervals, strict=True)
    ]
