"""Is the new one worse, or no worse than a margin allows? Two one-sided tests on paired values."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from medassay.errors import InvalidInput, Problem
from medassay.stats.betting import betting_interval, betting_p, cases_needed
from medassay.stats.intervals import Interval, sums_by_cluster, too_unequal
from medassay.stats.kendall import TIE_TOLERANCE, pair_index
from medassay.stats.means import moments, t_intervals

_ESTIMAND: Final = "the same two, new cases"
_MORE: Final = 1.25
"""Few cases show less skewness than there is: a quarter more brings 200 skewed ones to 2.5%."""
_STRAIGHT: Final = 1e-6
_NEARLY_NOTHING: Final = 2.0**-50
_FEWEST_TO_DIFFER: Final = 2
_RIGHT_OR_WRONG: Final = 2
_FURTHEST: Final = 0.5
_SHARES: Final = 401
"""Shares of heavy losses that are tried: p is then right to a hundredth of itself."""


@dataclass(frozen=True, slots=True)
class PairedGate:
    """What paired differences, new minus old, say about a loss.

    Attributes:
        difference: Their mean; positive is better. None without a common case.
        interval: For the same two on new cases; None where undefined.
        p_worse: One-sided p of "the true difference is 0 or more".
        p_not_worse: One-sided p of "the true difference is -margin or less".
        minimal_detectable_loss: The true loss that would be called worse with 80% probability,
            where the level is shared out among all tests of the family.
        n: Common cases.
        undefined: Why something is None, or what no case can have shown; empty where neither is.
        if_worse: What a reader of "worse" must know: so small a loss on so few cases could be made
            up for by heavy gains that few have and none of these shows, so it is not settled; else
            empty.
    """

    difference: float | None
    interval: Interval | None
    p_worse: float | None
    p_not_worse: float | None
    minimal_detectable_loss: float | None
    n: int
    undefined: str = ""
    if_worse: str = ""


def paired_gate(
    differences: NDArray[np.float64],
    *,
    margin: float,
    span: float | None = None,
    clusters: Sequence[Hashable] | None = None,
    level: float = 0.95,
    power: float = 0.8,
    family: int = 1,
) -> PairedGate:
    """Ask of paired differences whether there is a loss, and whether it is within a margin.

    With d̄ and its clustered SE on ν degrees of freedom (C − 1 for C clusters of one size; else
    those of `bias_reduced`, and nothing is said where they are under 4): p_worse = P(T ≤ d̄/SE) and
    p_not_worse = P(T ≥ (d̄ + margin)/SE). Each is compared with α/2, α = 1 − level, so that without
    adjustment both verdicts can be read off the interval: worse where it lies below 0, not worse
    where it lies above −margin.

    *Skewed differences.* A long tail that few cases show makes t too sure on its side. With A =
    5γ/(12√C), γ the skewness of the clusters' residuals, t is held against T = t + A/2 + At² +
    A²t³/3 (Hall), where that is the more careful: on the side of the tail.

    *Losses that no case has shown.* However alike the differences are, no loss is excluded that C
    clusters with this same mean difference would not exclude: p_not_worse and the lower end are at
    best those of the next rule. So under `cases_to_show` clusters, 183 for a margin of 0.02 of 1,
    only gains exclude a loss.

    Two cases have exact binomial bounds. They need S, the span of the score, which no
    difference can pass.

    *All C clusters have the same mean difference c*, 0 or not. There is no spread to make a t
    interval of, and yet C equal clusters do not prove that all others are equal. At most the share
    q = 1 − (α/2)^(1/C) of clusters has another difference, which lies between −S and S: the
    interval is (1 − q)c ∓ qS. Its tests are p_worse = (S/(S − c))^C for a loss, and p_not_worse =
    ((S − margin)/(S + c))^C for c above −margin, else 1. Both hold without having named c before:
    the chance that all are equal and so far from the hypothesis is largest where one value has it
    alone. Without S nothing is said of c = 0; else |c| stands for it, and p_worse is 1/2^C, that of
    the sign test.

    *Every difference is −S, 0 or S*, as for right-or-wrong scores. A t interval made of one or two
    losses is too sure of how few there are. With b losses and c gains, p_not_worse is at least
    P(B ≤ b) for B binomial with C trials and the share margin/S + c/C, and the lower bound at most
    (c/C − u)S, where u is the exact upper bound of the share of losses (b and c scaled to C
    clusters). With many losses both lie inside of what t says.

    Args:
        differences: New minus old where both are known, shape (cases,), positive being better.
        margin: The largest loss that is acceptable, 0 or more, in the unit of the score.
        span: The score's greatest value minus its least; None if it is unbounded.
        clusters: For each case the label of its cluster.
        level: Coverage of the interval.
        power: Probability of detection that the minimal detectable loss refers to.
        family: How many tests share the level; only the minimal detectable loss reads it.

    Source: Miller (2024), arXiv:2411.00640, for the clustered SE; Schuirmann (1987),
        doi:10.1007/BF01068419, for two one-sided tests; Hall (1992), J. R. Stat. Soc. B 54(1),
        221-228, for skewness, of which ours takes a quarter more.

    Example:
        >>> found = paired_gate(np.array([0.0, -1.0, 0.0, 1.0] * 25), margin=0.2)
        >>> round(found.interval.low, 3), round(found.p_not_worse, 4), found.p_worse
        (-0.141, 0.0029, 0.5)
        >>> collapsed = paired_gate(np.full(10, -1.0), margin=0.02, span=1)
        >>> round(collapsed.interval.high, 3), round(collapsed.p_worse, 4)
        (-0.383, 0.001)
    """
    row = np.asarray(differences, dtype=np.float64)[None]
    [gate] = paired_gates(
        row, margin=margin, span=span, clusters=clusters, level=level, power=power, family=family
    )
    return gate


def paired_gates(
    differences: NDArray[np.float64],
    *,
    margin: float,
    span: float | None = None,
    clusters: Sequence[Hashable] | None = None,
    level: float = 0.95,
    power: float = 0.8,
    family: int = 1,
) -> list[PairedGate]:
    """Ask `paired_gate` of every row, shape (rows, cases), at once.

    Example:
        >>> rows = np.array([[0.1, -0.1, 0.2], [-0.5, -0.4, -0.6]])
        >>> [round(one.p_worse, 2) for one in paired_gates(rows, margin=0.1)]
        [0.74, 0.01]
    """
    from scipy.special import ndtri, stdtr

    if not (np.isfinite(margin) and margin >= 0):
        raise InvalidInput(Problem("margin", "be 0 or more", f"{margin}"))
    n = differences.shape[1]
    if n == 0:
        why = "the two have no case in common"
        return [PairedGate(None, None, None, None, None, 0, why) for _ in differences]
    estimates = moments(differences, np.ones(differences.shape, dtype=np.bool_), clusters)
    independent, freedom = int(estimates.clusters[0]), float(estimates.freedom[0])
    residual = sums_by_cluster(differences - estimates.mean[:, None], clusters)
    sizes = sums_by_cluster(np.ones((1, n)), clusters)[0]
    unclear = too_unequal(sizes, freedom) if independent > 1 else ""
    scale = np.abs(differences).max(axis=1) * n
    constant = np.abs(residual).max(axis=1) <= TIE_TOLERANCE * scale
    bend = _bend_of(residual)
    with np.errstate(invalid="ignore", divide="ignore"):  # of constant rows nothing is read here
        lost, above_margin = ((estimates.mean + least) / estimates.error for least in (0.0, margin))
        p_worse = stdtr(freedom, np.maximum(lost, _bent(lost, bend))).tolist()
        p_not_worse = stdtr(freedom, -np.minimum(above_margin, _bent(above_margin, bend))).tolist()
    shared = 1 - (1 - level) / (2 * family)
    detectable = ((ndtri(shared) + ndtri(power)) * estimates.error).tolist()
    two_valued = _two_valued(differences, span)
    few_losses = _few_losses(differences, independent, margin, span, level)
    made: list[PairedGate] = []
    intervals = t_intervals(estimates, estimand=_ESTIMAND, level=level)
    for i, (mean, (interval, why)) in enumerate(
        zip(estimates.mean.tolist(), intervals, strict=True)
    ):
        alike = _constant(mean, independent, n, margin, span, level)
        if constant[i]:
            made.append(alike)
            continue
        if interval is None or unclear:
            made.append(PairedGate(mean, None, None, None, None, n, why or unclear))
            continue
        ends = _stretched(interval, mean, float(estimates.error[i]), float(bend[i]))
        gate = PairedGate(mean, ends, p_worse[i], p_not_worse[i], detectable[i], n)
        if two_valued[i]:
            gate = _held_below(gate, few_losses[0][i], few_losses[1][i])
        elif span:
            gate = _no_surer_than(alike, gate, independent, margin, span, 1 - shared)
        made.append(gate)
    return made


def cases_to_show(margin: float, span: float, error: float) -> int:
    """Count the cases, all unchanged, that would show one of the losses that make up the margin.

    Were the margin lost by answers that lose all they can, log(error)/log(1 − margin/S) cases
    would hold one of them but for this error.

    Args:
        margin: Above 0.
        span: The score's greatest value minus its least.
        error: One-sided.

    Example:
        >>> cases_to_show(0.02, 1.0, 0.025), cases_to_show(0.05, 1.0, 0.025)
        (183, 72)
    """
    return 1 if margin >= span else int(np.ceil(np.log(error) / np.log1p(-margin / span)))


def could_outweigh(
    difference: float,
    span: float,
    cases: int,
    around: Interval | None = None,
    *,
    systems: int = 2,
    level: float = 0.95,
) -> bool:
    """Could heavy losses that so few cases need not show make up for this difference?

    Where C cases all had the difference c, they would show that the true one is not 0 with a
    one-sided p of (S/(S + |c|))^C. A test that knows how far cases differ is surer than that, and
    rightly so unless few cases lose much more than any that was seen. Where cases do differ, such
    losses need luck as well: with a share e of them, none is among C cases with probability
    (1 - e)^C, and the others then differ by eS/(1 - e) on average, whose t reaches as far as the
    one that was seen. The largest product of both over all e decides, where it is larger than with
    no such losses: what luck alone makes is the test's own question. One of many systems that
    loses seldom is compared with each other, so the bound falls with the root of their number: as
    simulated (simulations/plain-verdicts.md), not derived.

    Args:
        difference: c.
        span: S, the score's greatest value minus its least.
        cases: C; clusters of cases where there are such.
        around: The interval of the difference, which says how far cases differ; None: as if they
            did not.
        systems: How many are compared with each other; up to four need no smaller bound.
        level: Half of what it leaves is the bound of that p.

    Example:
        >>> could_outweigh(0.02, 1.0, 50), could_outweigh(0.1, 1.0, 50)
        (True, False)
        >>> could_outweigh(0.7, 4.0, 20)
        True
        >>> could_outweigh(0.7, 4.0, 20, Interval(0.2, 1.2, 0.95, "t", "an example"))
        False
    """
    bound = (1 - level) / max(systems, 4) ** 0.5
    size = abs(difference)
    reach = 0.0
    if around is not None:
        reach = difference - around.low if difference > 0 else around.high - difference
    if around is None or reach <= 0 or cases < _FEWEST_TO_DIFFER:
        return bool((span / (span + size)) ** cases > bound)
    from scipy.special import stdtr, stdtrit

    error = reach / stdtrit(cases - 1, (1 + around.level) / 2)
    unseen = np.linspace(0.0, -np.log(bound), _SHARES)  # -log of the chance that none is seen
    ahead = span * np.expm1(unseen / cases)
    p = np.exp(-unseen) * stdtr(cases - 1, (ahead - size) / error)
    return bool(p.max() > max(bound, p[0]))


def _held_below(gate: PairedGate, low: float, p_at_least: float) -> PairedGate:
    """Move the lower end and p_not_worse to what a binomial leaves of them."""
    if gate.interval is None or gate.p_not_worse is None:
        return gate
    interval = gate.interval
    if low < interval.low:
        interval = replace(interval, low=low, method=f"{interval.method}, exact binomial below")
    return replace(gate, interval=interval, p_not_worse=max(gate.p_not_worse, p_at_least))


def _no_surer_than(
    alike: PairedGate, gate: PairedGate, independent: int, margin: float, span: float, error: float
) -> PairedGate:
    """Exclude no loss that as many clusters all alike would not, and say what none may have shown.

    A loss so small that as many clusters alike would not show it is still found: an alarm costs a
    look, and whoever looks is told what could outweigh it.
    """
    if alike.interval is None or alike.p_not_worse is None:
        return gate
    held = _held_below(gate, alike.interval.low, alike.p_not_worse)
    noun = "answers" if independent == gate.n else "clusters of cases"
    why = if_worse = ""
    if (gate.p_not_worse or 0.0) <= error < alike.p_not_worse:
        needed = f" ({cases_to_show(margin, span, error):,} would)" if margin > 0 else ""
        why = (
            f"how far scores moved would exclude a loss of {margin:g}, but {independent} {noun} "
            f"need not show one that few have and that is heavy{needed}"
        )
    if (gate.difference or 0.0) < 0 and could_outweigh(
        gate.difference or 0.0, span, independent, level=1 - 2 * error
    ):
        if_worse = (
            f"not settled: rare large gains that {independent} {noun} may not show could outweigh "
            "this loss"
        )
    return replace(held, undefined=why, if_worse=if_worse)


class Tail(NamedTuple):
    """What is left of paired differences once their long tail is taken for longer than it shows.

    Attributes:
        kept: The share of |Σ d_c| / √Σ d_c² that is left, shape (pairs,); 1 where no tail works
            against the mean.
        p: Two-sided, by Student's t of what is left; 0 where nothing has to be taken out.
    """

    kept: NDArray[np.float64]
    p: NDArray[np.float64]


def without_tail(
    values: NDArray[np.float64],
    known: NDArray[np.bool_],
    clusters: Sequence[Hashable] | None = None,
) -> Tail:
    """How far apart are two systems, if few cases show less of a long tail of losses than there is?

    A test by signs takes each difference for as likely in both directions. Where one system fails
    seldom, and the others never, few cases with few failures put it ahead too often: the tail of
    its losses lies on the far side of 0. With A = γ/(3√C), γ the skewness of differences, Hall's
    t + A/2 + At² + A²t³/3 takes it out, here no further than At = −1/2, past which a cubic says
    little of a large t. Right or wrong, case by case, is symmetric where two systems are equal.

    Args:
        values: Shape (systems, cases).
        known: The same shape; values are read where it is True.
        clusters: For each case the label of its cluster; C counts those that a pair has.

    Returns:
        Of every two systems, in the order of `pair_index`.

    Source: Hall (1992), J. R. Stat. Soc. B 54(1), 221-228.

    Example:
        >>> values = np.array([[1.0] * 10 + [0.75] * 9 + [0.0], [0.75] * 20])
        >>> without_tail(values, values >= 0).kept.round(2).tolist()
        [0.71]
    """
    from scipy.special import stdtr

    first, second = pair_index(len(values))
    both = known[first] & known[second]
    if clusters is None and len(np.unique(values[known])) <= _RIGHT_OR_WRONG:
        return Tail(np.ones(len(first)), np.zeros(len(first)))
    sums = sums_by_cluster(np.where(both, values[first] - values[second], 0.0), clusters)
    sizes = sums_by_cluster(both.astype(np.float64), clusters)
    many = np.maximum((sizes > 0).sum(axis=1), 1)
    total, freedom = sums.sum(axis=1), np.maximum(many - 1, 1)
    residual = sums - (total / np.maximum(sizes.sum(axis=1), 1))[:, None] * sizes
    squares = (residual**2).sum(axis=1)
    spread = squares > TIE_TOLERANCE * (sums**2).sum(axis=1)
    squares = np.where(spread, squares, 1.0)
    t = np.abs(total) / np.sqrt(squares * many / freedom)
    skew = (residual**3).sum(axis=1) * np.sign(total) / many / (squares / many) ** 1.5
    bend = np.minimum(skew, 0.0) / (3 * np.sqrt(many))
    bend = np.maximum(bend, -_FURTHEST / np.maximum(t, 1.0))
    left = np.maximum(_bent(t, bend), 0.0)
    # |Σ d_c| / √Σ d_c² is t / √(C - 1 + t²), but for √C.
    kept = np.where(t > 0, left / np.where(t > 0, t, 1.0), 1.0)
    kept = kept * np.sqrt((freedom + t**2) / (freedom + left**2))
    tail = spread & (bend < 0)
    return Tail(np.where(tail, kept, 1.0), np.where(tail, 2 * stdtr(freedom, -left), 0.0))


def _share_of_others(independent: int, level: float) -> float:
    """Bound the share of clusters that differ from all C seen: 1 − (α/2)^(1/C)."""
    return float(1 - ((1 - level) / 2) ** (1 / independent))


def _two_valued(differences: NDArray[np.float64], span: float | None) -> NDArray[np.bool_]:
    """Say of each row whether it is of right-or-wrong scores."""
    if not span:
        return np.zeros(len(differences), dtype=np.bool_)
    size = np.abs(differences)
    fits = (size == 0) | (np.abs(size - span) <= TIE_TOLERANCE * span)
    return np.asarray(fits.all(axis=1), dtype=np.bool_)


def _few_losses(
    differences: NDArray[np.float64],
    independent: int,
    margin: float,
    span: float | None,
    level: float,
) -> tuple[list[float], list[float]]:
    """Bound the difference and p_not_worse of right-or-wrong scores by the binomial of losses."""
    from scipy.special import bdtr, betaincinv

    n = differences.shape[1]
    losses = np.floor((differences < 0).sum(axis=1) * independent / n)
    gains = (differences > 0).sum(axis=1) / n
    rest = independent - losses
    # Where all cases are lost the share may be 1.
    upper = betaincinv(losses + 1, np.maximum(rest, 1), (1 + level) / 2)
    upper = np.where(rest > 0, upper, 1.0)
    reach = span or 1.0
    p = bdtr(losses, independent, np.minimum(margin / reach + gains, 1.0))
    return ((gains - upper) * reach).tolist(), p.tolist()


def _constant(
    mean: float, independent: int, n: int, margin: float, span: float | None, level: float
) -> PairedGate:
    if abs(mean) <= TIE_TOLERANCE:
        mean = 0.0
    reach = max(abs(mean), span or 0.0)
    if reach == 0:
        why = "no case differs, and without a range of the score that shows no bound"
        return PairedGate(0.0, None, None, None, None, n, why)
    others = _share_of_others(independent, level)
    middle, half = (1 - others) * mean, others * reach
    interval = Interval(middle - half, middle + half, level, "exact binomial", _ESTIMAND)
    p_worse = (reach / (reach - mean)) ** independent if mean < 0 else 1.0
    p_not_worse = 1.0
    if mean > -margin:
        room = max(0.0, reach - margin)
        p_not_worse = (room / (reach + mean)) ** independent if room else 0.0
    return PairedGate(mean, interval, p_worse, p_not_worse, None, n)


def _bend_of(residual: NDArray[np.float64]) -> NDArray[np.float64]:
    """Give A = 5γ/(12√C) of each row, γ the skewness of its clusters' residuals.

    Args:
        residual: What is left of each cluster's sum after the mean, shape (rows, clusters).

    Source: Hall (1992), J. R. Stat. Soc. B 54(1), 221-228: γ/(3√C); the quarter more is ours.

    Example:
        >>> _bend_of(np.array([[1.0, 1.0, 1.0, -3.0], [1.0, -1.0, 1.0, -1.0]])).round(4).tolist()
        [-0.2406, 0.0]
    """
    with np.errstate(invalid="ignore", divide="ignore"):  # constant rows have none
        skew = (residual**3).mean(axis=1) / (residual**2).mean(axis=1) ** 1.5
    skew = np.where(np.isfinite(skew), skew, 0.0)
    return np.asarray(_MORE * skew / (3 * np.sqrt(residual.shape[1])), dtype=np.float64)


def _bent(t: NDArray[np.float64], bend: NDArray[np.float64]) -> NDArray[np.float64]:
    """Take the skewness out of t: t + A/2 + At² + A²t³/3, which rises with t.

    Example:
        >>> _bent(np.array([2.0, -2.0]), np.array([-0.1, -0.1])).round(3).tolist()
        [1.577, -2.477]
    """
    return np.asarray(t + bend / 2 + bend * t**2 + bend**2 * t**3 / 3, dtype=np.float64)


def _stretched(interval: Interval, mean: float, error: float, bend: float) -> Interval:
    """Move the end on the side of the tail to where `_bent` says what t says of the other.

    Args:
        interval: Mean ± t · error.
        mean: The mean.
        error: Its standard error.
        bend: A of `_bend_of`; negative where a tail reaches down.

    Example:
        >>> even = Interval(-0.2, 0.2, 0.95, "t", "an example")
        >>> found = _stretched(even, 0.0, 0.1, -0.1)
        >>> round(found.low, 3), found.high
        (-0.273, 0.2)
    """
    if abs(bend) <= _STRAIGHT:
        return interval
    half = (interval.high - interval.low) / 2 / error
    below, above = (
        mean - error * (float(np.cbrt(1 + 3 * bend * (t - bend / 2))) - 1) / bend
        for t in (half, -half)
    )
    return replace(interval, low=min(interval.low, below), high=max(interval.high, above))


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

    A t interval of fifty answers that hardly moved does not know that one in forty may lose 0.8.
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
    asks for: of versions of which 5% of the answers lose 0.8, 100 cases show it by t in 72% and by
    betting in 13%.

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
