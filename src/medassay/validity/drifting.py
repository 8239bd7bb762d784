"""Does a rater grow stricter or milder along the order? A test over all raters and dimensions."""

from collections.abc import Mapping
from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.stats import group_labels, holm
from medassay.stats.clusters import cluster_index
from medassay.validity.rater_rows import RaterRows

__all__ = ["drift_p"]

_Floats = NDArray[np.float64]
_FEWEST: Final = 10
"""With fewer cases, or clusters of cases, a slope's error is too uncertain for a test."""
_LINE: Final = 2
"""What a line takes of the degrees of freedom."""
_DIGITS: Final = 9
"""A slope that is nothing but rounding points no way."""
_TREND: Final = 0.2
"""Under it answers are taken to get better or worse along the order: to ask costs little."""
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
    stretches of the order, and the larger p counts.

    Where the others' scores rise or fall along the order (p < .2), whoever uses a narrower or a
    wider part of the scale moves against them too, and drifts not. One who falls behind may use a
    narrower part, one who runs ahead a wider one; so the slope must stand once more, and point the
    same way, in what the others' mean, or the rater's own scores, leave of x and g: of labels with
    errors the truth lies between the two lines (Frisch 1934). The larger p counts. Two-sided, after
    Holm over all raters and dimensions.

    Args:
        dimensions: Dimension to its rows.
        clusters: Case to cluster; cases without one are apart.

    Returns:
        (dimension, rater) to p, right over all of them together; raters whose places are unknown,
        or who share fewer than ten cases with others, are not in it.

    Source: Liang & Zeger (1986), doi:10.1093/biomet/73.1.13; bounds where both variables have
        errors: Frisch (1934), Statistical Confluence Analysis; Klepper & Leamer (1984),
        doi:10.2307/1911466.

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
    x, own, others = rows.position[mine], rows.score[mine], rows.others[mine]
    if many < _FEWEST or np.ptp(x) == 0:
        return None
    # Rows of one rater are in the order of positions.
    stretches = np.clip(x.size // _STRETCH, _FEWEST, 2 * _FEWEST)
    stretch = np.arange(x.size) * stretches // x.size
    gap = own - others

    def luck(of: _Floats, scores: list[_Floats], *apart: NDArray[np.intp]) -> tuple[float, float]:
        along, left = _left(x, scores), _left(of, scores)
        p = [
            _luck(np.bincount(units, along * left).astype(np.float64), _LINE + len(scores))
            for units in apart
        ]
        return float(np.sign(np.round(along @ left, _DIGITS))), max(p)

    way, p = luck(gap, [], at, stretch)
    risen, by_luck = luck(others, [], at)
    if by_luck >= _TREND:
        return p
    again, guarded = luck(gap, [own if way == risen else others], at, stretch)
    return max(p, guarded) if again == way else 1.0


def _left(values: _Floats, scores: list[_Floats]) -> _Floats:
    """Give what a constant and a line of scores leave of values."""
    values = values - values.mean()
    for along in (one - one.mean() for one in scores):
        if (size := float(along @ along)) > 0:
            values = values - along * (along @ values / size)
    return values


def _luck(moved: _Floats, taken: int) -> float:
    """Give the p of a t test of what each unit moves the slope by."""
    from scipy.special import stdtr

    error = float(moved.std(ddof=1)) / moved.size**0.5
    if error == 0:
        return 0.0 if moved.any() else 1.0
    return 2 * float(stdtr(moved.size - taken, -abs(float(moved.mean())) / error))
