"""Does the bound of harm hold where clusters are unequal, and large ones worse?

    python simulations/harm_clusters.py [STUDIES]

Sizes of clusters are fixed, and clusters are independent. *Alike* is the correlation between two
answers of one cluster (0: independent; 1: a cluster is harmful as a whole or not at all); between,
each cluster has a chance of its own from a beta distribution. The truth is the share of answers
that is harmful on average, for these sizes. *Before* is the bound of the share of clusters that
hold any harm; *Korn-Graubard* has n²/Σm² answers at most until five clusters hold harm; *now* is
`share_bounds`.
"""

import sys
from itertools import product
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from page_table import percent, put_table
from scipy.special import betaincinv, stdtrit

from medassay.stats import moments
from medassay.stats.rare_harm import share_bounds

STUDIES: Final = 1000
SEED: Final = 27182
TAIL: Final = 0.05
LARGE: Final = 50
FEW: Final = 5
PAGE: Final = Path(__file__).parents[1] / "simulations" / "harm-clusters.md"


class Design(NamedTuple):
    """Clusters, and how often their answers are harmful.

    Attributes:
        clusters: How many.
        large: Of them of 50 answers.
        small: Answers of each of the others.
        harm: Share of harmful answers in the large ones, and in the others.
        alike: The correlation between two answers of one cluster.
    """

    clusters: int
    large: int
    small: int
    harm: tuple[float, float]
    alike: float

    @property
    def sizes(self) -> NDArray[np.intp]:
        """Give the size of each cluster."""
        return np.repeat([LARGE, self.small], [self.large, self.clusters - self.large])

    @property
    def shares(self) -> NDArray[np.float64]:
        """Give the true share of each cluster."""
        return np.repeat(self.harm, [self.large, self.clusters - self.large])


ALIKE: Final = ((0.1, 0.0), (0.1, 0.5), (0.1, 1.0), (0.2, 1.0))
"""Harm in the large clusters, and how alike their answers are."""
DESIGNS: Final = (
    *(Design(n, 0, 1, (0.0, p), 0.0) for n in (40, 100, 200) for p in (0.005, 0.1, 0.2)),
    *(
        Design(n, 0, small, (0.0, p), alike)
        for n, small, (p, alike) in product((40, 100, 200), (5, 20), ALIKE)
    ),
    *(
        Design(n, large, small, (p, 0.005), alike)
        for n, large, small, (p, alike) in product((40, 100, 200), (1, 2, 4, 10), (1, 4), ALIKE)
    ),
)


class Rates(NamedTuple):
    """Shares of studies whose bound is under the truth, and what was found and bounded.

    Attributes:
        before: By clusters with any harm.
        korn: Korn and Graubard's with few clusters all alike.
        now: `share_bounds`.
        under_found: Of *before*, under the share that was found.
        median: Of *now*.
    """

    before: float
    korn: float
    now: float
    under_found: float
    median: float


def draw(
    design: Design, rng: np.random.Generator, studies: int
) -> tuple[NDArray[np.bool_], list[int]]:
    """Draw harm, shape (studies, answers), and the cluster of each answer."""
    shares = np.broadcast_to(design.shares, (studies, design.clusters))
    if design.alike == 1:
        chance = (rng.random(shares.shape) < shares).astype(np.float64)
    elif design.alike:
        both = (1 - design.alike) / design.alike
        chance = rng.beta(shares * both, (1 - shares) * both)
    else:
        chance = shares
    labels = np.repeat(np.arange(design.clusters), design.sizes)
    return rng.random((studies, labels.size)) < chance[:, labels], labels.tolist()


def rates(design: Design, rng: np.random.Generator, studies: int = STUDIES) -> Rates:
    """Simulate studies of a design."""
    harmful, labels = draw(design, rng, studies)
    truth = float(design.sizes @ design.shares) / len(labels) - 1e-12
    starts = np.cumsum(design.sizes) - design.sizes
    struck = np.logical_or.reduceat(harmful, starts, axis=1).sum(axis=1)
    before = _upper(struck / design.clusters, np.full(studies, float(design.clusters)))
    korn, now = _korn(harmful, labels, struck, design), share_bounds(harmful, labels, TAIL)
    of_before, of_korn, of_now = (float((bound < truth).mean()) for bound in (before, korn, now))
    under = float((before < harmful.mean(axis=1)).mean())
    return Rates(of_before, of_korn, of_now, under, float(np.median(now)))


def _korn(
    harmful: NDArray[np.bool_], labels: list[int], struck: NDArray[np.int64], design: Design
) -> NDArray[np.float64]:
    n = float(len(labels))
    known = np.ones(harmful.shape, dtype=np.bool_)
    estimates = moments(harmful.astype(np.float64), known, labels)
    share = estimates.mean
    with np.errstate(invalid="ignore", divide="ignore"):
        ratio = stdtrit(n - 1, 1 - TAIL) / stdtrit(estimates.freedom, 1 - TAIL)
        worth = share * (1 - share) / estimates.clumped_error**2 * ratio**2
    worth = np.where(np.isfinite(worth), np.minimum(worth, n), n)
    alike = n**2 / float((design.sizes.astype(np.float64) ** 2).sum())
    return _upper(share, np.where(struck < FEW, np.minimum(worth, alike), worth))


def _upper(share: NDArray[np.float64], worth: NDArray[np.float64]) -> NDArray[np.float64]:
    k = share * worth
    with np.errstate(invalid="ignore"):
        upper: NDArray[np.float64] = np.where(
            share < 1, betaincinv(k + 1, worth - k, 1 - TAIL), 1.0
        )
    return upper


def table(studies: int = STUDIES) -> list[str]:
    """Make the page's table."""
    lines = [
        (
            "| clusters | sizes | harmful | alike | true share | before | before, under found "
            "| Korn-Graubard | now | median now |"
        ),
        "| ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    for at, design in enumerate(DESIGNS):
        of = rates(design, np.random.default_rng([SEED, at]), studies)
        truth = float(design.sizes @ design.shares) / design.sizes.sum()
        mixed = f"{design.large} of {LARGE}, else {design.small}"
        sizes = mixed if design.large else f"all of {design.small}"
        harm = " and ".join(f"{p:g}" for p in design.harm if p)
        cells = [
            f"{truth:.3f}",
            *(percent(rate, studies) for rate in (of.before, of.under_found, of.korn, of.now)),
            f"{of.median:.3f}",
        ]
        lines.append(
            f"| {design.clusters} | {sizes} | {harm} | {design.alike:g} | {' | '.join(cells)} |"
        )
    return lines


if __name__ == "__main__":
    put_table(PAGE, table(int(sys.argv[1]) if len(sys.argv) > 1 else STUDIES))
