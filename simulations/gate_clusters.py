"""How often is the gate wrong where clusters of cases are unequal?

    python simulations/gate_clusters.py

Differences are normal with SD .12, half or all of their variance shared within a cluster. Without a
loss "worse" is wrong, with a loss of the margin "metric not worse" is. *Before* is the clustered
standard error with the factor C/(C - 1) on C - 1 degrees of freedom; *after* is `paired_gates`.
"""

from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from page_table import percent, put_table

from medassay.stats import paired_gates
from medassay.stats.intervals import sums_by_cluster

MARGIN: Final = 0.02
ERROR: Final = 0.025
SPREAD: Final = 0.12
SIMULATIONS: Final = 4000
SEED: Final = 27182
SIZES: Final = {
    "10 of 20": (20,) * 10,
    "20 of 5": (5,) * 20,
    "4 of 25": (25,) * 4,
    "20 of 1, 2 or 20": (1, 2, 20, 20, 1) * 4,
    "80, 40, 20, 15, 10, 10, 8, 7, 5, 5": (80, 40, 20, 15, 10, 10, 8, 7, 5, 5),
    "30, 20, 20, 10, 10, 10": (30, 20, 20, 10, 10, 10),
    "60, and 9 of 4": (60, *(4,) * 9),
    "60, and 39 of 4": (60, *(4,) * 39),
}
SHARED: Final = (0.0, 0.5, 1.0)
PAGE: Final = Path(__file__).parents[1] / "simulations" / "gate-clusters.md"


class Rates(NamedTuple):
    """Shares of simulated pairs of versions.

    Attributes:
        before: Worse without a loss, by the old standard error.
        worse: Worse without a loss.
        not_worse: Metric not worse with a loss of the margin.
        no_answer: Undecided at once, since the clusters are too few or too unequal.
    """

    before: float
    worse: float
    not_worse: float
    no_answer: float


def rates(
    sizes: tuple[int, ...], shared: float, rng: np.random.Generator, simulations: int = SIMULATIONS
) -> Rates:
    """Simulate pairs of versions whose cases come in clusters of these sizes."""
    drawn, labels = differences(sizes, shared, rng, simulations)
    old = paired_before(drawn, labels)
    level = paired_gates(drawn, margin=MARGIN, clusters=labels)
    lost = paired_gates(drawn - MARGIN, margin=MARGIN, clusters=labels)
    worse = [one.p_worse is not None and one.p_worse <= ERROR for one in level]
    fine = [one.p_not_worse is not None and one.p_not_worse <= ERROR for one in lost]
    silent = [one.p_worse is None for one in level]
    shares = [float(np.mean(one)) for one in (old <= ERROR, worse, fine, silent)]
    return Rates(*shares)


def differences(
    sizes: tuple[int, ...], shared: float, rng: np.random.Generator, simulations: int
) -> tuple[NDArray[np.float64], list[int]]:
    """Draw differences without a loss, shape (simulations, cases), and the cluster of each case."""
    labels = np.repeat(np.arange(len(sizes)), sizes)
    common = rng.normal(size=(simulations, len(sizes)))[:, labels]
    own = rng.normal(size=(simulations, len(labels)))
    return SPREAD * (np.sqrt(shared) * common + np.sqrt(1 - shared) * own), labels.tolist()


def paired_before(drawn: NDArray[np.float64], labels: list[int]) -> NDArray[np.float64]:
    """Test for a loss with the factor C/(C - 1) and C - 1 degrees of freedom."""
    from scipy.special import stdtr

    mean = drawn.mean(axis=1)
    sums = sums_by_cluster(drawn - mean[:, None], labels)
    clusters = sums.shape[1]
    error = np.sqrt((sums**2).sum(axis=1) * clusters / (clusters - 1)) / drawn.shape[1]
    return np.asarray(stdtr(clusters - 1, mean / error))


def table() -> list[str]:
    """Make the page's table."""
    lines = [
        "| clusters | shared variance | before | worse | metric not worse | no answer |",
        "| --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    rng = np.random.default_rng(SEED)
    for title, sizes in SIZES.items():
        for shared in SHARED:
            found = rates(sizes, shared, rng)
            cells = [percent(share, SIMULATIONS) for share in found]
            lines.append(f"| {title} | {shared:.1f} | " + " | ".join(cells) + " |")
    return lines


if __name__ == "__main__":
    put_table(PAGE, table())
