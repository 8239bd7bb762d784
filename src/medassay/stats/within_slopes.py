"""How far one value moves with others inside a group."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from medassay.stats.clusters import cluster_index, sums_by_cluster
from medassay.stats.intervals import Interval

__all__ = ["WithinSlope", "within_slopes"]

_FEWEST_CLUSTERS = 3


@dataclass(frozen=True, slots=True)
class WithinSlope:
    """One slope.

    Attributes:
        slope: The change in y for one unit of x, others held; None where undefined.
        interval: Its interval; None where undefined.
        undefined: Why there is none; empty where there is one.
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
    Units of one cluster may depend on each other: V = (X'X)⁻¹ (Σ_c X_c'e_c e_c'X_c) (X'X)⁻¹ ·
    C/(C − 1), over the C clusters with any spread in x; t with C − 1 degrees of freedom.

    Args:
        y: Shape (units,).
        x: Shape (units, columns).
        groups: For each unit its group.
        clusters: For each unit its cluster; groups must nest in it. The groups, if not given.
        estimand: What the intervals are for.
        level: Nominal coverage.

    Source: Liang & Zeger (1986), doi:10.1093/biomet/73.1.13.

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
    inverse = np.linalg.inv(right.T @ right)
    beta = inverse @ (right.T @ left)
    pulls = sums_by_cluster((right * (left - right @ beta)[:, None]).T, labels)
    variance = inverse @ (pulls @ pulls.T) @ inverse * count / (count - 1)
    half = float(stdtrit(count - 1, (1 + level) / 2)) * np.sqrt(np.diag(variance))
    return tuple(
        WithinSlope(
            float(b), Interval(float(b - h), float(b + h), level, "t over clusters", estimand)
        )
        for b, h in zip(beta, half, strict=True)
    )


def _centred(values: NDArray[np.float64], groups: Sequence[Hashable]) -> NDArray[np.float64]:
    index = cluster_index(groups, len(values))
    sizes = np.bincount(index)
    means = sums_by_cluster(values.T, groups) / sizes
    centred: NDArray[np.float64] = values - means.T[index]
    scale = np.abs(values).max(axis=0, initial=0.0)
    # What is equal inside its group differs from the group's mean in the last bits only.
    centred[np.abs(centred) <= 1e-12 * scale] = 0.0
    return centred
