"""What a plan takes for granted, said."""

from collections.abc import Sequence
from typing import Final

from medassay.analyses.builtin.plan.record import PlanReport
from medassay.exhibits.finding import Finding, ReaderQuestion
from medassay.validity import Spread

__all__ = ["assumptions", "plan_finding"]

_FEW: Final = 30
_FEW_SYSTEMS: Final = 12
_WHOLE: Final = 0.99
"""With fewer of all answers judged, the cases of the study are not those of every system."""
_OWN: Final = (
    "The variance is the study's own, estimated from its answers (MIVQUE0): new cases, raters and "
    "systems are supposed to be like these, and the estimate has an error of its own."
)
_PAIRED: Final = (
    "Both systems answer every case; what makes a case hard for all alike falls out. Every pair is "
    "supposed to vary as much as the average pair."
)


def assumptions(detect: float | None, width: float | None, spreads: Sequence[Spread]) -> list[str]:
    """List what the numbers rest on, and where they rest on little."""
    lines = [_OWN, _PAIRED]
    if detect is not None:
        lines.append(
            "The difference is in the unit of each scale. Cases for one pair suppose that this "
            "comparison was planned; for all pairs alpha is divided by their number, which Holm's "
            "procedure never falls short of."
        )
    if width is not None:
        lines.append(
            "Tau's width is for new systems on new cases, for one metric that was named before, "
            "from the variance of tau between two normal columns (Esscher 1924), not from a "
            "bootstrap; the intervals of the trust table hold together for all its metrics and are "
            "wider. It supposes that the correlation stays where it is, and that there are systems "
            "of the same kind to add."
        )
        systems = min(spread.systems for spread in spreads)
        if systems < _FEW_SYSTEMS:
            lines.append(
                f"The correlation behind tau's width is estimated from {systems} systems: it may "
                "be far off, and so may the numbers."
            )
    if any(spread.cluster_size > 1 for spread in spreads):
        lines.append("Cases come in clusters as in the study; whole clusters are added.")
    few = [spread for spread in spreads if spread.raters_apart and spread.relabelled < _FEW]
    if few:
        least = min(spread.relabelled for spread in few)
        lines.append(
            f"Only {least} answers have two labels or more: how much a second rater helps is "
            "poorly known here."
        )
    if any(spread.raters_apart and spread.shared < 1 for spread in spreads):
        lines.append(
            "Raters are spread over answers as in the study; where two answers to a case have "
            "other raters, their severity is in the difference."
        )
    return lines


def plan_finding(plan: PlanReport) -> Finding | None:
    """Say what difference these cases find on the first dimension, and what half of it takes.

    What is found falls with the root of the cases: half of it takes four times as many.
    """
    first = next((row for row in plan.separate if row.now and row.detectable is not None), None)
    if first is None or first.detectable is None:
        return None
    spread = next(spread for spread in plan.spreads if spread.source == first.source)
    title = spread.title
    if spread.low is not None and spread.high is not None:
        widest = spread.high - spread.low
        if first.detectable >= widest:
            text = (
                f"{plan.cases} cases are too few: a comparison on {title} finds no difference "
                "reliably that its scale allows."
            )
            return Finding("plan", text, ("plan",), ReaderQuestion.NEXT)
    # Labels over their harmonic mean an answer are never fewer than the answers.
    answers = spread.spread.n / spread.spread.labels
    some = answers < _WHOLE * plan.systems * plan.cases
    with_all = (
        f"If all {plan.cases} cases were judged for every system (here they were not),"
        if some
        else f"With {plan.cases} cases"
    )
    text = (
        f"{with_all} a comparison planned beforehand finds a difference "
        f"of {first.detectable:.2f} on {title} in {100 * plan.power:.0f}\u00a0% of such studies; "
        "half of it takes four times as many cases."
    )
    return Finding("plan", text, ("plan",), ReaderQuestion.NEXT)
