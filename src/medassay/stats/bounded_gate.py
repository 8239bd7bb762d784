"""Is the new one worse, by bounds that hold however rare and heavy losses are?"""

from collections.abc import Hashable, Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.errors import InvalidInput, Problem
from medassay.stats.betting import betting_interval, betting_p, cases_needed
from medassay.stats.intervals import Interval
from medassay.stats.noninferiority import PairedGate, paired_gate
from medassay.stats.ties import TIE_TOLERANCE

__all__ = ["bounded_gate", "gate_bounded_below"]

_ESTIMAND: Final = "the same two, new cases"
_NEARLY_NOTHING: Final = 2.0**-50


def bounded_gate(
    differences: NDArray[np.float64],
    *,
    margin: float,
    span: float | None,
    clusters: Sequence[Hashable] | None = None,
    level: float = 0.95,
    family: int = 1,
) -> PairedGate:
    """Ask what `paired_gate` asks, and assume of the differences only that they keep to the range.

    A t interval of fifty answers that hardly moved does not know that one in forty may lose .8.
    This one reckons with any loss that the score's range allows, and holds at every number of cases
    at which one looks. So it needs more cases: `cases_needed` says below how many it excludes no
    loss of the margin where nothing changes.

    Args:
        differences: New minus old where both are known, shape (cases,), positive being better.
        margin: The largest loss that is acceptable, 0 or more, in the unit of the score.
        span: The score's greatest value minus its least; None if it is unbounded.
        clusters: For each case the label of its cluster.
        level: Coverage of the interval.
        family: How many tests share the level; only the number of cases that is told reads it.

    Example:
        >>> moved = np.tile([0.01, -0.01], 25)
        >>> few = bounded_gate(moved, margin=0.02, span=1.0)
        >>> round(few.interval.low, 3), round(few.p_not_worse, 2), few.undefined
        (-0.083, 0.52, 'under 216 cases this bound excludes a loss of 0.02 only by gains')
    """
    if not (np.isfinite(margin) and margin >= 0):
        raise InvalidInput(Problem("margin", "be 0 or more", f"{margin}"))
    n = len(differences)
    if n == 0:
        return PairedGate(None, None, None, None, None, 0, "the two have no case in common")
    mean = float(differences.mean())
    if not span:
        why = "without a range of the score no bound holds against rare and heavy losses"
        return PairedGate(mean, None, None, None, None, n, why)
    if np.abs(differences).max() > span * (1 + TIE_TOLERANCE):
        why = f"a score changed by more than its range of {span:g} allows"
        return PairedGate(mean, None, None, None, None, n, why)
    values = np.clip((differences / span + 1) / 2, 0.0, 1.0)
    low, high = betting_interval(values, level, clusters)
    interval = Interval((2 * low - 1) * span, (2 * high - 1) * span, level, "betting", _ESTIMAND)
    worst_allowed = max((1 - margin / span) / 2, _NEARLY_NOTHING)
    p_not_worse = betting_p(values, worst_allowed, clusters)
    p_worse = betting_p(1 - values, 0.5, clusters)
    units = n if clusters is None else len(set(clusters))
    shared = 1 - (1 - level) / family
    why = _too_few(units, margin, span, shared, "cases" if units == n else "clusters of cases")
    return PairedGate(mean, interval, p_worse, p_not_worse, None, n, why)


def gate_bounded_below(
    differences: NDArray[np.float64],
    *,
    margin: float,
    span: float | None,
    clusters: Sequence[Hashable] | None = None,
    level: float = 0.95,
    family: int = 1,
) -> PairedGate:
    """Call a loss excluded by `bounded_gate` alone, and a loss found by `paired_gate`.

    For scores of harm. Not to see a loss that is there must not come from a spread that has not
    shown it yet; to hear of one must not wait for the many cases that a bound by the range alone
    asks for: of versions of which 5 % of the answers lose .8, 100 cases show it by t in 72 % and by
    betting in 13 %.

    Args:
        differences: New minus old where both are known, shape (cases,), positive being better.
        margin: The largest loss that is acceptable, 0 or more, in the unit of the score.
        span: The score's greatest value minus its least; None if it is unbounded.
        clusters: For each case the label of its cluster.
        level: Coverage of the interval.
        family: How many tests share the level; only what is told of small numbers reads it.

    Example:
        >>> lost = np.repeat([-0.8, 0.01], [8, 92])
        >>> found = gate_bounded_below(lost, margin=0.02, span=1.0)
        >>> found.p_worse < 0.025, found.p_not_worse, found.interval.method
        (True, 1.0, 't, betting below')
    """
    by_spread = paired_gate(
        differences, margin=margin, span=span, clusters=clusters, level=level, family=family
    )
    by_range = bounded_gate(
        differences, margin=margin, span=span, clusters=clusters, level=level, family=family
    )
    below, above = by_range.interval, by_spread.interval
    if below is None or above is None:
        interval = None
    else:
        method = f"{above.method.partition(',')[0]}, betting below"
        interval = Interval(min(below.low, above.low), above.high, level, method, _ESTIMAND)
    return replace(
        by_spread,
        interval=interval,
        p_not_worse=by_range.p_not_worse,
        undefined=(by_spread.undefined if above is None else "") or by_range.undefined,
    )


def _too_few(units: int, margin: float, span: float, level: float, noun: str) -> str:
    if margin == 0:
        return "with a margin of 0 only gains can show that nothing is lost"
    needed = cases_needed(margin, span, level)
    if units >= needed:
        return ""
    return f"under {needed:,} {noun} this bound excludes a loss of {margin:g} only by gains"
