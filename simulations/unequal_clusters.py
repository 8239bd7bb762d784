"""Do intervals of a share hold where clusters of cases are unequal?

    python simulations/unequal_clusters.py

Each cluster has a chance of its own from a beta distribution, and each of its answers is a hit with
that chance; *alike* is the correlation between two answers of one cluster. *Before* has the
clustered standard error with the factor C/(C - 1) on C - 1 degrees of freedom; *unclumped* has the
error of now without its care for what is rare and comes in clumps; *now* is what
`means_over_cases` (Wilson) and `clustered_share` (Korn-Graubard) give.
"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from page_table import percent, put_table

from medassay.stats import Interval, clustered_share
from medassay.stats.intervals import sums_by_cluster
from medassay.stats.means import Moments, bounded_intervals, moments

SIMULATIONS: Final = 4000
SHARES: Final = 1000
"""Studies for `clustered_share`, which is computed one at a time."""
SEED: Final = 16180
SIZES: Final = {
    "10 of 20": (20,) * 10,
    "40 of 5": (5,) * 40,
    "20 of 1, 2 or 20": (1, 2, 20, 20, 1) * 4,
    "60, and 39 of 4": (60, *(4,) * 39),
    "80, 40, 20, 15, 10, 10, 8, 7, 5, 5": (80, 40, 20, 15, 10, 10, 8, 7, 5, 5),
    "60, and 9 of 4": (60, *(4,) * 9),
}
TRUE_SHARES: Final = (0.02, 0.05, 0.1, 0.3)
ALIKE: Final = (0.1, 0.5, 0.9)
PAGE: Final = Path(__file__).parents[1] / "simulations" / "unequal-clusters.md"


class Coverage(NamedTuple):
    """Shares of simulated studies whose nominal 95 % interval holds the true share.

    Attributes:
        before: Wilson's interval by the old standard error.
        unclumped: Wilson's interval by the error of now, however few clusters hold a hit.
        wilson: Wilson's interval.
        korn: Korn and Graubard's.
    """

    before: float
    unclumped: float
    wilson: float
    korn: float


def coverage(
    sizes: tuple[int, ...],
    share: float,
    alike: float,
    rng: np.random.Generator,
    simulations: int = SIMULATIONS,
) -> Coverage:
    """Simulate studies with clusters of these sizes."""
    hits, labels = draw(sizes, share, alike, rng, simulations)
    now = moments(hits.astype(np.float64), np.ones(hits.shape, dtype=np.bool_), labels)
    before, unclumped, wilson = (
        _held(bounded_intervals(these, (0.0, 1.0), estimand="simulated"), share)
        for these in (_before(now, hits, labels), replace(now, clumped_error=now.error), now)
    )
    korn = [clustered_share(row, labels, estimand="simulated") for row in hits[:SHARES]]
    return Coverage(before, unclumped, wilson, _held(korn, share))


def draw(
    sizes: tuple[int, ...], share: float, alike: float, rng: np.random.Generator, simulations: int
) -> tuple[NDArray[np.bool_], list[int]]:
    """Draw hits, shape (simulations, answers), and the cluster of each answer."""
    labels = np.repeat(np.arange(len(sizes)), sizes)
    both = (1 - alike) / alike
    chance = rng.beta(share * both, (1 - share) * both, size=(simulations, len(sizes)))
    return rng.random((simulations, labels.size)) < chance[:, labels], labels.tolist()


def _before(now: Moments, hits: NDArray[np.bool_], labels: list[int]) -> Moments:
    """Give the standard error as it was, on C - 1 degrees of freedom."""
    sums = sums_by_cluster(hits - now.mean[:, None], labels)
    count = sums.shape[1]
    error = np.sqrt((sums**2).sum(axis=1) * count / (count - 1)) / hits.shape[1]
    return replace(now, clumped_error=error, freedom=np.full(len(error), count - 1.0))


def _held(made: Sequence[tuple[Interval | None, str]], share: float) -> float:
    """Count the intervals that hold the share, of those that there are."""
    return float(np.mean([i.low <= share <= i.high for i, _ in made if i is not None]))


def table() -> list[str]:
    """Make the page's table."""
    lines = [
        "| clusters | share | alike | Wilson before | unclumped | now | Korn-Graubard now |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    rng = np.random.default_rng(SEED)
    for title, sizes in SIZES.items():
        for share in TRUE_SHARES:
            for alike in ALIKE:
                these = coverage(sizes, share, alike, rng)
                counts = (SIMULATIONS, SIMULATIONS, SIMULATIONS, SHARES)
                cells = [percent(rate, n) for rate, n in zip(these, counts, strict=True)]
                lines.append(f"| {title} | {share} | {alike} | " + " | ".join(cells) + " |")
    return lines


if __name__ == "__main__":
    put_table(PAGE, table())
