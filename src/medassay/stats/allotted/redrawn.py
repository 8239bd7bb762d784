"""Could chance have dealt out the cases so? Exact, where few values differ from the commonest."""

from dataclasses import dataclass
from itertools import product
from typing import Final

import numpy as np
from numpy.typing import NDArray

__all__ = ["Redrawn", "redrawn"]

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

_FEWEST: Final = 10
"""Values of a system that differ from its commonest: from so many on a t test holds."""
_MOST_PATTERNS: Final = 100_000
_RIGHT_OR_WRONG: Final = 2
_TIED: Final = 1e-9


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
