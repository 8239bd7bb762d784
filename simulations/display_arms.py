"""Do intervals of win differences by arm of display hold? A seeded simulation.

    python simulations/display_arms.py

Two systems are compared in two arms. Each comparison falls into either arm by a lot, as a campaign
draws it. In each case (or cluster of cases) the first system is better or worse than elsewhere by a
draw of its own, SD as given on the logit scale, the same in both arms, and by half as much more in
each arm. One comparison in five is a tie. The truth is what endless cases would give.
"""

from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray
from page_table import put_table

from medassay.stats import ratio_difference, ratio_mean

SETTINGS: Final = (
    (10, 1, 6, 0.8),
    (20, 1, 6, 0.8),
    (50, 1, 2, 0.8),
    (50, 1, 6, 0.8),
    (10, 8, 4, 0.8),
    (25, 8, 4, 0.8),
    (200, 1, 2, 0.8),
)
STUDIES: Final = 2000
SEED: Final = 5290
TIES: Final = 0.2
SAME: Final = (0.4, 0.4)
OTHER: Final = (0.9, 0.0)
PAGE: Final = Path(__file__).parents[1] / "simulations" / "display-arms.md"
Floats = NDArray[np.float64]


def study(
    rng: np.random.Generator, clusters: int, size: int, each: int, sd: float, lead: Floats
) -> tuple[Floats, list[int]]:
    """Draw one study: of each arm and case Σ and count of comparisons; and each case's cluster."""
    cluster = np.repeat(np.arange(clusters), size)
    shared = sd * rng.normal(size=clusters)[cluster]
    own = sd / 2 * rng.normal(size=(2, clusters))[:, cluster]
    chance = 1 / (1 + np.exp(-(lead[:, None] + shared + own)))
    arm = rng.integers(0, 2, size=(len(cluster), each))
    sums = np.zeros((2, len(cluster), 2))
    first = rng.random(arm.shape) < np.where(arm == 0, chance[0][:, None], chance[1][:, None])
    won = np.where(rng.random(arm.shape) < TIES, 0.0, np.where(first, 1.0, -1.0))
    for place in (0, 1):
        sums[place, :, 0] = (won * (arm == place)).sum(axis=1)
        sums[place, :, 1] = (arm == place).sum(axis=1)
    return sums, cluster.tolist()


def truth(sd: float, lead: Floats) -> Floats:
    """Give the win differences of endless cases."""
    rng = np.random.default_rng([SEED, 1])
    effect = np.hypot(sd, sd / 2) * rng.normal(size=2_000_000)
    chance = 1 / (1 + np.exp(-(lead[:, None] + effect)))
    wins: Floats = 2 * chance.mean(axis=1) - 1
    return (1 - TIES) * wins


def rates(clusters: int, size: int, each: int, sd: float) -> list[float]:
    """Count in percent: an arm's interval holds, the difference's holds, and how often it is told.

    Told apart is p < .05: where the arms are equal, and where they are not.
    """
    held = np.zeros(4)
    for row, leads in enumerate((SAME, OTHER)):
        lead = np.array(leads)
        true = truth(sd, lead)
        for number in range(STUDIES):
            rng = np.random.default_rng([SEED, clusters, size, each, row, number])
            sums, named = study(rng, clusters, size, each, sd, lead)
            arm = ratio_mean(sums[0], named).interval
            apart = ratio_difference(sums[1], sums[0], named)
            gap = true[1] - true[0]
            inside = apart.interval is not None and apart.interval.low <= gap <= apart.interval.high
            if row == 1:
                held[0] += arm is not None and arm.low <= true[0] <= arm.high
                held[1] += inside
            held[2 + row] += apart.p is not None and apart.p < 0.05  # noqa: PLR2004 - the level
    return [100 * float(count) / STUDIES for count in held]


def main() -> None:
    """Write the table between the page's marks."""
    head = ["clusters", "cases in each", "comparisons of a case", "SD", "an arm", "difference"]
    head += ["told apart, equal", "told apart, unequal"]
    lines = [f"| {' | '.join(head)} |", f"| {' | '.join(['---'] * len(head))} |"]
    for clusters, size, each, sd in SETTINGS:
        found = " | ".join(f"{rate:.1f}" for rate in rates(clusters, size, each, sd))
        lines.append(f"| {clusters} | {size} | {each} | {sd} | {found} |")
        print(lines[-1], flush=True)
    put_table(PAGE, lines)


if __name__ == "__main__":
    main()
