"""One point a family: variants of one pipeline are one system."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from math import atanh, sqrt, tanh
from statistics import NormalDist
from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.annotations import PValue, Words, record
from medassay.stats import FEWEST_WITHOUT_TWO, dense_ranks, holm, pair_index, tau_p_without_any_two
from medassay.stats.intervals import cluster_index, group_labels
from medassay.stats.randomness import stream
from medassay.validity.block import Block

Floats = NDArray[np.float64]


def family_means(means: Floats, labels: list[tuple[bool, str]]) -> Floats:
    """Give the mean of each family's system means.

    Args:
        means: Shape (sources, systems).
        labels: The family of each system, as `stats.group_labels` gives it.

    Returns:
        Shape (sources, families).
    """
    index = cluster_index(labels, means.shape[1])
    count = np.bincount(index)
    return np.array([np.bincount(index, weights=row) / count for row in means])


RANK_TAU: Final = 0.5
"""True tau from which a metric may rank: three of four pairs of systems in the raters' order."""
_DRAWS: Final = 100_000
_DRAWN_UP_TO: Final = 40
_FREEDOM: Final = 2
"""Of the t distribution that systems are drawn from: some lie far from the rest in all columns."""
_WIDER: Final = 1.33
"""So much wider than from a normal one is the spread of artanh(tau) then."""
_CHUNK_CELLS: Final = 2_000_000


def rank_bar(systems: int, tests: int, *, level: float = 0.95) -> float | None:
    """What tau does the best of so many metrics reach whose true tau is 0.50?

    The value that the best of `tests` taus stays at or below in a share of `level` of all studies,
    each over systems drawn from a bivariate t distribution of 2 degrees of freedom with a tau of
    0.50, that is a correlation of sin(π/4): the quantile of one tau at level^(1/tests). Systems
    that lie far from the rest in all columns carry more of tau than those of a normal distribution,
    and nothing shows of a few which they are. Up to 40 systems it is the quantile of 100,000
    studies drawn from one fixed stream, so that it is the same for everybody, as out of a printed
    table; above, tanh(artanh(0.50) + 1.33·z·√Var/.75), which lies 0.01 higher at most, with the
    variance of normal systems, Var = 2/(n(n−1)) · [1 − 0.25 + 2(n − 2)(1/9 − (2/π · asin(ρ/2))²)].

    Systems are independent draws: variants of one family count once. What the bar does not cover is
    a kind of system that the metric misjudges and that is not among those there are.

    Args:
        systems: Systems, a family counted once.
        tests: Metrics times dimensions that one could pick from.
        level: The share.

    Returns:
        The bar, in (0, 1): a metric that may rank lies above. None where no tau can, since a tau
        of 1 is reached by luck too often.

    Source: the variance: Esscher (1924), doi:10.1080/03461238.1924.10405384.

    Example:
        >>> rank_bar(6, 5), rank_bar(12, 5)
        (None, 0.8787878787878788)
        >>> round(rank_bar(60, 5), 2)
        0.67
    """
    if systems < 3:  # noqa: PLR2004 - tau needs three
        return None
    share = level ** (1 / max(1, tests))
    if systems <= _DRAWN_UP_TO:
        pairs = systems * (systems - 1) // 2
        bar = float(np.quantile(_excesses(systems), share, method="higher")) / pairs
    else:
        spread = _WIDER * sqrt(_variance(systems)) / (1 - RANK_TAU**2)
        bar = tanh(atanh(RANK_TAU) + NormalDist().inv_cdf(share) * spread)
    return bar if bar < 1 else None


@lru_cache(maxsize=_DRAWN_UP_TO)
def _excesses(systems: int) -> NDArray[np.int64]:
    """Draw concordant less discordant pairs of two columns with a true tau of 0.50."""
    rng = stream(0, "s59", str(systems))
    correlation = np.sin(np.pi / 2 * RANK_TAU)
    first, second = pair_index(systems)
    excesses = np.empty(_DRAWS, dtype=np.int64)
    chunk = max(1, _CHUNK_CELLS // first.size)
    for start in range(0, _DRAWS, chunk):
        size = min(chunk, _DRAWS - start)
        raters, own = rng.normal(size=(2, size, systems))
        scale = 1 / np.sqrt(rng.chisquare(_FREEDOM, size=(size, systems)))
        metric = (correlation * raters + np.sqrt(1 - correlation**2) * own) * scale
        raters = raters * scale
        alike = (raters[:, first] < raters[:, second]) == (metric[:, first] < metric[:, second])
        excesses[start : start + size] = 2 * np.count_nonzero(alike, axis=1) - first.size
    excesses.flags.writeable = False
    return excesses


def _variance(n: int) -> float:
    half = 2 / np.pi * np.arcsin(np.sin(np.pi / 2 * RANK_TAU) / 2)
    spread = 1 - RANK_TAU**2 + 2 * (n - 2) * (1 / 9 - half**2)
    return float(2 / (n * (n - 1)) * spread)


_RAREST: Final = 1e-9


@record(infers=True)
class OrderTest:
    """What the order of the systems shows, families of variants counted once.

    Attributes:
        systems: Systems; those of one family are one, their mean.
        tests: Metrics times dimensions of the study that have such a test.
        p: Two-sided, of tau: the largest over leaving out none, any one and any two; 1 where what
            is left is ordered against the raters.
        p_adjusted: After Holm over all metrics and dimensions.
        bar: A metric that ranks has a tau above it: what the best of `tests` metrics with a true
            tau of 0.50 reaches in 95% of studies. None where no tau is above it.
        undefined: Why there is no p; empty where there is one.
    """

    systems: int
    tests: int = 0
    p: PValue | None = None
    p_adjusted: PValue | None = None
    bar: float | None = None
    undefined: Words = ""


def order_test(
    block: Block, metric: int, consensus: int, families: Mapping[str, str] | None
) -> OrderTest:
    """Does a metric order the systems as the raters do whichever two are left out?

    See `stats.tau_p_without_any_two`. `p_adjusted`, `tests` and `bar` are still empty: they count
    what is not in a block.

    Args:
        block: The answers that both know; higher is better in each.
        metric: The metric's position in the block.
        consensus: The consensus's.
        families: System to family; a system that is not named is a family alone.
    """
    labels = group_labels(block.systems, families)
    count = len(set(labels))
    if not block.adjustment.linked:
        return OrderTest(count, undefined=block.adjustment.undefined)
    kind = "systems" if count == len(block.systems) else "families of systems"
    if count < FEWEST_WITHOUT_TWO:
        why = f"not to be had under {FEWEST_WITHOUT_TWO} {kind}; there are {count}"
        return OrderTest(count, undefined=why)
    at = metric, len(block.metrics) + consensus
    points = family_means(block.means[list(at)], labels)
    scales = np.abs(block.values[list(at)]).max(axis=(1, 2), initial=0.0).tolist()
    ranks = [dense_ranks(own, scale=scale) for own, scale in zip(points, scales, strict=True)]
    p = tau_p_without_any_two(*ranks)
    if p is None:
        why = block.why_no_order(metric, consensus, ("it gives", "the raters give"))
        return OrderTest(count, undefined=why or "the families do not differ in both")
    return OrderTest(count, p=max(p, _RAREST))


def order_tests_over_all(tests: Sequence[OrderTest]) -> list[OrderTest]:
    """Adjust the p of tests by Holm over all that have one, and give each its bar.

    Who picks a metric picks it from all metrics and dimensions of a study.

    Example:
        >>> tests = [OrderTest(16, p=p) for p in (0.01, 0.03)] + [OrderTest(4)]
        >>> [(test.p_adjusted, test.bar) for test in order_tests_over_all(tests)]
        [(0.02, 0.7833333333333333), (0.03, 0.7833333333333333), (None, None)]
    """
    known = [test.p for test in tests if test.p is not None]
    adjusted = iter(holm(known).tolist())
    return [
        test
        if test.p is None
        else replace(
            test,
            tests=len(known),
            p_adjusted=next(adjusted),
            bar=rank_bar(test.systems, len(known)),
        )
        for test in tests
    ]
