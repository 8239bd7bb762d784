"""What a metric may be used for in place of the raters: the rules, in one place.

docs/validity.md states them in words; a test holds the two together.
"""

from dataclasses import dataclass
from typing import Final, Literal

from medassay.annotations import Reliability as ReliabilityMark
from medassay.validity.order_test import RANK_TAU, OrderTest
from medassay.validity.surrogacy import Surrogacy, VersionSurrogacy

Use = Literal["rank", "screen", "gate", "never", "exploratory"]
Scope = Literal["between systems", "between versions"]
"""What a gate may tell apart: systems like those of the study, or versions of one system."""
BETWEEN_SYSTEMS: Final[Scope] = "between systems"
BETWEEN_VERSIONS: Final[Scope] = "between versions"

RELIABILITY_BAR: Final = 0.5
"""Below, more than half of the spread between the raters' own means is luck of the cases."""
ALPHA: Final = 0.05
GATE_ALPHA: Final = 0.025
"""One-sided, as every verdict of `compare` is."""
FAMILIES_ALPHA: Final = 0.0125
"""The same of a line between versions with families as the units, which no Holm corrects: at .025
metrics that follow quality or its reverse by family had a permit in too many studies
(simulations/gate-permits.md)."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What is known about one metric on one dimension.

    Attributes:
        tau: Of the system means; None where undefined.
        low: Lower end of its selection-corrected interval over new systems and new cases.
        high: The upper end.
        order: Whether the order of systems stands without any two, and what a tau must exceed.
        reliability: Of the raters' means.
        beaten_by: Controls that do as well at the level of systems.
        surrogacy: What a difference in the metric foretells of the raters'.
        missing: Why tau or its interval is not there; empty where both are.
        interval_warning: Why the interval may hold less than its level; empty where simulation
            bears it out.
        versions: What a change in it between versions of one system foretells of the raters'.
        beaten_between_versions: Controls that do as well there.
    """

    tau: float | None
    low: float | None
    high: float | None
    order: OrderTest
    reliability: ReliabilityMark | None
    beaten_by: tuple[str, ...]
    surrogacy: Surrogacy
    missing: str = ""
    interval_warning: str = ""
    versions: VersionSurrogacy | None = None
    beaten_between_versions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Permit:
    """What is permitted, and why no more.

    Attributes:
        uses: `rank` or `screen`, then `gate`; or `never` alone.
        why: One clause, on ranking and screening.
        why_gate: One on the gate between systems.
        scopes: What it may gate: `between systems`, `between versions`, both or neither.
        why_versions: One clause on the gate between versions.
    """

    uses: tuple[Use, ...]
    why: str
    why_gate: str
    scopes: tuple[Scope, ...] = ()
    why_versions: str = ""


def permit(evidence: Evidence) -> Permit:
    """May this metric stand in for the raters, and for what?

    - **screen**: sort systems roughly, to choose whom the raters see. The lower end of tau's
      selection-corrected interval lies above 0, no control does as well, and tau stands whichever
      two systems are left out, families counted once (p ≤ 0.05 after Holm over all metrics and
      dimensions).
    - **rank**: order systems in the raters' place. As screen; the lower end is at least 0.50; tau
      lies above what the best of all metrics and dimensions would reach with a true tau of 0.50 in
      95% of studies (`rank_bar`); the raters' own means are reliable (0.50); and simulation bears
      out the interval of such a study.
    - **gate**, between systems: tell a worse system from a better one. Over at least twelve
      systems, families counted once, the raters' means rise with the metric's whichever two
      systems are left out (p ≤ 0.025, one-sided, after Holm over all metrics and dimensions), no
      control does as well, and a loss as large as was observed is enough for the raters to see
      one.
    - **gate**, between versions: stop a change that makes answers worse. Over at least eight pairs
      of versions from three families, changes in the raters' means rise with the metric's whichever
      family is left out (p and Holm as above), and with errors clustered by family (p ≤ 0.0125 by
      itself), no control does as well, and a drop as large as was observed between versions is
      enough.
    - **never**: none of these is shown. That is a verdict on the evidence, not on the metric,
      unless the whole interval lies below 0.

    Example:
        >>> from dataclasses import replace
        >>> line = Surrogacy(20, 1.5, 0.0004, 0.006, 0.12, 0.18, 0.16)
        >>> order = OrderTest(20, 6, 0.0001, 0.0004, 0.69)
        >>> known = Evidence(0.7, 0.55, 0.8, order, 0.9, (), line)
        >>> permit(known).uses
        ('rank', 'gate')
        >>> permit(replace(known, tau=0.65)).uses
        ('screen', 'gate')
        >>> few = Surrogacy(6, undefined="not to be had under 12 systems; there are 6")
        >>> permit(Evidence(0.3, -0.1, 0.6, OrderTest(6, 6, 0.2, 0.6), 0.9, (), few)).why
        'the interval of tau reaches down to −0.10'
    """
    level, why = _system_level(evidence)
    refused, why_gate = _gate(evidence.surrogacy, evidence.beaten_by)
    refused_between, why_versions = _gate(evidence.versions, evidence.beaten_between_versions)
    scopes: tuple[Scope, ...] = (
        *((BETWEEN_SYSTEMS,) if not refused else ()),
        *((BETWEEN_VERSIONS,) if not refused_between else ()),
    )
    gate: tuple[Use, ...] = ("gate",) if scopes else ()
    uses = (*((level,) if level else ()), *gate)
    return Permit(uses or ("never",), why, why_gate, scopes, why_versions)


def _system_level(e: Evidence) -> tuple[Use | None, str]:
    if e.tau is None or e.low is None or e.high is None:
        return None, e.missing
    starts = f"the interval of tau starts at {_short(e.low)}"
    p = e.order.p_adjusted
    refusals = (
        (e.high < 0, "it orders the systems against the raters"),
        (bool(e.beaten_by), _beaten(e.beaten_by)),
        (e.low <= 0, f"the interval of tau reaches down to {_short(e.low)}"),
        (p is None, f"a test that leaves any two systems out is {e.order.undefined}"),
        (
            p is not None and p > ALPHA,
            (
                "with some two systems left out, after Holm over all metrics and dimensions, "
                f"p = {_short(p or 0.0)}"
            ),
        ),
    )
    for refused, why in refusals:
        if refused:
            return None, why
    against = _against_ranking(e, e.tau, e.low)
    return ("screen", against) if against else ("rank", starts)


def _against_ranking(e: Evidence, tau: float, low: float) -> str:
    """Say what stands in the way of ranking where screening is permitted; empty: nothing does."""
    bar, over = e.order.bar, f"over {e.order.systems} systems"
    luck = f"by luck the best of {e.order.tests} with a true tau of {_short(RANK_TAU)} reaches"
    obstacles = (
        (low < RANK_TAU, f"the interval of tau starts at {_short(low)}, below {_short(RANK_TAU)}"),
        (bar is None, f"{luck} any tau {over}"),
        (bar is not None and tau <= bar, f"{luck} {_short(bar or 0.0)} {over}"),
        (
            e.reliability is None or e.reliability < RELIABILITY_BAR,
            "the raters' own means are not reliable enough to be ranked by",
        ),
        (bool(e.interval_warning), f"the interval may be too narrow: {e.interval_warning}"),
    )
    return next((why for stands, why in obstacles if stands), "")


def _gate(
    line: Surrogacy | VersionSurrogacy | None, beaten_by: tuple[str, ...]
) -> tuple[bool, str]:
    """Say whether a line refuses the gate, and why or why not."""
    if line is None or line.slope is None or line.p_adjusted is None:
        return True, "" if line is None else line.undefined
    refusals = (
        (bool(beaten_by), _beaten(beaten_by)),
        (
            line.p_adjusted > GATE_ALPHA,
            f"after Holm over all metrics and dimensions, p = {_short(line.p_adjusted)}",
        ),
        _against_clustered(line),
        (line.threshold is None, line.undefined),
    )
    for refused, why in refusals:
        if refused:
            return True, why
    return False, f"the raters see a loss behind one of {line.threshold:.3g}"


def _against_clustered(line: Surrogacy | VersionSurrogacy) -> tuple[bool, str]:
    """Say whether families, as the independent units, bear a line between versions out."""
    if not isinstance(line, VersionSurrogacy) or line.p_clustered is None:
        return False, ""
    why = f"with errors clustered by family, p = {_short(line.p_clustered)}"
    return line.p_clustered > FAMILIES_ALPHA, why


def _beaten(beaten_by: tuple[str, ...]) -> str:
    return f"{' and '.join(beaten_by)} reached as much"


def _short(value: float) -> str:
    text = f"{abs(value):.2f}"
    return f"−{text}" if value < 0 and float(text) != 0 else text
