"""Sums by case, cases as chance might have given them, and what few do to an interval."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.judgements import Units
from medassay.scores import Reason, Unscored
from medassay.stats import bootstrap_counts, group_labels
from medassay.stats.intervals import cluster_index
from medassay.stats.randomness import Rng, as_generator

WEIGHTS: Final = ("none", "linear", "quadratic")


def case_sums(units: Units, statistics: NDArray[np.float64]) -> NDArray[np.float64]:
    """Sum rows of statistics, shape (units, p), within each case: shape (cases, p)."""
    size = len(units.cases)
    columns = (
        np.bincount(units.case, weights=statistic, minlength=size) for statistic in statistics.T
    )
    return np.stack(list(columns), axis=1)


def pairs_of_units(units: Units) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Count in each unit the pairs of labels that agree, and all pairs.

    Example:
        >>> agreeing, pairs = pairs_of_units(Units.from_codes([[0, 0, 1]], ["no", "yes"]))
        >>> agreeing.tolist(), pairs.tolist()
        ([1], [3])
    """
    squares = np.einsum("uj,uj->u", units.counts, units.counts)
    return (squares - units.sizes) // 2, units.sizes * (units.sizes - 1) // 2


def ratio(numerator: NDArray[np.float64], denominator: NDArray[np.float64]) -> NDArray[np.float64]:
    """Divide where the denominator is not 0; NaN elsewhere, for replicates without a value."""
    empty = np.full(np.broadcast_shapes(numerator.shape, denominator.shape), np.nan)
    np.divide(numerator, denominator, out=empty, where=denominator != 0)
    return empty


def distance_of_units(units: Units, costs: NDArray[np.float64]) -> NDArray[np.float64]:
    """Average in each unit the cost of its pairs of labels; every unit must hold a pair.

    d = Σⱼₖ cⱼₖ nⱼ nₖ / n(n − 1), with nⱼ how often label j was given and cⱼⱼ = 0.

    Example:
        >>> units = Units.from_codes([[0, 0, 1], [1, 1, -1]], ["no", "yes"])
        >>> distance_of_units(units, np.array([[0.0, 1.0], [1.0, 0.0]])).round(3).tolist()
        [0.667, 0.0]
    """
    counts = units.counts.astype(np.float64)
    n = counts.sum(axis=1)
    total: NDArray[np.float64] = ((counts @ costs) * counts).sum(axis=1) / (n * (n - 1))
    return total


def disagreement_weights(labels: int, weights: str = "none") -> NDArray[np.float64]:
    """Weigh each pair of labels by how far apart they stand in the list of labels.

    w = 0 where they are the same; elsewhere 1 (none), |i − j| (linear) or (i − j)² (quadratic),
    with i and j the positions of the labels. Scores play no part.

    Example:
        >>> disagreement_weights(3, "quadratic").tolist()
        [[0.0, 1.0, 4.0], [1.0, 0.0, 1.0], [4.0, 1.0, 0.0]]
    """
    place = np.arange(labels, dtype=np.float64)
    apart = np.abs(place[:, None] - place[None, :])
    power = {"none": 0.0, "linear": 1.0, "quadratic": 2.0}[weights]
    return np.where(apart > 0, apart**power, 0.0)


def shares_of_disagreement(labels: int, weights: str = "none") -> NDArray[np.float64]:
    """Give the same weights as shares of the largest: 1 for the two ends of the scale.

    Example:
        >>> shares_of_disagreement(3, "linear").tolist()
        [[0.0, 0.5, 1.0], [0.5, 0.0, 0.5], [1.0, 0.5, 0.0]]
    """
    costs = disagreement_weights(labels, weights)
    return costs / max(float(costs.max()), 1.0)


def weighted_costs(labels: int, weights: str) -> NDArray[np.float64] | None:
    """Give the same shares, or nothing where every difference counts as one."""
    return None if weights == "none" else shares_of_disagreement(labels, weights)


def misfit(units: Units, parameters: dict[str, str]) -> str:
    """Say why a weighted coefficient is not for labels without an order, or nothing."""
    if units.scale == "nominal" and parameters.get("weights", "none") != "none":
        return f"the labels {', '.join(units.labels)} have no order to weigh by"
    return ""


def paired_distances(
    units: Units, weights: str
) -> tuple[Units, int, NDArray[np.float64]] | Unscored:
    """Keep the answers with a pair of labels, and add up by case how far those stand apart.

    Returns:
        The answers, the number of labels on the scale, and for each case the summed distance and
        the number of answers, shape (cases, 2); or why there is nothing to compare.

    Example:
        >>> used, size, sums = paired_distances(
        ...     Units.from_codes([[0, 0], [0, 1], [1, -1]], ["no", "yes"]), "none")
        >>> len(used), size, sums.tolist()
        (2, 2, [[0.0, 1.0], [1.0, 1.0]])
    """
    used = units.with_labels(2)
    if not len(used):
        return Unscored(Reason.UNDEFINED, "no answer has labels of two raters")
    size = len(used.labels)
    if size < 2:  # noqa: PLR2004 - chance needs two labels
        return Unscored(Reason.UNDEFINED, "the scale has one label only")
    apart = distance_of_units(used, shares_of_disagreement(size, weights))
    return used, size, case_sums(used, np.column_stack([apart, np.ones(len(used))]))


def two_labels(units: Units, _parameters: dict[str, str]) -> str:
    """Say why a coefficient of two labels is not for these units, or nothing."""
    if len(units.labels) != 2:  # noqa: PLR2004 - its name says so
        return f"it is about two labels; the scale has {len(units.labels)}"
    return ""


_FEW: Final = 40
_MEASURED: Final = 10
# Fewer than so many cases, and what share of 95% intervals held in simulation.
_HELD: Final = ((15, "87 to 93"), (_FEW, "89 to 94"))


@dataclass(frozen=True, eq=False)
class CaseDraws:
    """Draws of the cases that hold an answer with two labels, in the order of `Units.cases`.

    Attributes:
        counts: How often each case is drawn with replacement, shape (replicates, cases).
        weights: How much each case weighs in a Bayesian bootstrap, shape (replicates, cases):
            independent, exponential with mean 1. The cases of a cluster share count and weight.
        seed: Draws the weights of prior answers (`gammas`).
    """

    counts: NDArray[np.float64]
    weights: NDArray[np.float64]
    seed: int

    def gammas(self, shapes: NDArray[np.float64]) -> NDArray[np.float64]:
        """Draw gamma variates, shape (replicates, shapes): the same whenever they are asked for."""
        rng = np.random.default_rng(self.seed)
        return rng.gamma(shapes, size=(len(self.counts), len(shapes)))


def draw_cases(
    read: Units,
    rng: Rng | None,
    replicates: int,
    clusters: Mapping[str, str] | None = None,
) -> CaseDraws | None:
    """Draw the cases that hold a pair of labels, if there is a generator to draw with.

    Args:
        read: The units.
        rng: The source of randomness; None: nothing is drawn.
        replicates: How many draws.
        clusters: Case to cluster; a case that is not named is a cluster alone.

    Example:
        >>> units = Units.from_codes([[0, 0], [0, 1], [1, -1]], ["no", "yes"])
        >>> draws = draw_cases(units, np.random.default_rng(1), 5)
        >>> draws.counts.shape, draws.weights.shape
        ((5, 2), (5, 2))
    """
    rng = as_generator(rng)
    cases = read.with_labels(2).cases
    if rng is None or not cases:
        return None
    groups = group_labels(cases, clusters)
    # The other draws come from a generator of their own: they move nothing that is drawn from rng.
    other = rng.spawn(1)[0]
    place = cluster_index(groups, len(cases))
    weights = other.exponential(size=(replicates, int(place.max()) + 1))
    return CaseDraws(
        counts=bootstrap_counts(len(cases), replicates, rng, groups),
        weights=weights[:, place],
        seed=int(other.integers(2**63)),
    )


def few_cases(cases: Iterable[int]) -> str:
    """Say that intervals over so few cases are too narrow, or nothing.

    Args:
        cases: The number of cases behind each interval.

    Example:
        >>> few_cases([120, 45])
        ''
        >>> few_cases([120, 12])
        'With fewer than 40 cases (here as few as 12) a 95% CI holds the truth in about 87 \
to 93% of studies: it is too narrow.'
    """
    least = min((n for n in cases if n > 0), default=_FEW)
    held = next((share for few, share in _HELD if least < few), "")
    if not held:
        return ""
    if least < _MEASURED:
        return (
            f"Some intervals rest on as few as {least} cases: they are too narrow, and how far was "
            f"not measured for fewer than {_MEASURED} cases."
        )
    return (
        f"With fewer than {_FEW} cases (here as few as {least}) a 95% CI holds the truth in "
        f"about {held}% of studies: it is too narrow."
    )
