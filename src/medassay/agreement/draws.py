"""The cases as chance might have given them, and what few cases do to an interval."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.judgements import Units
from medassay.stats import bootstrap_counts, group_labels
from medassay.stats.clusters import cluster_index
from medassay.stats.randomness import Rng, as_generator

__all__ = ["CaseDraws", "draw_cases", "few_cases"]

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
        'With fewer than 40 cases (here as few as 12) a 95% interval holds the truth in about 87 \
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
        f"With fewer than {_FEW} cases (here as few as {least}) a 95% interval holds the truth in "
        f"about {held}% of studies: it is too narrow."
    )
