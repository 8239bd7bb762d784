"""What a metric may be used for in place of the raters: the rules, in one place.

docs/validity.md states them in words; a test holds the two together.
"""

from dataclasses import dataclass
from typing import Final, Literal

from medassay.validity.surrogacy import Surrogacy

__all__ = [
    "ALPHA",
    "GATE_ALPHA",
    "RANK_BAR",
    "RELIABILITY_BAR",
    "Evidence",
    "Permit",
    "Use",
    "permit",
]

Use = Literal["rank", "screen", "gate", "never", "exploratory"]

RANK_BAR: Final = 0.5
"""The lower end of tau from which a metric may rank: three of four pairs in the raters' order."""
RELIABILITY_BAR: Final = 0.5
"""Below, more than half of the spread between the raters' own means is luck of the cases."""
ALPHA: Final = 0.05
GATE_ALPHA: Final = 0.025
"""One-sided, as every verdict of `compare` is."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What is known about one metric on one dimension.

    Attributes:
        tau: Of the system means; None where undefined.
        low: Lower end of its selection-corrected interval over new systems and new cases.
        high: The upper end.
        p_adjusted: Of tau, after Holm over the metrics.
        reliability: Of the raters' means.
        beaten_by: Sentinels that do as well at the level of systems.
        surrogacy: What a difference in the metric foretells of the raters'.
        missing: Why tau or its interval is not there; empty where both are.
    """

    tau: float | None
    low: float | None
    high: float | None
    p_adjusted: float | None
    reliability: float | None
    beaten_by: tuple[str, ...]
    surrogacy: Surrogacy
    missing: str = ""


@dataclass(frozen=True, slots=True)
class Permit:
    """What is permitted, and why no more.

    Attributes:
        uses: `rank` or `screen`, then `gate`; or `never` alone.
        why: One clause, on ranking and screening.
        why_gate: One on the gate.
    """

    uses: tuple[Use, ...]
    why: str
    why_gate: str


def permit(evidence: Evidence) -> Permit:
    """May this metric stand in for the raters, and for what?

    - **rank**: order systems in the raters' place. The lower end of tau's selection-corrected
      interval is at least .50, tau stands after Holm over the metrics, no sentinel does as well,
      and the raters' own means are reliable (.50).
    - **screen**: sort systems roughly, to choose whom the raters see. The same with a lower end
      above 0.
    - **gate**: stop a change that makes answers worse. Over at least twelve systems, families
      counted once, the raters' means rise with the metric's whichever two systems are left out
      (p ≤ .025, one-sided, after Holm over all metrics and dimensions), no sentinel does as well,
      and a loss as large as was observed is enough for the raters to see one.
    - **never**: none of these is shown. That is a verdict on the evidence, not on the metric,
      unless the whole interval lies below 0.

    Example:
        >>> line = Surrogacy(20, 1.5, 0.0004, 0.006, 0.12, 0.18, 0.16)
        >>> known = Evidence(0.7, 0.55, 0.8, 0.001, 0.9, (), line)
        >>> permit(known).uses
        ('rank', 'gate')
        >>> few = Surrogacy(6, undefined="not to be had under 12 systems; there are 6")
        >>> permit(Evidence(0.3, -0.1, 0.6, 0.2, 0.9, (), few)).why
        'the interval of tau reaches down to −.10'
    """
    level, why = _system_level(evidence)
    gates, why_gate = _gate(evidence)
    gate: tuple[Use, ...] = ("gate",) if gates else ()
    uses = (*((level,) if level else ()), *gate)
    return Permit(uses or ("never",), why, why_gate)


def _system_level(e: Evidence) -> tuple[Use | None, str]:
    if e.tau is None or e.low is None or e.high is None:
        return None, e.missing
    starts = f"the interval of tau starts at {_short(e.low)}"
    p = e.p_adjusted
    refusals = (
        (e.high < 0, "it orders the systems against the raters"),
        (bool(e.beaten_by), _beaten(e)),
        (e.low <= 0, f"the interval of tau reaches down to {_short(e.low)}"),
        (p is not None and p > ALPHA, f"after Holm, p = {_short(p or 0.0)}"),
    )
    for refused, why in refusals:
        if refused:
            return None, why
    if e.low < RANK_BAR:
        return "screen", f"{starts}, below {_short(RANK_BAR)}"
    if e.reliability is None or e.reliability < RELIABILITY_BAR:
        return "screen", "the raters' own means are not reliable enough to be ranked by"
    return "rank", starts


def _gate(e: Evidence) -> tuple[bool, str]:
    line = e.surrogacy
    if line.slope is None or line.p_adjusted is None:
        return False, line.undefined
    refusals = (
        (bool(e.beaten_by), _beaten(e)),
        (
            line.p_adjusted > GATE_ALPHA,
            f"after Holm over all metrics and dimensions, p = {_short(line.p_adjusted)}",
        ),
        (line.threshold is None, line.undefined),
    )
    for refused, why in refusals:
        if refused:
            return False, why
    return True, f"the raters see a loss behind one of {line.threshold:.3g}"


def _beaten(e: Evidence) -> str:
    return f"{' and '.join(e.beaten_by)} reached as much"


def _short(value: float) -> str:
    text = f"{abs(value):.2f}"
    text = text.removeprefix("0")
    return f"−{text}" if value < 0 and float(text) != 0 else text
