"""Do the intervals of a rater's favouring hold? A seeded simulation.

    python simulations/coverage_favouring.py

Nobody favours anybody: three raters see an answer's worth (case and system apart) with noise of
their own, round it to a scale of five, and the first is compared with the mean of the other two.
The truth is 0 for each system. Each rater labels every system on SHARE of the cases.
"""

from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray
from page_table import put_table

from medassay.stats import bootstrap_counts, percentile_interval
from medassay.validity.diagnostics import difference_of_means, gap_interval

SETTINGS: Final = ((10, 3, 1.0), (20, 6, 1.0), (40, 6, 1.0), (40, 12, 0.25), (100, 6, 0.25))
SIMULATIONS: Final = 2000
REPLICATES: Final = 400
SEED: Final = 80808
ESTIMAND: Final = "this rater, new cases"
PAGE: Final = Path(__file__).parents[1] / "simulations" / "coverage-favouring.md"


def sums(rng: np.random.Generator, cases: int, systems: int, share: float) -> NDArray[np.float64]:
    """Make one rater's sums by case for the first system: Σx, n, Σy, n, x the gaps on it."""
    worth = 0.7 * rng.normal(size=(cases, 1)) + 0.8 * rng.normal(size=(cases, systems))
    seen = worth[:, :, None] + 0.9 * rng.normal(size=(cases, systems, 3))
    label = np.clip(np.round(3 + seen), 1, 5)
    gap = label[:, :, 0] - label[:, :, 1:].mean(axis=2)
    judged = rng.random((cases, systems)) < share
    gap = np.where(judged, gap, 0.0)
    rest = gap[:, 1:].sum(axis=1), judged[:, 1:].sum(axis=1)
    return np.stack([gap[:, 0], judged[:, 0], *rest], axis=1).astype(np.float64)


def coverage(cases: int, systems: int, share: float, simulations: int = SIMULATIONS) -> str:
    """Count how often either interval holds 0, in percent of the studies where it exists."""
    rng = np.random.default_rng([SEED, cases, systems])
    held = {"t": 0, "percentile": 0}
    there = {"t": 0, "percentile": 0}
    for _ in range(simulations):
        drawn = sums(rng, cases, systems, share)
        around = gap_interval(drawn, estimand=ESTIMAND)
        if around is not None:
            there["t"] += 1
            held["t"] += around.low <= 0 <= around.high
        values = difference_of_means(bootstrap_counts(cases, REPLICATES, rng) @ drawn)
        values = values[~np.isnan(values)]
        if np.ptp(values) > 0:
            around = percentile_interval(values, estimand=ESTIMAND)
            there["percentile"] += 1
            held["percentile"] += around.low <= 0 <= around.high
    shown = [f"{100 * held[one] / there[one]:.1f}" for one in ("t", "percentile")]
    return f"| {cases} | {systems} | {cases * share:.0f} | {shown[0]} | {shown[1]} |"


def main() -> None:
    """Print the table, and put it into the page."""
    head = ["| cases | systems | labels of the system | t over cases | percentile |"]
    lines = [*head, "| ---: | ---: | ---: | ---: | ---: |", *(coverage(*one) for one in SETTINGS)]
    print("\n".join(lines))
    put_table(PAGE, lines)


if __name__ == "__main__":
    main()
