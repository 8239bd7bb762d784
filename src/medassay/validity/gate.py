"""What the gate is told and what it says: changes, verdicts, a row for each system."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from medassay.stats import Interval, PairedGate, bounded_gate, gate_bounded_below, holm, paired_gate
from medassay.stats.intervals import group_labels
from medassay.stats.kendall import TIE_TOLERANCE
from medassay.validity.source import Direction

Bound = Literal["t", "betting"]
"""How differences are bounded: by their spread, or by the score's range whatever they show."""


class Verdict(StrEnum):
    """What the gate says of one metric."""

    WORSE = "worse"
    NOT_WORSE = "metric not worse"
    UNDECIDED = "undecided"


@dataclass(frozen=True)
class Change:
    """One metric, before and after.

    Attributes:
        metric: Its canonical name.
        direction: Which way is better.
        old: Values by (system, case).
        new: The same of the new version.
        low: The metric's least possible value, if it has one.
        high: Its greatest possible value, if it has one.
        if_lost: What a score counts as that only the old version has; None if nothing is bad enough
            to be named.
        unchanged: Systems that are known to be the same in everything that was compared, not by
            this metric alone.
        why_lost: System to why the new version lacks scores of it, in words, where that is known.
        harm: Whether the metric measures harm.
    """

    metric: str
    direction: Direction
    old: Mapping[tuple[str, str], float]
    new: Mapping[tuple[str, str], float]
    low: float | None = None
    high: float | None = None
    if_lost: float | None = None
    unchanged: frozenset[str] = frozenset()
    why_lost: Mapping[str, str] = field(default_factory=dict)
    harm: bool = False

    @property
    def sign(self) -> float:
        """Turn differences so that positive is better."""
        return -1.0 if self.direction == "lower" else 1.0

    @property
    def span(self) -> float | None:
        """Give the width of the metric's range, if it has one."""
        return None if self.low is None or self.high is None else self.high - self.low

    @property
    def best(self) -> float | None:
        """Give the better end of the metric's range, if it has one."""
        return self.low if self.direction == "lower" else self.high

    @property
    def lost(self) -> list[tuple[str, str]]:
        """List the answers that only the old version has a value for."""
        return sorted(key for key in self.old if key not in self.new)

    @property
    def gone(self) -> bool:
        """Say whether the new version has no value at all where the old one has one."""
        return not any(key in self.new for key in self.old)

    @property
    def systems(self) -> list[str]:
        """List the systems that the old version has a value of."""
        return sorted({system for system, _ in self.old})


@dataclass(frozen=True, slots=True)
class Flip:
    """One answer whose score changed."""

    system: str
    case: str
    old: float
    new: float
    change: float
    """New minus old, turned so that positive is better."""


@dataclass(frozen=True, slots=True)
class SystemGate:
    """What the gate found of one system by one metric.

    Attributes:
        system: Its name.
        verdict: Worse; metric not worse within the margin; or undecided.
        difference: Mean of new minus old, turned so that positive is better.
        interval: Of the difference; unadjusted. Its method says what bounds it.
        p_worse: Holm-adjusted over systems, metrics and the versions compared with.
        p_not_worse: Holm-adjusted in the same way.
        minimal_detectable_loss: The true loss that would be called worse with 80% probability,
            all tests of the gate together.
        n: Answers that both have a value for.
        lost: Answers that only the old version has a value for.
        lost_as: What they were counted as; None if there are none, or no such value is known.
        gained: Answers that only the new version has a value for.
        identical: Whether nothing of the system changed at all.
        blocked: Whether an undecided verdict must not pass in any case, since scores that the old
            version had are missing and nothing says how bad that is.
        why: What a reader should know about the verdict; may be empty.
        near_best: Whether the loss was bounded by the score's range because nearly all of the old
            version's scores lie by the best value.
    """

    system: str
    verdict: Verdict
    difference: float | None
    interval: Interval | None
    p_worse: float | None
    p_not_worse: float | None
    minimal_detectable_loss: float | None
    n: int
    lost: int
    lost_as: float | None
    gained: int
    identical: bool = False
    blocked: bool = False
    why: str = ""
    near_best: bool = False


@dataclass(frozen=True, slots=True)
class GateResult:
    """What the gate found by one metric, system by system.

    Attributes:
        metric: Its canonical name.
        verdict: Worse if any system is; metric not worse if every system is not; else undecided.
        systems: A row for each system of the old version, in order of their names.
        flips: The answers that changed, the largest loss first.
        harm: Whether the metric measures harm.
    """

    metric: str
    verdict: Verdict
    systems: tuple[SystemGate, ...]
    flips: tuple[Flip, ...]
    harm: bool = False

    @property
    def identical(self) -> bool:
        """Say whether nothing changed at all."""
        return all(row.identical for row in self.systems)

    @property
    def blocked(self) -> bool:
        """Say whether a system is undecided in a way that must not pass."""
        return any(row.blocked for row in self.systems)

    def flips_of(self, system: str) -> list[Flip]:
        """List the answers of one system that changed."""
        return [flip for flip in self.flips if flip.system == system]


_NEARLY_ALL: Final = 0.8
"""Of the old version's scores, by the best value: then losses come rarely, and are heavy.

Measured in simulations/gate_near_best.py: from here on t is wrong with "metric not worse" in 10%
or more at 50 answers, however the other scores move.
"""
_NO_RANGE: Final = (
    "the score has no range, so a loss that few answers have, none of these among them, is not "
    "excluded"
)


def gate(
    changes: Sequence[Change],
    *,
    margin: float,
    clusters: Mapping[str, str] | None = None,
    level: float = 0.95,
    bound: Bound | None = None,
) -> list[GateResult]:
    """Compare two versions by each metric and in each system, paired over answers to the same case.

    Metric not worse: the loss is smaller than the margin, with the error held at (1 − level)/2 over
    all systems and metrics together (Holm). Worse: there is a loss, at the same level, and it is
    not shown to be within the margin. Undecided: the cases at hand show neither. A gate that passes
    whatever is not worse beyond doubt passes every underpowered loss, so undecided is a verdict of
    its own. By a metric a version is worse if any system is worse, and "metric not worse" only if
    no system is: what five systems gain hides no loss of the sixth.

    A score that only the old version has counts as `if_lost`, in the difference and in both tests.
    Where no such value is known, "metric not worse" cannot be said, and undecided is blocked. So it
    is where the two have no score in common at all.

    Of systems that are the same in everything the metric is not worse: no test is made of them.

    "Metric not worse" by a metric of harm rests on the score's range (`gate_bounded_below`), and so
    it does where four in five of the old version's scores or more lie within the margin of the best
    value, unless no score changed but from one end of the range to the other: there losses are rare
    and heavy, and the spread of fifty differences does not show them.

    Args:
        changes: One for each metric, and for each old version that the new one is compared with;
            metrics without a better direction cannot be gated.
        margin: The largest acceptable loss, in the unit of the metrics.
        clusters: Case to cluster.
        level: Coverage of the intervals.
        bound: `t` or `betting` for all (`paired_gate`, `bounded_gate`); None chooses as above.

    Returns:
        One result for each change, in their order.

    Example:
        >>> old = {("A", str(i)): float(i % 5 > 0) for i in range(400)}
        >>> new = {("A", str(i)): float(i % 5 > 1) for i in range(400)}
        >>> [result] = gate([Change("accuracy", "higher", old, new, 0, 1)], margin=0.02)
        >>> result.verdict.value, result.systems[0].difference, len(result.flips)
        ('worse', -0.2, 80)
    """
    rows = [_row(change, system, margin, bound) for change in changes for system in change.systems]
    tested = [_test(row, margin, clusters, level, len(rows)) for row in rows]
    worse = _adjusted([test.p_worse for test in tested])
    open_ = [not (row.unchanged or row.uncounted) for row in rows]
    fine = _adjusted(
        [test.p_not_worse if asked else None for test, asked in zip(tested, open_, strict=True)]
    )
    judged = [
        _judged(row, test, p_worse, p_fine, (1 - level) / 2)
        for row, test, p_worse, p_fine in zip(rows, tested, worse, fine, strict=True)
    ]
    results, start = [], 0
    for change in changes:
        systems = tuple(judged[start : start + len(change.systems)])
        start += len(systems)
        verdict = joint_verdict([row.verdict for row in systems])
        results.append(GateResult(change.metric, verdict, systems, _flips(change), change.harm))
    return results


def joint_verdict(verdicts: Sequence[Verdict]) -> Verdict:
    """Join verdicts: worse if any is, metric not worse if all are, else undecided.

    Example:
        >>> joint_verdict([Verdict.NOT_WORSE, Verdict.UNDECIDED]).value
        'undecided'
    """
    if Verdict.WORSE in verdicts:
        return Verdict.WORSE
    if verdicts and set(verdicts) == {Verdict.NOT_WORSE}:
        return Verdict.NOT_WORSE
    return Verdict.UNDECIDED


def false_alarms_of_100(level: float = 0.95) -> float:
    """Of 100 comparisons that lose nothing, how many are called worse at most, all rows together?

    Holm holds the chance of even one false "worse" at (1 − level)/2, however many rows there are
    and however they depend on each other, as far as each row's own test holds.

    Example:
        >>> false_alarms_of_100()
        2.5
    """
    return round(100 * (1 - level) / 2, 10)


_ASKED: Final[Mapping[str, Callable[..., PairedGate]]] = {
    "t": paired_gate,
    "betting": bounded_gate,
    "below": gate_bounded_below,
}


@dataclass(frozen=True)
class _Row:
    """One system by one metric, before its test."""

    change: Change
    system: str
    old: Mapping[str, float]
    new: Mapping[str, float]
    bound: Bound | None
    near_best: bool

    @property
    def lost(self) -> list[str]:
        return sorted(case for case in self.old if case not in self.new)

    @property
    def unchanged(self) -> bool:
        return self.system in self.change.unchanged

    @property
    def if_lost(self) -> float | None:
        """Give what a lost score counts as; nothing does where the metric itself is gone."""
        return None if self.change.gone else self.change.if_lost

    @property
    def uncounted(self) -> bool:
        """Say whether scores are missing that cannot be counted against the new version."""
        return bool(self.lost) and self.if_lost is None

    @property
    def cases(self) -> list[str]:
        """List the cases that both versions have a score of, or one that is counted as lost."""
        return sorted(self.old if self.if_lost is not None else self.old.keys() & self.new.keys())

    @property
    def differences(self) -> NDArray[np.float64]:
        """Give new minus old for each of `cases`, turned so that positive is better."""
        pairs = [(self.new.get(case, self.if_lost), self.old[case]) for case in self.cases]
        return np.array([self.change.sign * (new - old) for new, old in pairs if new is not None])


def _row(change: Change, system: str, margin: float, bound: Bound | None) -> _Row:
    old, new = (
        {case: value for (name, case), value in side.items() if name == system}
        for side in (change.old, change.new)
    )
    chooses = bound is None and not change.harm
    near_best = chooses and _near_best(change, list(old.values()), margin)
    row = _Row(change, system, old, new, bound, near_best)
    # `paired_gate` counts scores that move but from end to end, however rare they are.
    return replace(row, near_best=near_best and not _end_to_end(row.differences, change.span))


def _near_best(change: Change, old: Sequence[float], margin: float) -> bool:
    """Say whether nearly all of the old version's scores lie by the best value.

    The new version's are not looked at: what chooses a bound must not know what it will show.
    """
    if change.best is None or not change.span:
        return False
    away = np.abs(np.array(old) - change.best)
    return bool((away <= margin + TIE_TOLERANCE * change.span).mean() >= _NEARLY_ALL)


def _test(
    row: _Row, margin: float, clusters: Mapping[str, str] | None, level: float, family: int
) -> PairedGate:
    below = row.near_best or (row.change.harm and row.bound is None)
    ask = _ASKED["below" if below else row.bound or "t"]
    return ask(
        row.differences, margin=margin, span=row.change.span,
        clusters=group_labels(tuple(row.cases), clusters), level=level, family=family,
    )  # fmt: skip


def _end_to_end(differences: NDArray[np.float64], span: float | None) -> bool:
    """Say whether nothing moved but from one end to the other: `paired_gate` counts these."""
    size = np.abs(differences)
    return bool(((size == 0) | (np.abs(size - (span or 0)) <= TIE_TOLERANCE * (span or 0))).all())


def _judged(
    row: _Row, test: PairedGate, p_worse: float | None, p_fine: float | None, half: float
) -> SystemGate:
    verdict = Verdict.UNDECIDED
    if row.unchanged or (p_fine is not None and p_fine <= half):
        verdict = Verdict.NOT_WORSE
    elif p_worse is not None and p_worse <= half:
        verdict = Verdict.WORSE
    lost = len(row.lost)
    return SystemGate(
        system=row.system,
        verdict=verdict,
        difference=test.difference,
        interval=test.interval,
        p_worse=p_worse,
        p_not_worse=p_fine,
        minimal_detectable_loss=test.minimal_detectable_loss,
        n=len(row.old) - lost,
        lost=lost,
        lost_as=row.if_lost if lost else None,
        gained=sum(case not in row.old for case in row.new),
        identical=row.unchanged,
        blocked=verdict is Verdict.UNDECIDED and row.uncounted,
        why=_why(row, test, verdict),
        near_best=row.near_best,
    )


def _why(row: _Row, test: PairedGate, verdict: Verdict) -> str:
    lost, n = len(row.lost), len(row.old)
    reason = row.change.why_lost.get(row.system)
    because = f" ({reason})" if reason else ""
    if lost == n and row.if_lost is None:
        return (
            f"none of the {n} scores of the old version has a counterpart in the new one{because}"
        )
    test_words = test.if_worse if verdict is Verdict.WORSE else test.undefined
    if verdict is Verdict.NOT_WORSE and row.change.span is None:
        test_words = test_words or _NO_RANGE
    reasons = [test_words] if test_words and not row.unchanged else []
    noun, verb = ("score", "is") if lost == 1 else ("scores", "are")
    if lost and row.if_lost is None:
        reasons.append(
            f"{lost} {noun} of {n} {verb} lost{because}, and no worst value is known to count as"
        )
    elif lost:
        reasons.append(f"{lost} {noun} of {n} {verb} lost{because}, and counted as {row.if_lost:g}")
    return "; ".join(reasons)


def _adjusted(p_values: Sequence[float | None]) -> list[float | None]:
    """Adjust by Holm what has a p; the rest has none."""
    places = [i for i, p in enumerate(p_values) if p is not None]
    known = [p for p in p_values if p is not None]
    adjusted: list[float | None] = [None] * len(p_values)
    for place, value in zip(places, holm(known).tolist() if known else [], strict=True):
        adjusted[place] = float(value)
    return adjusted


def _flips(change: Change) -> tuple[Flip, ...]:
    flips = [
        Flip(system, case, old, new, change.sign * (new - old))
        for (system, case), old in change.old.items()
        if (new := change.new.get((system, case))) is not None and new != old
    ]
    return tuple(sorted(flips, key=lambda flip: (flip.change, flip.system, flip.case)))
