"""The cases as chance might have given them: what every interval of agreement is made of."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from medassay.judgements import Units
from medassay.stats import bootstrap_counts, group_labels
from medassay.stats.clusters import cluster_index
from medassay.stats.seeding import Rng, as_generator

__all__ = ["CaseDraws", "draw_cases"]


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
