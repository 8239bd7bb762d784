"""Systems that met different cases, allotted by chance: what each case says counts."""

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.stats.adjusted_means import CaseAdjustment
from medassay.stats.intervals import LEAST_FREEDOM, Interval, cluster_index
from medassay.stats.kendall import pair_index
from medassay.stats.randomness import Rng, as_generator
from medassay.stats.rater_adjusted import Contrasts

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
_POWER: Final = 0.8
_WHOLE: Final = 1e-8
_ESTIMAND: Final = "these systems, new cases"
_BY_T: Final = "t, cases a random effect"
_REDRAWN: Final = "exact, the allotment drawn again"
_RIGHT_OR_WRONG: Final = 2
_END: Final = 1 - 1e-12
_STEPS: Final = 100
_NEAR: Final = 1e-9
_STEEP: Final = 50.0
_LARGEST: Final = 1e6
"""Of the variance of cases over the residual one: beyond it cases are as good as fixed."""
_RANDOM_CASES_FLAT: Final = 1e-12
_CELLS: Final = 4_000_000
_DRAWS: Final = 20_000
_MAX_T_FLAT: Final = 1e-9
_FEWEST: Final = 10
"""Values of a system that differ from its commonest: from so many on a t test holds."""
_MOST_PATTERNS: Final = 100_000
_TIED: Final = 1e-9


@dataclass(frozen=True, slots=True)
class AllottedDifference:
    """One system against another, over the cases that either has.

    Attributes:
        difference: First minus second.
        interval: For this pair alone; None where undefined.
        p: Two-sided; None where undefined.
        p_adjusted: p for all pairs tested at once; None where p is.
        method: How p was had; empty where it was not.
        minimal_detectable_effect: The true difference that such a test finds with 80% power.
        n: Cases that both have.
        alone: Cases that one of the two alone has.
        undefined: Why something is None; empty where nothing is.
    """

    difference: float
    interval: Interval | None
    p: float | None
    p_adjusted: float | None
    method: str
    minimal_detectable_effect: float | None
    n: int
    alone: int
    undefined: str = ""


@dataclass(frozen=True, eq=False)
class Allotted:
    """Systems whose cases were allotted by chance.

    Attributes:
        means: What each system's mean would be on all cases, by `RandomCases`.
        pulled: What each cluster of cases adds to them, shape (clusters, systems).
        differences: Every two systems i < j, in the order of `pair_index`.
    """

    means: Floats
    pulled: Floats
    differences: tuple[AllottedDifference, ...]


def compare_allotted(
    values: Floats,
    known: Flags,
    *,
    rng: Rng,
    clusters: Sequence[Hashable] | None = None,
    level: float = 0.95,
) -> Allotted:
    """Which system is better, where chance decided which cases each of them met?

    Differences of the means of `RandomCases` with t intervals and p (CR2, Satterthwaite). Where a
    system of a pair has under ten values beside its commonest one, as where it was hardly ever
    wrong, p is that of `redrawn`, and of right or wrong the interval is `joined_score_interval`.
    Adjusted over all pairs by `max_t_adjusted`.

    Args:
        values: Shape (systems, cases), read where known; every system has a case.
        known: The same shape.
        rng: The source of randomness for the adjustment.
        clusters: For each case the label of its cluster; then every p is that of the t test.
        level: Coverage of the intervals.

    Example:
        >>> rng = np.random.default_rng(1)
        >>> case = rng.normal(size=90)
        >>> values = case + 0.5 * rng.normal(size=(2, 90)) + np.array([[0.6], [0.0]])
        >>> known = np.zeros((2, 90), dtype=bool)
        >>> known[0, :50] = known[1, 40:] = True
        >>> [pair] = compare_allotted(values, known, rng=rng).differences
        >>> round(pair.difference, 2), pair.p < 0.05, pair.n, pair.alone
        (0.66, True, 10, 80)
    """
    rng = as_generator(rng)
    groups = None if clusters is None else cluster_index(clusters, known.shape[1])
    fit = RandomCases.of(values, known, groups)
    first, second = pair_index(len(values))
    errors = [column.tolist() for column in fit.errors(first, second)]
    scale = float(np.abs(values[known]).max(initial=0.0))
    found = []
    for i, j, error, freedom in zip(first.tolist(), second.tolist(), *errors, strict=True):
        pair = _by_t(float(fit.means[i] - fit.means[j]), error, freedom, scale, level)
        own = known[[i, j]]
        counted = replace(
            pair, n=int(own.all(axis=0).sum()), alone=int((own.sum(axis=0) == 1).sum())
        )
        drawn = None if clusters is not None else redrawn(values[[i, j]], own)
        found.append(_by_redrawing(counted, drawn, values[[i, j]], own, level))
    tested = np.array([at for at, pair in enumerate(found) if pair.p is not None], dtype=np.intp)
    p = np.array([pair.p for pair in found if pair.p is not None], dtype=np.float64)
    pulled = fit.contrasts.pulled
    adjusted = max_t_adjusted(p, first[tested], second[tested], pulled, rng=rng)
    for at, value in zip(tested.tolist(), adjusted.tolist(), strict=True):
        found[at] = replace(found[at], p_adjusted=value)
    return Allotted(fit.means, pulled, tuple(found))


def _by_t(
    difference: float, error: float, freedom: float, scale: float, level: float
) -> AllottedDifference:
    from scipy.special import ndtri, stdtr, stdtrit

    why = ""
    if not error > _WHOLE * scale:
        why = "no value differs from what system and case foretell"
    elif not freedom >= LEAST_FREEDOM:
        why = f"too few cases compare the two: {freedom:.1f} degrees of freedom"
    if why:
        return AllottedDifference(difference, None, None, None, "", None, 0, 0, why)
    half = float(stdtrit(freedom, (1 + level) / 2)) * error
    interval = Interval(difference - half, difference + half, level, _BY_T, _ESTIMAND)
    p = float(2 * stdtr(freedom, -abs(difference) / error))
    detectable = float(ndtri((1 + level) / 2) + ndtri(_POWER)) * error
    return AllottedDifference(difference, interval, p, None, _BY_T, detectable, 0, 0)


@dataclass(frozen=True, slots=True)
class Redrawn:
    """Two systems, by all cases that either has.

    Attributes:
        difference: First minus second: w · (mean difference on shared cases) + (1 − w) · (the first
            system's mean on cases of its own less the second's).
        weight: w; it knows neither which of two values on a shared case is whose, nor which system
            had which other case.
        p: Two-sided, exact.
    """

    difference: float
    weight: float
    p: float


def _by_redrawing(
    pair: AllottedDifference, drawn: Redrawn | None, values: Floats, known: Flags, level: float
) -> AllottedDifference:
    """Put the exact test in the place of the t test, where it could be had."""
    if drawn is None:
        return pair
    levels = np.unique(values[known])
    interval, difference = pair.interval, pair.difference
    if len(levels) == _RIGHT_OR_WRONG:
        span = float(levels[1] - levels[0])
        score = joined_score_interval(_counts(values > levels[0], known), drawn.weight, level)
        interval = replace(score, low=score.low * span, high=score.high * span)
        difference = drawn.difference
    return replace(
        pair,
        difference=difference,
        interval=interval,
        p=drawn.p,
        method=_REDRAWN,
        undefined="" if interval is not None else pair.undefined,
    )


@dataclass(frozen=True, slots=True)
class PairCounts:
    """How often each of two systems was right.

    Attributes:
        shared: Cases that both have.
        only_first: Of them those that the first alone has right.
        only_second: Those that the second alone has right.
        own: Other cases of the first, and of the second.
        right: Of those, how many each has right.
    """

    shared: int
    only_first: int
    only_second: int
    own: tuple[int, int] = (0, 0)
    right: tuple[int, int] = (0, 0)


def _counts(right: Flags, known: Flags) -> PairCounts:
    both = known.all(axis=0)
    alone = known & ~both
    return PairCounts(
        int(both.sum()),
        int((right[0] & ~right[1] & both).sum()),
        int((right[1] & ~right[0] & both).sum()),
        (int(alone[0].sum()), int(alone[1].sum())),
        (int((right[0] & alone[0]).sum()), int((right[1] & alone[1]).sum())),
    )


def joined_score_interval(counts: PairCounts, weight: float, level: float = 0.95) -> Interval:
    """Which differences of the two shares do shared and other cases leave possible?

    All δ with |√w · z_T(δ) + √(1 − w) · z_MN(δ)| ≤ z: z_T is Tango's score statistic of the shared
    cases, z_MN that of Miettinen and Nurminen of the others. With w = 1 it is Tango's interval,
    with w = 0 theirs.

    Args:
        counts: What was counted.
        weight: w, fixed before anybody knows which system was right; see `redrawn`.
        level: Coverage.

    Source: Tango (1998), doi:10.1002/(SICI)1097-0258(19980430)17:8<891::AID-SIM780>3.0.CO;2-B;
        Miettinen & Nurminen (1985), doi:10.1002/sim.4780040211.

    Example:
        >>> found = joined_score_interval(PairCounts(44, 1, 0), 1.0)
        >>> round(found.low, 4), round(found.high, 4)
        (-0.0594, 0.1181)
    """
    from scipy.special import ndtri

    bar = float(ndtri((1 + level) / 2))

    def score(delta: float) -> float:
        shared = np.sqrt(weight) * _tango(counts, delta) if weight > 0 else 0.0
        others = np.sqrt(1 - weight) * _two_shares(counts, delta) if weight < 1 else 0.0
        return float(shared + others)

    how = {0.0: "Miettinen-Nurminen", 1.0: "Tango"}.get(weight, "Tango and Miettinen-Nurminen")
    return Interval(_root(score, bar), _root(score, -bar), level, f"score ({how})", _ESTIMAND)


def _root(score: Callable[[float], float], bar: float) -> float:
    """Find where the score, which falls, crosses a bar; the end where it does not."""

    def over(delta: float) -> float:
        return min(max(score(delta) - bar, -_STEEP), _STEEP)

    low, high = -_END, _END
    above, below = over(low), over(high)
    if above <= 0:
        return -1.0
    if below >= 0:
        return 1.0
    middle = 0.0
    # False position, halving the end that stays (Illinois).
    for _ in range(_STEPS):
        middle = (low * below - high * above) / (below - above)
        value = over(middle)
        if abs(value) <= _NEAR or high - low <= _NEAR:
            break
        if value > 0:
            low, above, below = middle, value, below / 2
        else:
            high, below, above = middle, value, above / 2
    return float(middle)


def _tango(counts: PairCounts, delta: float) -> float:
    n, b, c = counts.shared, counts.only_first, counts.only_second
    linear = (2 * n - b + c) * delta - b - c
    free = -c * delta * (1 - delta)
    root = max(linear**2 - 8 * n * free, 0.0) ** 0.5
    # q is what the second alone has right, were the difference δ.
    q = (root - linear) / (4 * n) if linear <= 0 else -2 * free / (root + linear)
    variance = n * max(2 * q + delta * (1 - delta), 0.0)
    return _over(b - c - n * delta, variance)


def _two_shares(counts: PairCounts, delta: float) -> float:
    (m, n), (x, y) = counts.own, counts.right
    second = _restricted(x, m, y, n, delta)
    first = min(max(second + delta, 0.0), 1.0)
    variance = first * (1 - first) / m + second * (1 - second) / n
    total = m + n
    return _over(x / m - y / n - delta, variance * total / (total - 1) if total > 1 else 0.0)


def _restricted(x: int, m: int, y: int, n: int, delta: float) -> float:
    """Give the likeliest second share, were the first larger by δ: a root of a cubic."""
    total = m + n
    cube = float(total)
    square = (m + 2 * n) * delta - total - (x + y)
    linear = (n * delta - total - 2 * y) * delta + (x + y)
    free = y * delta * (1 - delta)
    q = (square / (3 * cube)) ** 3 - square * linear / (6 * cube**2) + free / (2 * cube)
    p = np.sign(q) * max((square / (3 * cube)) ** 2 - linear / (3 * cube), 0.0) ** 0.5
    if p == 0:
        return float(min(max(-square / (3 * cube), 0.0), 1.0))
    angle = (np.pi + np.arccos(min(max(q / p**3, -1.0), 1.0))) / 3
    low, high = max(0.0, -delta), min(1.0, 1 - delta)
    return float(min(max(2 * p * np.cos(angle) - square / (3 * cube), low), high))


def _over(gap: float, variance: float) -> float:
    if variance > 0:
        return float(gap / variance**0.5)
    return 0.0 if abs(gap) < 1 - _END else float(np.sign(gap) * np.inf)


@dataclass(frozen=True, eq=False)
class RandomCases:
    """The fit of y = system + case + e with cases drawn by chance, by generalised least squares.

    A case's variance is the pooled variance within systems less that within cases (Henderson's
    third method), so no search is needed. Where every system has every case the means are the plain
    ones; where no case is shared, too. In between each difference joins what shared cases say with
    what the others say, weighted by how much each knows.

    Attributes:
        means: By system, in the unit of the values.
        ratio: The variance of cases over the residual one, 0 or more.
        contrasts: What each cluster of cases says of the means (CR2).

    Source: Searle, Casella & McCulloch (1992), Variance Components, ch. 5, for the variances;
        Pustejovsky & Tipton (2018), doi:10.1080/07350015.2016.1247004, for the errors.

    Example:
        >>> values = np.array([[1.0, 2.0, 4.0, 5.0, 3.0, 0.0], [0.0, 0.0, 3.0, 4.0, 1.0, 2.0]])
        >>> known = np.array([[True] * 5 + [False], [False, False] + [True] * 4])
        >>> found = RandomCases.of(values, known)
        >>> found.means.round(2).tolist(), round(found.ratio, 2)  # plain: 3.0 and 2.5
        ([3.04, 1.79], 11.86)
    """

    means: Floats
    ratio: float
    contrasts: Contrasts

    @classmethod
    def of(
        cls, values: Floats, known: Flags, clusters: NDArray[np.int64] | None = None
    ) -> "RandomCases":
        """Fit it.

        Args:
            values: Shape (systems, cases), read where known; every system has a case.
            known: The same shape.
            clusters: For each case the number of its cluster, from 0; each case its own, if not
                given.
        """
        flags = known.astype(np.float64)
        masked = np.where(known, values, 0.0)
        # Centred, so that no digit is lost where values lie far from 0.
        centre = float(masked.sum() / max(1.0, flags.sum()))
        masked = np.where(known, masked - centre, 0.0)
        ratio = _ratio(masked, known)
        pull = ratio / (1 + ratio * flags.sum(axis=0))
        gram = np.diag(flags.sum(axis=1)) - (flags * pull) @ flags.T
        right = masked.sum(axis=1) - flags @ (pull * masked.sum(axis=0))
        inverse = np.linalg.inv(gram)
        means = inverse @ right
        groups = np.arange(known.shape[1]) if clusters is None else clusters
        apart = np.where(known, masked - means[:, None], 0.0)
        contrasts = Contrasts.of(
            means + centre, np.eye(len(means)), inverse, _said(flags, apart, pull, groups)
        )
        return cls(means + centre, ratio, contrasts)

    def errors(self, first: NDArray[np.intp], second: NDArray[np.intp]) -> tuple[Floats, Floats]:
        """Give the standard error of each difference, and its Satterthwaite degrees of freedom."""
        pulled = self.contrasts.pulled
        error = np.sqrt(((pulled[:, first] - pulled[:, second]) ** 2).sum(axis=0))
        freedom = np.zeros(len(first))
        own, across = self.contrasts.own, self.contrasts.across
        step = max(1, _CELLS // max(1, own.shape[0] * own.shape[2]))
        for start in range(0, len(first), step):
            part = slice(start, start + step)
            # Shape (pairs, clusters, columns).
            mine, theirs = (
                np.swapaxes(root[:, first[part]] - root[:, second[part]], 0, 1).astype(np.float64)
                for root in (own, across)
            )
            variance = (mine**2).sum(axis=2)
            diagonal = (theirs**2).sum(axis=2)
            gram = np.swapaxes(theirs, 1, 2) @ theirs
            # The squares of every covariance of two clusters, with the variances for a diagonal.
            whole = (gram**2).sum(axis=(1, 2)) - (diagonal**2).sum(axis=1)
            whole += (variance**2).sum(axis=1)
            with np.errstate(invalid="ignore", divide="ignore"):  # no variance: no degrees
                freedom[part] = variance.sum(axis=1) ** 2 / whole
        return error, freedom


def _ratio(masked: Floats, known: Flags) -> float:
    """Give the variance of cases over the residual one; 0 where no case tells them apart."""
    flags = known.astype(np.float64)
    size = flags.sum(axis=0)
    shared = size > 1
    adjustment = CaseAdjustment(known & shared)
    linked = known[:, shared].any(axis=1)
    groups = len(set(adjustment.groups[linked].tolist()))
    within_freedom = float(size[shared].sum()) - shared.sum() - (linked.sum() - groups)
    whole_freedom = float(size.sum()) - len(known)
    if within_freedom < 1 or whole_freedom < 1:
        return 0.0
    effects = np.where(linked, adjustment.replicates(masked[None])[0][:, 0, 0], 0.0)
    left = np.where(known, masked - effects[:, None], 0.0)
    left = np.where(known & shared, left - left.sum(axis=0) / np.maximum(size, 1.0), 0.0)
    within = float((left**2).sum()) / within_freedom
    plain = masked.sum(axis=1) / np.maximum(flags.sum(axis=1), 1.0)
    around = np.where(known, masked - plain[:, None], 0.0)
    whole = float((around**2).sum()) / whole_freedom
    if whole <= _RANDOM_CASES_FLAT * float((masked**2).max(initial=0.0)):
        return 0.0
    return float(min(max(whole / max(within, whole / _LARGEST) - 1, 0.0), _LARGEST))


def _said(
    flags: Floats, apart: Floats, pull: Floats, groups: NDArray[np.int64]
) -> Iterator[tuple[Floats, Floats]]:
    """Give X'V⁻¹X and X'V⁻¹(y − Xβ) of clusters of cases, a few clusters at a time."""
    systems, clusters = len(flags), int(groups.max(initial=-1)) + 1
    place = np.arange(systems)
    order = np.argsort(groups, kind="stable")
    step = max(1, _CELLS // systems**2)
    for start in range(0, clusters, step):
        mine = order[(groups[order] >= start) & (groups[order] < start + step)]
        size, at = min(step, clusters - start), groups[mine] - start
        rows = flags[:, mine].T
        grams = np.zeros((size, systems, systems))
        scores = np.zeros((size, systems))
        step_in = max(1, _CELLS // systems**2)
        for inner in range(0, len(mine), step_in):
            part = slice(inner, inner + step_in)
            each = -(rows[part, :, None] * pull[mine[part], None, None]) * rows[part, None, :]
            each[:, place, place] += rows[part]
            np.add.at(grams, at[part], each)
        gaps = apart[:, mine].T
        np.add.at(scores, at, gaps - rows * (pull[mine] * gaps.sum(axis=1))[:, None])
        yield grams, scores


def max_t_adjusted(
    p_values: Floats,
    first: NDArray[np.intp],
    second: NDArray[np.intp],
    pulled: Floats,
    *,
    rng: Rng,
) -> Floats:
    """Adjust the p values of differences of systems for all of them being tested.

    Each p is turned into the |z| that has it. The largest |z| of the differences that are left,
    were all of these 0, is drawn from the normal distribution in which they hang together as
    `pulled` says; p̃ is how often it reaches what was found, and never under p itself or over
    Holm's. A difference that nothing pulls is drawn by itself.

    Args:
        p_values: Shape (pairs,).
        first: The systems that come first in the pairs.
        second: Those that come second.
        pulled: What each cluster of cases adds to each system's mean, shape (clusters, systems).
        rng: The source of randomness.

    Source: Westfall & Young (1993), Resampling-Based Multiple Testing; Hothorn, Bretz & Westfall
        (2008), doi:10.1002/bimj.200810425.

    Example:
        >>> pulled = np.random.default_rng(1).normal(size=(50, 3))
        >>> pair = np.array([0, 0, 1]), np.array([1, 2, 2])
        >>> p = np.array([0.01, 0.02, 0.9])
        >>> max_t_adjusted(p, *pair, pulled, rng=np.random.default_rng(1)).round(2).tolist()
        [0.03, 0.04, 0.9]
    """
    from scipy.special import ndtri

    rng = as_generator(rng)
    pairs = len(p_values)
    if pairs <= 1:
        return p_values.copy()
    order = np.argsort(p_values, kind="stable")
    reached = -ndtri(np.maximum(p_values[order], 1e-300) / 2)
    root = np.asarray(np.linalg.qr(pulled, mode="r"), dtype=np.float64)
    roots = root[:, first[order]] - root[:, second[order]]
    spread = np.sqrt((roots**2).sum(axis=0))
    flat = spread <= _MAX_T_FLAT * float(np.abs(root).max(initial=0.0))
    roots = np.where(flat, 0.0, roots / np.where(flat, 1.0, spread))
    counts = np.zeros(pairs)
    step = max(1, _CELLS // pairs)
    for start in range(0, _DRAWS, step):
        size = min(step, _DRAWS - start)
        drawn = np.abs(rng.standard_normal((size, len(root))) @ roots)
        if flat.any():
            drawn[:, flat] = np.abs(rng.standard_normal((size, int(flat.sum()))))
        # The largest of a difference and all that come after it.
        largest = np.maximum.accumulate(drawn[:, ::-1], axis=1)[:, ::-1]
        counts += (largest >= reached).sum(axis=0)
    shares = (1 + counts) / (1 + _DRAWS)
    left = np.arange(pairs, 0, -1)
    single = p_values[order]
    bounded = np.clip(shares, single, np.minimum(left * single, 1.0))
    adjusted = np.empty(pairs)
    adjusted[order] = np.maximum.accumulate(bounded)
    return adjusted


def redrawn(values: Floats, known: Flags) -> Redrawn | None:
    """Would as large a difference be usual, had chance dealt the cases out otherwise?

    If systems are equally good, the two values of a shared case may be exchanged (McNemar's test,
    where values are right or wrong), and the cases that one system alone has may be dealt out again
    (Fisher's). Every pattern of both is counted at once: p = P(|T| ≥ |t|), with T the difference of
    `Redrawn`. Cases must be allotted by chance and independent of each other.

    Weights are inverse to the variances that a shrunken correlation within cases foretells, which
    no redrawing changes; so the test is exact.

    Args:
        values: Shape (2, cases), read where known.
        known: The same shape.

    Returns:
        None where both systems have ten or more values beside their commonest one (but right or
        wrong on no shared case), or the patterns are too many to count: the t test of `RandomCases`
        serves.

    Source: Fay (2010), doi:10.1093/biostatistics/kxp050; Fisher (1935), The Design of Experiments.

    Example:
        >>> right = np.array([[1.0] * 60 + [0.0] * 2, [1.0] * 30 + [0.0] * 32])
        >>> known = np.zeros((2, 62), dtype=bool)
        >>> known[0, 5:] = known[1, :50] = True
        >>> found = redrawn(right, known)
        >>> round(found.difference, 2), round(found.p, 6)
        (0.34, 3.4e-05)
    """
    both = known.all(axis=0)
    # Of two shares without a shared case the difference goes by steps, which t does not see.
    steps = not both.any() and len(np.unique(values[known])) <= _RIGHT_OR_WRONG
    if not steps and not any(_few(row[has]) for row, has in zip(values, known, strict=True)):
        return None
    gaps = values[0, both] - values[1, both]
    alone = [values[at, known[at] & ~both] for at in (0, 1)]
    pooled = np.concatenate([values[at, known[at]] for at in (0, 1)])
    weight = _weight(gaps, alone, pooled)
    shared = _exchanged(gaps) if weight > 0 else (np.zeros(1), np.ones(1))
    others = _dealt(*alone) if weight < 1 else (np.zeros(1), np.ones(1))
    if shared is None or others is None:
        return None
    first, second = weight * shared[0], (1 - weight) * others[0]
    seen = weight * float(gaps.mean()) if weight > 0 else 0.0
    seen += (1 - weight) * float(alone[0].mean() - alone[1].mean()) if weight < 1 else 0.0
    bar = abs(seen) - _TIED * float(np.ptp(pooled))
    if bar <= 0:
        return Redrawn(seen, weight, 1.0)
    order = np.argsort(second, kind="stable")
    second, below = second[order], np.concatenate([[0.0], np.cumsum(others[1][order])])
    high = below[-1] - below[np.searchsorted(second, bar - first, side="left")]
    low = below[np.searchsorted(second, -bar - first, side="right")]
    return Redrawn(seen, weight, float(min(1.0, shared[1] @ (high + low))))


def _few(values: Floats) -> bool:
    """Say whether under ten of a system's values differ from its commonest one."""
    counts = np.unique(values, return_counts=True)[1]
    return bool(len(values) - counts.max() < _FEWEST)


def _weight(gaps: Floats, alone: list[Floats], pooled: Floats) -> float:
    if not all(len(own) for own in alone):
        return 1.0
    if not len(gaps):
        return 0.0
    variance = float(pooled.var(ddof=1))
    # As if one pair more had differed by the whole range, and been expected to: no gap of few
    # cases is taken for none of all.
    more = float(np.ptp(pooled)) ** 2 / 2
    if not more:
        return 0.5
    apart = (float(gaps @ gaps) / 2 + more) / (len(gaps) * variance + more)
    of_shared = 2 * apart / len(gaps)
    of_others = 1 / len(alone[0]) + 1 / len(alone[1])
    return of_others / (of_others + of_shared)


def _exchanged(gaps: Floats) -> tuple[Floats, Floats] | None:
    """Give the mean gap of every pattern of exchanges, and how often it comes."""
    sizes, counts = np.unique(np.abs(gaps[gaps != 0]), return_counts=True)
    if np.prod(counts + 1.0) > _MOST_PATTERNS:
        return None
    means, chances = np.zeros(1), np.ones(1)
    for size, count in zip(sizes.tolist(), counts.tolist(), strict=True):
        turned = np.arange(count + 1)
        ways = _ways(np.array([count]), turned[:, None])
        means = (means[:, None] + size * (2 * turned - count)[None, :]).ravel()
        chances = (chances[:, None] * np.exp(ways - count * np.log(2))[None, :]).ravel()
    return means / len(gaps), chances


def _dealt(first: Floats, second: Floats) -> tuple[Floats, Floats] | None:
    """Give the difference of means of every way to deal the cases out, and how often it comes."""
    levels, counts = np.unique(np.concatenate([first, second]), return_counts=True)
    commonest = int(counts.argmax())
    rest = np.delete(np.arange(len(levels)), commonest)
    if np.prod(counts[rest] + 1.0) > _MOST_PATTERNS:
        return None
    taken = np.zeros((int(np.prod(counts[rest] + 1)), len(levels)))
    if len(rest):
        taken[:, rest] = list(product(*(range(counts[at] + 1) for at in rest.tolist())))
    taken[:, commonest] = len(first) - taken.sum(axis=1)
    taken = taken[(taken[:, commonest] >= 0) & (taken[:, commonest] <= counts[commonest])]
    ways = _ways(counts, taken)
    chances = np.exp(ways - ways.max())
    means = (taken @ levels) / len(first) - ((counts - taken) @ levels) / len(second)
    return means, chances / chances.sum()


def _ways(counts: NDArray[np.int64], taken: Floats | NDArray[np.int64]) -> Floats:
    """Give the logarithm of how many ways there are to take so many of each, by row."""
    from scipy.special import gammaln

    ways = gammaln(counts + 1) - gammaln(taken + 1) - gammaln(counts - taken + 1)
    return np.asarray(ways.sum(axis=1), dtype=np.float64)
