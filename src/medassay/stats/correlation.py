"""How far two values go together: plain, and where units come in clusters."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from medassay.api_checks import ArrayLike
from medassay.errors import InvalidInput, Problem
from medassay.stats.intervals import Interval, cluster_index, percentile_interval, sums_by_cluster
from medassay.stats.kendall import all_tied, dense_ranks, mean_ranks
from medassay.stats.randomness import Rng, as_generator, bootstrap_counts

_Floats = NDArray[np.float64]
Kind = Literal["pearson", "spearman"]
_FEWEST_UNITS: Final = 3
_FEWEST_CLUSTERS: Final = 5


def pearson(x: ArrayLike, y: ArrayLike) -> float | None:
    """How near to one straight line do two columns lie?

    r = Σ(x − x̄)(y − ȳ) / √(Σ(x − x̄)² Σ(y − ȳ)²). 1: on a rising line. 0: no linear relation. -1: on
    a falling line. One system far off the others can make r on its own: see Spearman or tau beside.

    Args:
        x: Shape (n,), finite.
        y: Shape (n,), finite.

    Returns:
        r, or None where a column has fewer than two distinct values.

    Raises:
        InvalidInput: The columns differ in length, or a value is not finite.

    Source: Pearson (1895), doi:10.1098/rspl.1895.0041.

    Example:
        >>> pearson([1, 2, 3], [2, 4, 6]), pearson([1, 1, 1], [1, 2, 3]) is None
        (1.0, True)
    """
    columns = [np.asarray(side, dtype=np.float64) for side in (x, y)]
    constant = [all_tied(side) for side in columns]
    _check(columns)
    return None if any(constant) else _correlation(*columns)


def spearman(x: ArrayLike, y: ArrayLike) -> float | None:
    """How near do the ranks of two columns lie to one straight line?

    Pearson's r of the ranks, ties sharing the mean of their places. 1: the same order and the same
    ties. -1: the opposite order.

    Args:
        x: Shape (n,), finite.
        y: Shape (n,), finite.

    Returns:
        rho, or None where a column has fewer than two distinct values.

    Raises:
        InvalidInput: The columns differ in length, or a value is not finite.

    Source: Spearman (1904), doi:10.2307/1412159.

    Example:
        >>> spearman([1, 2, 3, 4], [1, 3, 2, 4])  # 1 - 6·2 / (4·15)
        0.8
    """
    ranked = [dense_ranks(side) for side in (x, y)]
    _check(ranked)
    return None if _constant(ranked) else _correlation(*map(mean_ranks, ranked))


def _check(columns: Sequence[NDArray[np.generic]]) -> None:
    for first, second in pairwise(columns):
        if first.shape != second.shape:
            must = f"have {first.size} values, as x has"
            raise InvalidInput(Problem("y", must, str(second.size)))


def _constant(ranked: list[NDArray[np.intp]]) -> bool:
    return min(int(ranks.max(initial=0)) for ranks in ranked) == 0


def _correlation(x: NDArray[np.float64], y: NDArray[np.float64]) -> float:
    x, y = x - x.mean(), y - y.mean()
    r = (x / np.sqrt(x @ x)) @ (y / np.sqrt(y @ y))
    return float(np.clip(round(float(r), 15), -1.0, 1.0))


@dataclass(frozen=True, slots=True)
class ClusteredCorrelation:
    """One correlation.

    Attributes:
        kind: Of the values (pearson), or of their ranks (spearman).
        value: From -1 to 1; None where undefined.
        interval: Over clusters; None where there is none.
        undefined: Why there is no value or no interval; empty where both are there.
        n: Units.
        clusters: Clusters.
    """

    kind: Kind
    value: float | None
    interval: Interval | None
    undefined: str
    n: int
    clusters: int


def clustered_correlations(
    x: _Floats,
    y: _Floats,
    clusters: Sequence[Hashable],
    *,
    groups: Sequence[Hashable] | None = None,
    rng: Rng,
    estimand: str,
    replicates: int = 1000,
    level: float = 0.95,
) -> tuple[ClusteredCorrelation, ClusteredCorrelation]:
    """Do two values go together, over all units or only inside groups?

    r = Σ(x − x̄)(y − ȳ) / √(Σ(x − x̄)² Σ(y − ȳ)²). Spearman's is that of the ranks, ties sharing
    their mean rank. With groups, x̄ and ȳ are the means of each group, and ranks are taken inside
    it: what the groups differ in on the whole counts for nothing then. Intervals are percentiles of
    resamples that draw whole clusters.

    Args:
        x: Shape (units,), finite.
        y: Shape (units,), finite.
        clusters: For each unit its cluster.
        groups: For each unit its group; None for one group.
        rng: The source of randomness.
        estimand: What the intervals are for.
        replicates: Resamples.
        level: Nominal coverage.

    Returns:
        Pearson's and Spearman's.

    Example:
        >>> x, y = np.array([1.0, 2, 3, 11, 12, 13]), np.array([3.0, 2, 1, 13, 12, 11])
        >>> rng = np.random.default_rng(1)
        >>> said = {"clusters": list("abcabc"), "rng": rng, "estimand": "an example"}
        >>> pooled, _ = clustered_correlations(x, y, **said)
        >>> inside, _ = clustered_correlations(x, y, groups=list("ppptt") + ["t"], **said)
        >>> round(pooled.value, 2), round(inside.value, 2)
        (0.95, -1.0)
    """
    rng = as_generator(rng)
    index = cluster_index(clusters, len(x))
    of_group = cluster_index(groups if groups is not None else [0] * len(x), len(x))
    count = int(index.max(initial=-1)) + 1
    draws = None
    if count >= _FEWEST_CLUSTERS:
        drawn = bootstrap_counts(count, replicates, rng)[:, index].astype(np.intp)
        draws = [np.repeat(np.arange(len(x)), times) for times in drawn]
    kinds: tuple[Kind, Kind] = ("pearson", "spearman")
    correlations = []
    for kind in kinds:
        value = _correlation_inside(x, y, of_group, kind)
        interval, why = None, ""
        if len(x) < _FEWEST_UNITS:
            value, why = None, f"fewer than {_FEWEST_UNITS} answers"
        elif value is None:
            why = "what is compared does not vary"
        elif draws is None:
            why = f"no interval: fewer than {_FEWEST_CLUSTERS} clusters ({count})"
        else:
            drawn_values = [_correlation_inside(x[i], y[i], of_group[i], kind) for i in draws]
            known = [drawn_value for drawn_value in drawn_values if drawn_value is not None]
            if 2 * len(known) < len(draws):
                why = "no interval: more than half of the resamples do not vary"
            elif np.ptp(known) == 0:
                why = "no interval: every resample has the same value"
            else:
                interval = percentile_interval(known, estimand=estimand, level=level)
        correlations.append(ClusteredCorrelation(kind, value, interval, why, len(x), count))
    return correlations[0], correlations[1]


def _correlation_inside(
    x: _Floats, y: _Floats, groups: NDArray[np.intp], kind: Kind
) -> float | None:
    columns = np.stack([x, y])
    if kind == "spearman":
        columns = np.stack([_ranks_inside(column, groups) for column in columns])
    labels = groups.tolist()
    index = cluster_index(labels, len(x))
    means = sums_by_cluster(columns, labels) / np.bincount(index)
    off = columns - means[:, index]
    scale = np.abs(columns).max(axis=1, initial=0.0)
    # What is equal inside its group differs from the group's mean in the last bits only.
    off[np.abs(off) <= 1e-12 * scale[:, None]] = 0.0
    spread = float((off[0] ** 2).sum() * (off[1] ** 2).sum())
    if spread <= 0:
        return None
    return float(np.clip((off[0] * off[1]).sum() / np.sqrt(spread), -1, 1))


def _ranks_inside(values: _Floats, groups: NDArray[np.intp]) -> _Floats:
    """Rank values inside each group, ties sharing their mean rank."""
    ranked = np.empty(len(values))
    for group in np.unique(groups):
        here = np.flatnonzero(groups == group)
        ranked[here] = mean_ranks(values[here])
    return ranked
