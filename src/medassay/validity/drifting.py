"""Does a rater grow stricter or milder along the order? A test over all raters and dimensions."""

from collections.abc import Mapping
from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.stats import group_labels, holm
from medassay.stats.clusters import cluster_index
from medassay.validity.rater_rows import RaterRows

__all__ = ["drift_p"]

_FEWEST: Final = 10
"""With fewer cases, or clusters of cases, a slope's error is too uncertain for a test."""
_LINE: Final = 2
"""What a line takes of the degrees of freedom."""
_STRETCH: Final = 3
"""Labels in a stretch of the order, where that makes ten to twenty."""


def drift_p(
    dimensions: Mapping[str, RaterRows], *, clusters: Mapping[str, str] | None = None
) -> dict[tuple[str, str], float]:
    """Could a rater's labels move against the others' so far by luck, where nobody drifts?

    The slope of the gap g to the others on the place x in the order is Σ_c S_c / Σ (xᵢ − x̄)², where
    S_c = Σ_{i∈c} (xᵢ − x̄)(gᵢ − ḡ) is what case c (or a cluster of cases) moves it by. Where nobody
    drifts each S_c is 0 on average: a t test over the C of them, with C − 2 degrees of freedom
    since ḡ is estimated. A label may lean on the one before too, so the same is done over 10 to 20
    stretches of the order, and the larger p counts. Two-sided, after Holm over all raters and
    dimensions.

    Args:
        dimensions: Dimension to its rows.
        clusters: Case to cluster; cases without one are apart.

    Returns:
        (dimension, rater) to p, right over all of them together; raters whose places are unknown,
        or who share fewer than ten cases with others, are not in it.

    Source: Liang & Zeger (1986), doi:10.1093/biomet/73.1.13.

    Example:
        >>> import medassay as ma
        >>> rows = [
        ...     {"rater": r, "system": "s", "case": f"{c:02}", "dimension": "quality",
        ...      "label": str(3 + c % 2 - (r == "ann" and c > 19)), "position": c}
        ...     for r in ("ann", "ben", "eve") for c in range(40)
        ... ]
        >>> judgements = ma.Judgements.from_rows(rows, ma.load_rubric("likert5"))
        >>> from medassay.validity.rater_rows import rater_rows
        >>> p = drift_p({"quality": rater_rows(judgements, "quality")})
        >>> p["quality", "ann"] < 0.01
        True
    """
    p = {
        (name, rater): own
        for name, rows in dimensions.items()
        for place, rater in enumerate(rows.raters)
        if (own := _p(rows, place, clusters)) is not None
    }
    return dict(zip(p, map(float, holm(list(p.values()))), strict=True)) if p else {}


def _p(rows: RaterRows, rater: int, clusters: Mapping[str, str] | None) -> float | None:
    """Give one rater's p; None where there is none."""
    mine = (rows.rater == rater) & (rows.others_n > 0) & ~np.isnan(rows.position)
    cases = [rows.cases[case] for case in rows.case[mine].tolist()]
    at = cluster_index(group_labels(cases, clusters), len(cases))
    many = int(at.max(initial=-1)) + 1
    x, gap = rows.position[mine], (rows.score - rows.others)[mine]
    if many < _FEWEST or np.ptp(x) == 0:
        return None
    moved = (x - x.mean()) * (gap - gap.mean())
    # Rows of one rater are in the order of positions.
    stretches = np.clip(x.size // _STRETCH, _FEWEST, 2 * _FEWEST)
    stretch = np.arange(x.size) * stretches // x.size
    return max(_luck(np.bincount(units, moved).astype(np.float64)) for units in (at, stretch))


def _luck(moved: NDArray[np.float64]) -> float:
    """Give the p of a t test of what each unit moves the slope by."""
    from scipy.special import stdtr

    error = float(moved.std(ddof=1)) / moved.size**0.5
    if error == 0:
        return 0.0 if moved.any() else 1.0
    return 2 * float(stdtr(moved.size - _LINE, -abs(float(moved.mean())) / error))
