"""When a model judge may stand in for a rater: the rules of a certificate.

The alternative-annotator test must be passed. Every other test speaks against the judge only where
its whole interval lies beyond the margin, and for it only where the whole interval lies within;
anything else is left open, and a certificate says so.
"""

from typing import Final

from medassay.study.certificates.record import CheckName, CheckResult, Verdict
from medassay.validity import AltTest, JudgeEstimate, JudgeOrder

__all__ = ["FLIPS", "SHIFT", "checks_of", "left_open", "passes", "speaks_against"]

FLIPS: Final = 0.2
"""Share of verdicts that may change when asked again, or in the other order."""
SHIFT: Final = 0.1
"""Share of the scale's span that a judge may differ from people by."""


def checks_of(
    alt: AltTest,
    repeats: JudgeEstimate,
    order: list[JudgeOrder],
    severity: JudgeEstimate,
    length: tuple[JudgeEstimate, JudgeEstimate],
    own: JudgeEstimate,
    span: float | None,
) -> list[CheckResult]:
    """Say of each test what it says of the judge."""
    shift = SHIFT * (span or 0.0)
    return [
        _alt(alt),
        _flips("repeats", repeats, "labels change when the judge is asked again"),
        _order(order),
        _shift("severity", severity, shift, "the judge lies from people's mean"),
        _length(length, shift),
        _shift("self-preference", own, shift, "the judge's own family gains"),
    ]


def passes(checks: list[CheckResult]) -> bool:
    """Say whether the first test is passed and none has failed."""
    return checks[0].verdict == "passed" and all(one.verdict != "failed" for one in checks)


def left_open(checks: list[CheckResult]) -> list[str]:
    """Name the tests that are neither passed nor failed."""
    return [f"{one.name} ({one.verdict})" for one in checks if one.verdict in _OPEN]


def speaks_against(checks: list[CheckResult]) -> list[str]:
    """Say why a judge does not pass; nothing where it does."""
    return [
        f"{one.name} ({one.verdict}: {one.text})"
        for one in checks
        if one.verdict == "failed" or (one.name == "alt-test" and one.verdict != "passed")
    ]


_OPEN: Final = ("undecided", "not tested")


def _alt(alt: AltTest) -> CheckResult:
    if alt.winning_rate_clustered is None:
        return CheckResult(name="alt-test", verdict="not tested", text=alt.reason)
    verdict: Verdict = "passed" if alt.passes else "failed"
    text = (
        f"the judge is shown to be as good as {alt.winning_rate_clustered:.0%} of the people, "
        f"for epsilon {alt.epsilon:g}; half are asked for"
    )
    return CheckResult(name="alt-test", verdict=verdict, text=text)


def _flips(name: CheckName, found: JudgeEstimate, what: str) -> CheckResult:
    if found.value is None:
        return CheckResult(name=name, verdict="not tested", text=found.reason)
    if found.interval is None:
        return CheckResult(name=name, verdict="undecided", text=found.reason)
    low, high = found.interval.low, found.interval.high
    verdict: Verdict = "passed" if high <= FLIPS else "failed" if low > FLIPS else "undecided"
    text = f"{low:.0%} to {high:.0%} of {what}; at most {FLIPS:.0%} may"
    return CheckResult(name=name, verdict=verdict, text=text)


def _order(order: list[JudgeOrder]) -> CheckResult:
    found = [
        _flips("order", one.flips, "preferences change when the answers change places")
        for one in order
    ]
    if not found:
        text = "no pair of answers was judged in both orders"
        return CheckResult(name="order", verdict="not tested", text=text)
    severe: tuple[Verdict, ...] = ("failed", "undecided", "passed", "not tested")
    return min(found, key=lambda one: severe.index(one.verdict))


def _shift(name: CheckName, found: JudgeEstimate, margin: float, what: str) -> CheckResult:
    if found.value is None:
        return CheckResult(name=name, verdict="not tested", text=found.reason)
    if found.interval is None:
        return CheckResult(name=name, verdict="undecided", text=found.reason)
    low, high = found.interval.low, found.interval.high
    text = f"{what} by {low:.2f} to {high:.2f} points; {margin:g} may be"
    return CheckResult(name=name, verdict=_within(low, high, margin), text=text)


def _length(found: tuple[JudgeEstimate, JudgeEstimate], margin: float) -> CheckResult:
    """Ask both slopes: each is led astray by something that leaves the other alone."""
    one, other = (
        _shift("length", number, margin, "a doubling of the words moves the judge")
        for number in found
    )
    if one.verdict == other.verdict:
        return one
    if "not tested" in (one.verdict, other.verdict):
        return one if one.verdict == "not tested" else other
    text = f"{one.text}; with people's scores held: {other.text}"
    return CheckResult(name="length", verdict="undecided", text=text)


def _within(low: float, high: float, margin: float) -> Verdict:
    if -margin <= low and high <= margin:
        return "passed"
    return "failed" if low > margin or high < -margin else "undecided"
