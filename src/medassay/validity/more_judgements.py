"""How many more judgements it would take to change what a metric may be used for."""

from collections.abc import Sequence
from math import ceil

import numpy as np
from numpy.typing import NDArray

from medassay.annotations import Words, record
from medassay.validity.order_test import RANK_TAU, OrderTest
from medassay.validity.uses import ALPHA, Use

Floats = NDArray[np.float64]


@record(infers=True)
class MoreJudgements:
    """What would change the verdict, if tau stays where it is.

    Attributes:
        towards: The next use up; None where there is none.
        answers: Further answers to be judged; None where no number helps, or none is known.
        cases: Further cases for the systems there are; 0 where more systems are needed instead.
        systems: Further systems on the cases there are; 0 where more cases are enough.
        why: What the number rests on, or why there is none.
    """

    towards: Use | None
    answers: int | None
    cases: int
    systems: int
    why: Words


def more_judgements(
    tau: float | None,
    low: float | None,
    uses: tuple[Use, ...],
    spread: tuple[float, float],
    size: tuple[int, int],
    *,
    beaten_by: Sequence[str] = (),
    order: OrderTest | None = None,
    interval_warning: str = "",
) -> MoreJudgements:
    """How many more answers must be judged before the interval clears the next bar?

    The lower end lies q standard errors below tau, q = (τ − low) / √(V_s + V_c), V_c being the
    variance of tau over resampled cases and V_s the rest of its variance over systems and cases.
    V_c shrinks with the number of cases N, V_s with that of systems S. The bar b of the next use is
    cleared with N' cases once q² (V_s + V_c N/N') ≤ (τ − b)²; where V_s alone is too much, with S'
    systems once q² (V_s + V_c) S/S' ≤ (τ − b)². Both suppose that tau stays where it is: a plan,
    not a promise.

    Args:
        tau: The estimate.
        low: The lower end of its interval.
        uses: What is permitted now.
        spread: Variance of tau over cases, and over systems and cases.
        size: Number of systems and of cases.
        beaten_by: Controls, chance among them, that reached as much: with more answers they do
            still, if tau stays where it is.
        order: What its p and the tau to be exceeded are. They hang on the number of systems and
            of metrics, so no number of answers lowers them.
        interval_warning: Why simulation does not bear out intervals of such a study.

    Example:
        >>> found = more_judgements(0.6, -0.1, ("never",), (0.06, 0.1), (20, 50))
        >>> found.towards, found.answers, found.cases, found.systems
        ('screen', 400, 0, 8)
        >>> order = OrderTest(20, 5, 0.04, 0.2, 0.75)
        >>> more_judgements(0.6, -0.1, ("never",), (0.06, 0.1), (20, 50), order=order).answers
    """
    if "rank" in uses:
        return MoreJudgements(None, None, 0, 0, "nothing more is needed: it may rank")
    towards: Use = "rank" if "screen" in uses else "screen"
    bar = RANK_TAU if towards == "rank" else 0.0
    by_cases, by_both = spread
    if tau is None or low is None:
        return MoreJudgements(towards, None, 0, 0, "there is no interval to narrow")
    above = order is not None and order.bar is not None and tau > order.bar
    obstacle = _by_order(order, towards, interval_warning, above_luck=above) if order else ""
    obstacle = obstacle or _obstacle(tau, low, bar, by_both, beaten_by)
    if obstacle:
        return MoreJudgements(towards, None, 0, 0, obstacle)
    systems, cases = size
    by_systems = max(by_both - by_cases, 0.0)
    q2, room = (tau - low) ** 2 / by_both, (tau - bar) ** 2
    left = room / q2 - by_systems
    options = []
    if left > 0:
        extra = max(1, ceil(cases * (by_cases / left) - 1e-9) - cases)
        options.append((extra * systems, extra, 0))
    extra = max(1, ceil(systems * q2 * by_both / room - 1e-9) - systems)
    options.append((extra * cases, 0, extra))
    answers, more_cases, more_systems = min(options)
    return MoreJudgements(towards, answers, more_cases, more_systems, "if tau stays where it is")


def _obstacle(
    tau: float,
    low: float,
    bar: float,
    variance: float,
    beaten_by: Sequence[str],
) -> str:
    """Say what stands in the way that no further answer moves."""
    if tau <= bar:
        return "tau itself lies below the bar"
    if low > bar:
        return "the width of the interval is not the obstacle"
    if variance <= 0:
        return "the resamples do not vary"
    if beaten_by:
        return f"more answers do not help: {' and '.join(beaten_by)} reached as much"
    return ""


def _by_order(order: OrderTest, towards: Use, interval_warning: str, *, above_luck: bool) -> str:
    """Say what the number of systems and of metrics stands in the way of."""
    if order.p_adjusted is None or order.p_adjusted > ALPHA:
        return "more answers do not help: p after Holm hangs on the systems and metrics there are"
    if towards == "screen":
        return ""
    if not above_luck:
        reach = "any tau" if order.bar is None else f"a tau of {order.bar:.2f}"
        return (
            f"more answers do not help: over {order.systems} systems luck reaches {reach} "
            f"from a true one of {RANK_TAU:.2f}"
        )
    if interval_warning:
        return "simulation does not bear out the intervals of a study of this size (*)"
    return ""
