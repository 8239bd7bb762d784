"""Rogan-Gladen: the share that people would find, from what an imperfect judge finds."""

from typing import Final

import numpy as np

from medassay.errors import InvalidInput, Problem
from medassay.stats.combined import FEWEST_OTHERWISE, Combined, worth
from medassay.stats.intervals import Interval

__all__ = ["SENSITIVITIES", "rogan_gladen", "share_over_sensitivities"]

SENSITIVITIES: Final = (0.5, 1.0)
"""Where a flag's sensitivity on a system is not known: it finds half of the bad answers, to all."""

_METHOD: Final = "Rogan-Gladen"
_ESTIMAND: Final = "this system, new cases"


def rogan_gladen(
    flagged: int,
    total: int,
    sensitivity: tuple[int, int],
    specificity: tuple[int, int],
    *,
    level: float = 0.95,
) -> Combined:
    """What share would people find, when a judge with known errors finds `flagged` of `total`?

    θ̂ = (p + sp − 1)/(se + sp − 1), cut at 0 and 1. The interval is Lang and Reiczigel's, which
    carries the errors of p, se and sp: with p' = (flagged + z²/2)/(total + z²), se' = (hits + 1)/
    (m₁ + 2), sp' likewise from m₀, θ' as above and J = se' + sp' − 1,

        θ' + 2z² (θ' se'(1 − se')/(m₁ + 2) − (1 − θ') sp'(1 − sp')/(m₀ + 2)) ± (z/J) √(p'(1 − p')/
        (total + z²) + θ'² se'(1 − se')/(m₁ + 2) + (1 − θ')² sp'(1 − sp')/(m₀ + 2)).

    Args:
        flagged: Answers that the judge calls so.
        total: Answers that it judged, others than those below.
        sensitivity: Of the m₁ answers that people call so, how many the judge does: (hits, m₁).
        specificity: Of the m₀ that people do not call so, how many it does not either: (hits, m₀).
        level: Nominal coverage.

    Raises:
        InvalidInput: A count is not within its total.

    Source: Rogan & Gladen (1978), doi:10.1093/oxfordjournals.aje.a112510; Lang & Reiczigel (2014),
        doi:10.1016/j.prevetmed.2013.09.015; for model judges Lee (2025), arXiv:2511.21140.

    Example:
        >>> found = rogan_gladen(280, 1000, (80, 100), (90, 100))
        >>> round(found.estimate, 4)  # (.28 − .1)/.7
        0.2571
    """
    from scipy.special import ndtri

    _check((flagged, total), sensitivity, specificity)
    n = sensitivity[1] + specificity[1]
    if not sensitivity[1] or not specificity[1]:
        why = "the judge's sensitivity and specificity need answers of both kinds, judged by people"
        return Combined(_METHOD, None, None, None, n, total + n, undefined=why)
    rates = [hits / m for hits, m in (sensitivity, specificity)]
    z = float(ndtri((1 + level) / 2))
    smooth = [((hits + 1) / (m + 2), m + 2) for hits, m in (sensitivity, specificity)]
    (se, m1), (sp, m0) = smooth
    gap, error_of_gap = se + sp - 1, np.sqrt(se * (1 - se) / m1 + sp * (1 - sp) / m0)
    if gap <= z * error_of_gap or sum(rates) <= 1:
        why = "the judge is not shown to tell the two kinds apart better than chance"
        return Combined(_METHOD, None, None, None, n, total + n, undefined=why, no_help=why)
    p = flagged / total
    estimate = float(np.clip((p + rates[1] - 1) / (sum(rates) - 1), 0.0, 1.0))
    size = total + z * z
    p = (flagged + z * z / 2) / size
    middle = (p + sp - 1) / gap
    shift = 2 * z * z * (middle * se * (1 - se) / m1 - (1 - middle) * sp * (1 - sp) / m0)
    variance = p * (1 - p) / size
    variance += middle**2 * se * (1 - se) / m1 + (1 - middle) ** 2 * sp * (1 - sp) / m0
    error = float(np.sqrt(variance) / gap)
    low, high = (float(np.clip(middle + shift + s * z * error, 0.0, 1.0)) for s in (-1, 1))
    interval = Interval(low, high, level, "Lang-Reiczigel", _ESTIMAND)
    share = (sensitivity[1] + 0.5) / (n + 1)
    like = worth(n, None, error, float(np.sqrt(share * (1 - share) / n)))
    no_help = ""
    if like is not None and like <= n:
        no_help = "the judged answers alone, were they a random sample, tell as much"
    warning = ""
    if min(sensitivity[1], specificity[1]) < FEWEST_OTHERWISE:
        warning = f"sensitivity or specificity rests on fewer than {FEWEST_OTHERWISE} answers"
    return Combined(
        _METHOD, estimate, error, interval, n, total + n, None, like, "", no_help, warning
    )


def share_over_sensitivities(
    flagged: int,
    total: int,
    specificity: tuple[int, int],
    sensitivities: tuple[float, float] = SENSITIVITIES,
    *,
    level: float = 0.95,
) -> tuple[float, float] | None:
    """Between which shares does it lie, wherever the judge's sensitivity lies in a stated range?

    From the lower end of Lang and Reiczigel's interval at the largest sensitivity to the upper end
    at the smallest, each taken as known (m₁ without end); the errors of p and sp are carried.

    Args:
        flagged: Answers that the judge calls so.
        total: Answers that it judged, others than those below.
        specificity: Of the m₀ that people do not call so, how many it does not either: (hits, m₀).
        sensitivities: The smallest and the largest that are thought possible.
        level: Coverage at either end.

    Returns:
        The range; None where at the smallest sensitivity the judge would not be shown to tell the
        two kinds apart.

    Raises:
        InvalidInput: A count is not within its total.

    Example:
        >>> low, high = share_over_sensitivities(280, 1000, (90, 100))
        >>> round(low, 2), round(high, 2)
        (0.13, 0.55)
    """
    from scipy.special import ndtri

    _check((flagged, total), specificity)
    z = float(ndtri((1 + level) / 2))
    m0 = specificity[1] + 2
    sp = (specificity[0] + 1) / m0
    size = total + z * z
    p = (flagged + z * z / 2) / size
    ends = []
    for se, sign in zip(sensitivities, (1, -1), strict=True):
        gap = se + sp - 1
        if gap <= z * np.sqrt(sp * (1 - sp) / m0):
            return None
        middle = (p + sp - 1) / gap
        shift = -2 * z * z * (1 - middle) * sp * (1 - sp) / m0
        variance = p * (1 - p) / size + (1 - middle) ** 2 * sp * (1 - sp) / m0
        end = middle + shift + sign * z * float(np.sqrt(variance)) / gap
        ends.append(float(np.clip(end, 0.0, 1.0)))
    return ends[1], ends[0]


def _check(*counts: tuple[int, int]) -> None:
    problems = [
        Problem("counts", "lie between 0 and their total", f"{hits} of {total}")
        for hits, total in counts
        if not 0 <= hits <= total
    ]
    if problems or not counts[0][1]:
        raise InvalidInput(problems or Problem("total", "be at least 1", "0"))
