"""The study's own variance, by where it comes from: what a plan rests on."""

import math
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.annotations import Words, record
from medassay.errors import InvalidInput, Problem
from medassay.judgements import Units
from medassay.scores import Grid
from medassay.stats import Components, variance_components
from medassay.stats.intervals import group_labels

_FEWEST: Final = 2


@record(infers=False)
class Spread:
    """Variance of one label (or score) by where it comes from, in the squared unit of the scale.

    Attributes:
        family: Between families of systems; 0 where no two systems are of one family.
        system: Between systems (of one family).
        cluster: Between clusters of cases, the same for every system.
        case: Between cases (of one cluster), the same for every system.
        system_cluster: Of a system from cluster to cluster.
        system_case: Of a system from case to case; the residual is in it where answers have one
            value each.
        rater: Between raters who judge the same answers: severity.
        residual: Between labels of one answer, severity apart.
        labels: Labels an answer, as the harmonic mean; 1 for a metric.
        shared: Share of the raters of an answer who also judged the other system's answer to the
            case: their severity falls out of a difference.
        cluster_size: Cases in the cluster of a case, on average; 1 without clusters.
        family_size: Systems in the family of a system, on average; 1 without families.
        systems: Systems.
        cases: Cases.
        n: Values.
        relabelled: Answers with two values or more; the raters' part rests on them.
        raters_apart: Whether labels of one answer can be told from the answer: some have two.
        undefined: Why nothing can be planned from it; empty where it can.
    """

    family: float
    system: float
    cluster: float
    case: float
    system_cluster: float
    system_case: float
    rater: float
    residual: float
    labels: float
    shared: float
    cluster_size: float
    family_size: float
    systems: int
    cases: int
    n: int
    relabelled: int
    raters_apart: bool
    undefined: Words = ""

    def difference_variance(self, cases: float, labels: float) -> float:
        """Give the variance of the mean difference of two systems on the same cases.

        V = 2 [σ²_sk·m/C + σ²_sc/C + (σ²_e + (1 − q)·σ²_r) / (C·k)] with C cases in clusters of m, k
        labels an answer, and q the share of raters that both answers to a case have in common. What
        makes a case hard for all systems alike falls out.
        """
        per_label = self.residual + (1 - self.shared) * self.rater
        per_case = self.system_cluster * self.cluster_size + self.system_case
        return 2 * (per_case + per_label / labels) / cases


def spread_of_labels(
    units: Units,
    clusters: Mapping[str, str] | None = None,
    families: Mapping[str, str] | None = None,
) -> Spread:
    """Where do labels of one dimension vary: by system, case, rater, or label by label?

    MIVQUE0 components (`stats.variance_components`) of the labels' scores with the factors family,
    system, cluster, case, system × cluster, answer and rater; interactions of raters with systems
    and cases are in the residual. Estimates below 0 count as 0.

    Example:
        >>> keys = [(system, case) for system in "AB" for case in "123"]
        >>> codes = [[0, 0], [1, 1], [1, 0], [1, 1], [2, 2], [2, 1]]
        >>> units = Units.from_codes(codes, ["no", "part", "yes"], keys=keys, scores=[0, 1, 2])
        >>> found = spread_of_labels(units)
        >>> found.labels, found.shared, found.raters_apart
        (2.0, 1.0, True)
    """
    if units.scores is None:
        return _nothing("the labels have no scores")
    values = units.scores[units.code]
    pairs = [units.keys[i].pair for i in units.unit.tolist()]
    sizes = units.sizes[units.sizes > 0]
    labels = float(len(sizes) / (1 / sizes).sum()) if len(sizes) else 1.0
    return _spread(
        values, pairs, units.rater.tolist(), (labels, _shared(units)), (clusters, families)
    )


def spread_of_grid(
    grid: Grid,
    clusters: Mapping[str, str] | None = None,
    families: Mapping[str, str] | None = None,
) -> Spread:
    """Where do the scores of a metric, one an answer, vary?

    Example:
        >>> grid = Grid(("A", "B"), ("1", "2"), np.array([[1.0, 2.0], [3.0, 5.0]]),
        ...             np.ones((2, 2), dtype=bool))
        >>> found = spread_of_grid(grid)  # MS_cases 2.25, MS_residual 0.25
        >>> found.case, found.system_case, found.raters_apart
        (1.0, 0.25, False)
    """
    rows, columns = np.nonzero(grid.known)
    pairs = [(grid.systems[i], grid.cases[j]) for i, j in zip(rows, columns, strict=True)]
    return _spread(grid.values[rows, columns], pairs, None, (1.0, 0.0), (clusters, families))


def _spread(
    values: NDArray[np.float64],
    pairs: Sequence[tuple[str, str]],
    raters: Sequence[int] | None,
    design: tuple[float, float],
    groups: tuple[Mapping[str, str] | None, Mapping[str, str] | None],
) -> Spread:
    systems, cases = sorted({s for s, _ in pairs}), sorted({c for _, c in pairs})
    if len(systems) < _FEWEST or len(cases) < _FEWEST:
        return _nothing(f"{len(systems)} systems and {len(cases)} cases show no spread")
    cluster_of = dict(zip(cases, group_labels(tuple(cases), groups[0]), strict=True))
    family_of = dict(zip(systems, group_labels(tuple(systems), groups[1]), strict=True))
    factors: dict[str, Sequence[Hashable]] = {
        "system": [s for s, _ in pairs],
        "case": [c for _, c in pairs],
        "answer": list(pairs),
        "rater": [0] * len(pairs) if raters is None else list(raters),
        "cluster": [cluster_of[c] for _, c in pairs],
        "system_cluster": [(s, cluster_of[c]) for s, c in pairs],
        "family": [family_of[s] for s, _ in pairs],
    }
    components = variance_components(values, factors)
    apart = "answer" not in components.aliased
    spread = Spread(
        family=components.of("family"),
        system=components.of("system"),
        cluster=components.of("cluster"),
        case=components.of("case"),
        system_cluster=components.of("system_cluster"),
        system_case=components.of("answer" if apart else "residual"),
        rater=components.of("rater"),
        residual=components.of("residual") if apart else 0.0,
        labels=design[0],
        shared=design[1],
        cluster_size=_size(list(cluster_of.values()), components, "system_cluster"),
        family_size=_size(list(family_of.values()), components, "family"),
        systems=len(systems),
        cases=len(cases),
        n=len(values),
        relabelled=sum(count > 1 for count in Counter(pairs).values()),
        raters_apart=apart,
        undefined="" if float(np.ptp(values)) > 0 else "all values are equal",
    )
    if not spread.undefined and spread.difference_variance(1, 1) <= 0:
        why = "the difference between two systems is the same on every case"
        return replace(spread, undefined=why)
    return spread


def _size(groups: Sequence[Hashable], components: Components, factor: str) -> float:
    """Give the size of the group of a member; groups that the design cannot see have none."""
    if factor in components.aliased:
        return 1.0
    counts = {group: groups.count(group) for group in groups}
    return sum(counts[group] for group in groups) / len(groups)


def _shared(units: Units) -> float:
    """Give how many of an answer's raters also judged another system's answer to the case."""
    case, rater = units.case[units.unit], units.rater
    systems = sorted({unit.system for unit in units.keys})
    place = {s: i for i, s in enumerate(systems)}
    system = np.array([place[units.keys[i].system] for i in units.unit.tolist()], dtype=np.int64)
    met = np.zeros((len(systems), units.n_cases, len(units.raters)), dtype=np.bool_)
    met[system, case, rater] = True
    sizes = met.sum(axis=2)
    both = np.einsum("scr,tcr->stc", met.astype(float), met.astype(float))
    most = np.maximum(sizes[:, None, :], sizes[None, :, :])
    usable = (sizes[:, None, :] > 0) & (sizes[None, :, :] > 0)
    usable &= ~np.eye(len(systems), dtype=np.bool_)[:, :, None]
    return float((both[usable] / most[usable]).mean()) if usable.any() else 0.0


def _nothing(why: str) -> Spread:
    return Spread(
        family=0.0, system=0.0, cluster=0.0, case=0.0, system_cluster=0.0, system_case=0.0,
        rater=0.0, residual=0.0, labels=1.0, shared=0.0, cluster_size=1.0, family_size=1.0,
        systems=0, cases=0, n=0, relabelled=0, raters_apart=False, undefined=why,
    )  # fmt: skip


MOST_CASES = 1_000_000
_FEWEST_CLUSTERS = 2


def power_to_separate(
    spread: Spread, difference: float, cases: int, labels: float, *, alpha: float = 0.05
) -> float:
    """How likely does a two-sided paired t test find a true difference of this size?

    P(|T| > t) where T has a noncentral t distribution with K − 1 degrees of freedom, K the clusters
    of cases, and noncentrality δ/√V; V is `Spread.difference_variance`. It supposes that every pair
    of systems varies as much as the average pair, and that means are near enough to normal.

    Args:
        spread: The study's variance.
        difference: δ, in the unit of the scale.
        cases: Cases that both systems answer.
        labels: Labels an answer; 1 for a metric.
        alpha: Level of the test.

    Source: Miller (2024), arXiv:2411.00640; noncentral t: Johnson & Welch (1940),
        doi:10.1093/biomet/31.3-4.362.

    Example:
        >>> from medassay.scores import Grid
        >>> from medassay.validity import spread_of_grid
        >>> values = np.array([[1.0, 2.0, 1.0], [3.0, 5.0, 2.0]])
        >>> found = spread_of_grid(Grid(("A", "B"), tuple("123"), values, values > 0))
        >>> round(power_to_separate(found, 1.0, 20, 1), 2)
        0.99
    """
    from scipy.special import stdtrit

    clusters = cases / spread.cluster_size
    if clusters < _FEWEST_CLUSTERS:
        return 0.0
    variance = spread.difference_variance(cases, labels)
    if variance <= 0:
        return 1.0 if difference > 0 else 0.0
    bar = float(stdtrit(clusters - 1, 1 - alpha / 2))
    return _power(clusters - 1, abs(difference) / np.sqrt(variance), bar)


def _power(free: float, centre: float, bar: float) -> float:
    """Give the chance that a noncentral t lies beyond either bar."""
    from scipy.special import nctdtr

    inside = _tail(nctdtr(free, centre, bar))
    below = _tail(nctdtr(free, centre, -bar))
    return min(1.0, max(0.0, 1 - inside + below))


def _tail(share: float) -> float:
    """Give 0 where the centre lies so far off that scipy has no value: it is lost in rounding."""
    return 0.0 if math.isnan(share) else float(share)


def cases_to_separate(
    spread: Spread,
    difference: float,
    labels: float,
    *,
    power: float = 0.8,
    alpha: float = 0.05,
) -> int | None:
    """How many cases give the test this power; None where a million are too few.

    Raises:
        InvalidInput: The difference is not above 0, or power or alpha no probability.

    Example:
        >>> from medassay.scores import Grid
        >>> from medassay.validity import spread_of_grid
        >>> values = np.array([[1.0, 2.0, 1.0], [3.0, 5.0, 2.0]])
        >>> found = spread_of_grid(Grid(("A", "B"), tuple("123"), values, values > 0))
        >>> [cases_to_separate(found, size, 1) for size in (1.0, 0.5, 0.05)]
        [10, 34, 3142]
    """
    if not difference > 0:
        must = "be above 0, in the unit of the scale"
        raise InvalidInput(Problem("--detect", must, f"{difference:g}"))
    for name, value in (("--power", power), ("alpha", alpha)):
        if not 0 < value < 1:
            raise InvalidInput(Problem(name, "lie between 0 and 1", f"{value:g}"))

    def enough(cases: int) -> bool:
        return power_to_separate(spread, difference, cases, labels, alpha=alpha) >= power

    if not enough(MOST_CASES):
        return None
    low, high = 1, 2
    while not enough(high):
        low, high = high, high * 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def detectable_difference(
    spread: Spread, cases: int, labels: float, *, power: float = 0.8, alpha: float = 0.05
) -> float | None:
    """How small a difference does a test on so many cases find with this power?

    None with fewer than two clusters of cases, and where systems differ alike on every case: a
    spread of 0 in a few cases does not show that any difference would be found.
    """
    from scipy.special import stdtrit

    variance = spread.difference_variance(cases, labels)
    clusters = cases / spread.cluster_size
    if clusters < _FEWEST_CLUSTERS or not variance > 0:
        return None
    unit = np.sqrt(variance)
    bar = float(stdtrit(clusters - 1, 1 - alpha / 2))

    def enough(units: float) -> bool:
        return _power(clusters - 1, units * unit / unit, bar) >= power

    low, high = 0.0, 1.0
    while not enough(high):
        low, high = high, high * 2
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return float(high * unit)
