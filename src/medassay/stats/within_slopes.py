"""How far one value moves with others inside a group."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from medassay.stats.clusters import cluster_index, sums_by_cluster
from medassay.stats.intervals import Interval

__all__ = ["WithinSlope", "within_slopes"]

_FEWEST_CLUSTERS = 3
_NOTHING = 1e-9

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class WithinSlope:
    """One slope.

    Attributes:
        slope: The change in y for one unit of x, others held; None where undefined.
        interval: Its interval; None where undefined.
        undefined: Why one of them is missing; empty where there are both.
    """

    slope: float | None
    interval: Interval | None
    undefined: str = ""


def within_slopes(
    y: NDArray[np.float64],
    x: NDArray[np.float64],
    groups: Sequence[Hashable],
    *,
    clusters: Sequence[Hashable] | None = None,
    estimand: str,
    level: float = 0.95,
) -> tuple[WithinSlope, ...]:
    """How far does y move with each column of x, compared only inside groups?

    Least squares after the mean of its group is taken from every value: y − ȳ_g = (x − x̄_g) β + e.
    Units of one cluster may depend on each other. Those with much spread in x pull the slope to
    themselves, so that their residuals look small: with M = (X'X)⁻¹, V = M (Σ_c X_c'A_c e_c
    e_c'A_c X_c) M, A_c = (I − X_c M X_c')^(−½) (CR2), and t has Satterthwaite's degrees of freedom
    as if units were independent. Clusters of one spread: C/(C − 1), on C − 1 degrees.

    Args:
        y: Shape (units,).
        x: Shape (units, columns).
        groups: For each unit its group.
        clusters: For each unit its cluster; groups must nest in it. The groups, if not given.
        estimand: What the intervals are for.
        level: Nominal coverage.

    Source: Bell & McCaffrey (2002), Survey Methodology 28(2); Pustejovsky & Tipton (2018),
    doi:10.1080/07350015.2016.1247004, also for why groups may be taken out first.

    Example:
        >>> y, x = np.array([1.0, 3, 5, 6, 0, 3]), np.array([[1.0], [2], [7], [8], [4], [5]])
        >>> [one] = within_slopes(y, x, list("aabbcc"), estimand="an example")
        >>> one.slope, round(one.interval.low, 2), round(one.interval.high, 2)
        (2.0, -0.48, 4.48)
    """
    from scipy.special import stdtrit

    columns = x.shape[1]
    flat = _centred(np.column_stack([y, x]), groups)
    left, right = flat[:, 0], flat[:, 1:]
    labels = list(groups if clusters is None else clusters)
    spread = np.flatnonzero(np.abs(right).sum(axis=1) > 0)
    count = len({labels[i] for i in spread})
    why = ""
    if count < _FEWEST_CLUSTERS:
        why = f"fewer than {_FEWEST_CLUSTERS} groups hold values that differ"
    elif np.linalg.matrix_rank(right) < columns:
        why = "the values cannot be told apart from each other inside groups"
    if why:
        return tuple(WithinSlope(None, None, why) for _ in range(columns))
    beta, error, freedom = _fit(left, right, cluster_index(labels, len(labels)))
    half = stdtrit(freedom, (1 + level) / 2) * error
    return tuple(
        WithinSlope(
            float(b), Interval(float(b - h), float(b + h), level, "t over clusters", estimand)
        )
        if np.isfinite(h)
        else WithinSlope(float(b), None, "one group alone holds the values that differ")
        for b, h in zip(beta, half, strict=True)
    )


def _fit(y: Floats, x: Floats, cluster: NDArray[np.int64]) -> tuple[Floats, Floats, Floats]:
    """Give slopes, their CR2 errors and their degrees of freedom; NaN where one cluster has all."""
    inverse = np.linalg.inv(x.T @ x)
    beta = inverse @ (x.T @ y)
    own = np.zeros((cluster.max() + 1, *inverse.shape))
    np.add.at(own, cluster, x[:, :, None] * x[:, None, :])
    pulls = np.zeros(own.shape[:2])
    np.add.at(pulls, cluster, x * (y - x @ beta)[:, None])
    # A_c X_c = X_c B_c, and B_c needs matrices of the size of the columns alone.
    root = np.linalg.cholesky(inverse)
    kept, vectors = np.linalg.eigh(np.eye(len(beta)) - root.T @ own @ root)
    all_held = kept < _NOTHING
    factors = np.where(all_held, 0.0, 1 / np.sqrt(np.where(all_held, 1.0, kept)))
    blown = root @ (vectors * factors[:, None, :]) @ vectors.transpose(0, 2, 1)
    blown = blown @ np.linalg.inv(root)
    forms = blown @ inverse  # what each cluster's residuals do to each slope, before X_c
    error = np.sqrt((np.einsum("ckj,ck->cj", forms, pulls) ** 2).sum(axis=0))
    felt = own @ forms
    alone = np.einsum("ckj,ckj->cj", forms, felt)
    shared = np.einsum("ckj,kl,clj->cj", felt, inverse, felt)
    together = np.einsum("ckj,clj->jkl", felt, felt) @ inverse
    trace = (alone - shared).sum(axis=0)
    square = (alone * (alone - 2 * shared)).sum(axis=0)
    square += np.einsum("jkl,jlk->j", together, together)
    lost = trace <= _NOTHING * np.diag(inverse)
    freedom = trace**2 / np.where(lost, 1.0, square)
    return beta, np.where(lost, np.nan, error), np.where(lost, np.nan, freedom)


def _centred(values: NDArray[np.float64], groups: Sequence[Hashable]) -> NDArray[np.float64]:
    index = cluster_index(groups, len(values))
    sizes = np.bincount(index)
    means = sums_by_cluster(values.T, groups) / sizes
    centred: NDArray[np.float64] = values - means.T[index]
    scale = np.abs(values).max(axis=0, initial=0.0)
    # What is equal inside its group differs from the group's mean in the last bits only.
    centred[np.abs(centred) <= 1e-12 * scale] = 0.0
    return centred
