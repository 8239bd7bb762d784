"""How many systems and cases bring tau's interval under a width?"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.scores import Grid
from medassay.validity.separate import Spread, spread_of_grid
from medassay.validity.source import Source

MOST: Final = 100_000
_FEWEST_SYSTEMS: Final = 3


@dataclass(frozen=True, slots=True)
class Pairing:
    """A metric and the raters' consensus: how they vary, and how they vary together.

    Attributes:
        metric: Variance of the metric's scores.
        consensus: Variance of the consensus, one value an answer.
        together_system: Covariance of the systems' true means.
        together_cluster: Covariance of what systems do from cluster to cluster.
        together_case: Covariance from case to case.
        labels: The labels' own variance, where raters gave scores; its rater part moves the
            consensus as the number of labels changes.
        undefined: Why no width can be planned; empty where one can.
    """

    metric: Spread
    consensus: Spread
    together_system: float
    together_cluster: float
    together_case: float
    labels: Spread | None
    undefined: str = ""

    def correlation(self, cases: float, labels: float) -> float:
        """Give the expected correlation of the two columns of observed system means."""
        m, h = self.metric, self.consensus
        size = h.cluster_size
        shared = self.together_system + (self.together_cluster * size + self.together_case) / cases
        noise_m = (m.system_cluster * size + m.system_case) / cases
        noise_h = (h.system_cluster * size + h.system_case + self._from_labels(labels)) / cases
        spread = (m.family + m.system + noise_m) * (h.family + h.system + max(noise_h, 0.0))
        return float(np.clip(shared / np.sqrt(spread), -1, 1)) if spread > 0 else 0.0

    def _from_labels(self, labels: float) -> float:
        if self.labels is None:
            return 0.0
        apart = self.labels.residual + self.labels.rater
        return apart * (1 / labels - 1 / self.labels.labels)

    def effective_systems(self, systems: int) -> float:
        """Give how many independent systems so many of such families are worth."""
        h = self.consensus
        total = h.family + h.system
        alike = h.family / total if total > 0 else 0.0
        return systems / (1 + (h.family_size - 1) * alike)


def pair_spread(
    metric: Source,
    consensus: Source,
    labels: Spread | None = None,
    clusters: Mapping[str, str] | None = None,
    families: Mapping[str, str] | None = None,
) -> Pairing:
    """How do a metric and the consensus vary together over systems, clusters and cases?

    Covariances come from the components of the sum and the difference of the two, each divided by
    its standard deviation: cov = (σ²_{x+y} − σ²_{x−y}) / 4. A metric that is better when lower is
    turned round, and so is a consensus.
    """
    known = metric.grid.known & consensus.grid.known
    sign = metric.sign * consensus.sign
    sides = [np.where(known, sign * metric.grid.values, 0), np.where(known, consensus.grid.values,
             0)]  # fmt: skip
    scales = [float(side[known].std()) if known.any() else 0.0 for side in sides]
    if min(scales) <= 0:
        empty = spread_of_grid(_grid(metric.grid, np.zeros(known.shape), known & False))
        return Pairing(empty, empty, 0, 0, 0, labels, "one of the two does not vary")
    x, y = (side / scale for side, scale in zip(sides, scales, strict=True))
    spreads = [
        spread_of_grid(_grid(metric.grid, part, known), clusters, families)
        for part in (x, y, x + y, x - y)
    ]
    if spreads[0].undefined or spreads[1].undefined:
        return Pairing(spreads[0], spreads[1], 0, 0, 0, labels, spreads[0].undefined)
    plus, minus = spreads[2], spreads[3]
    system = (plus.family + plus.system - minus.family - minus.system) / 4
    why = ""
    if spreads[1].family + spreads[1].system <= 0 or spreads[0].family + spreads[0].system <= 0:
        why = "the systems differ no more than chance has them differ"
    return Pairing(
        spreads[0],
        spreads[1],
        system,
        (plus.system_cluster - minus.system_cluster) / 4,
        (plus.system_case - minus.system_case) / 4,
        None if labels is None else _scaled(labels, scales[1]),
        why,
    )


def tau_width(pairing: Pairing, systems: int, cases: int, labels: float) -> float:
    """How wide is a 95% interval for tau on new systems and new cases?

    2 · 1.96 · √Var τ where Var τ = 2/(n(n−1)) · [1 − (2/π · asin ρ)² + 2(n − 2)(1/9 −
    (2/π · asin(ρ/2))²)], the variance of tau of n pairs from a bivariate normal distribution with
    correlation ρ. ρ is that of the observed means, so it holds the noise of cases and raters; n is
    the number of systems that those of the study's families are worth. At most 2, tau's range.

    Source: Esscher (1924), doi:10.1080/03461238.1924.10405384; Kendall & Gibbons (1990), Rank
        Correlation Methods, chapter 10.
    """
    n = pairing.effective_systems(systems)
    if n < _FEWEST_SYSTEMS:
        return 2.0
    rho = pairing.correlation(cases, labels)
    whole, half = (2 / np.pi * np.arcsin(part) for part in (rho, rho / 2))
    variance = 2 / (n * (n - 1)) * (1 - whole**2 + 2 * (n - 2) * (1 / 9 - half**2))
    return float(min(2 * 1.959963984540054 * np.sqrt(max(variance, 0.0)), 2.0))


def cases_for_width(pairing: Pairing, width: float, systems: int, labels: float) -> int | None:
    """Give the fewest cases for these systems; None where no number of cases is enough."""
    return _fewest(lambda cases: tau_width(pairing, systems, cases, labels) <= width, 2)


def systems_for_width(pairing: Pairing, width: float, cases: int, labels: float) -> int | None:
    """Give the fewest systems on so many cases; None where 100,000 are too few."""
    return _fewest(
        lambda systems: tau_width(pairing, systems, cases, labels) <= width, _FEWEST_SYSTEMS
    )


def _fewest(enough: Callable[[int], bool], low: int) -> int | None:
    if enough(low):
        return low
    high = 2 * low
    while not enough(high):
        low, high = high, 2 * high
        if low > MOST:
            return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def _grid(like: Grid, values: NDArray[np.float64], known: NDArray[np.bool_]) -> Grid:
    return Grid(like.systems, like.cases, values, known)


def _scaled(spread: Spread, scale: float) -> Spread:
    square = scale**2
    return replace(spread, rater=spread.rater / square, residual=spread.residual / square)
