"""Do the trust table's intervals hold, all of them together? A seeded simulation.

    python simulations/coverage_trust.py

METRICS metrics have true system means that are correlated RHO with the raters', each with luck of
its own; every answer adds noise of SD 1, apart in each column. The truth for new systems on new
cases is 2/π · asin(RHO) for each metric: all are equally good, so the one that looks best is luck.
"""

from collections import Counter
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray
from page_table import put_table

from medassay.scores import Grid
from medassay.validity import Source, trust

RHO: Final = 0.8
METRICS: Final = 6
CASES: Final = 50
SYSTEMS: Final = (6, 12, 20, 28)
SPREADS: Final = (0.15, 0.3, 0.6)
SIMULATIONS: Final = 1000
REPLICATES: Final = 200
SEED: Final = 70707
TRUTH: Final = float(2 / np.pi * np.arcsin(RHO))
PAGE: Final = Path(__file__).parents[1] / "simulations" / "coverage-trust.md"


def simulate(systems: int, spread: float, simulations: int = SIMULATIONS) -> Counter[str]:
    """Count over tables: do all intervals hold, does the best metric's, does a table lack one?"""
    rng = np.random.default_rng([SEED, systems, round(100 * spread)])
    seen: Counter[str] = Counter()
    for _ in range(simulations):
        human = rng.normal(size=systems)
        own = rng.normal(size=(METRICS, systems))
        means = spread * np.vstack([human, RHO * human + np.sqrt(1 - RHO**2) * own])
        answers = means[:, :, None] + rng.normal(size=(METRICS + 1, systems, CASES))
        metrics = [_source(f"metric {i}", part) for i, part in enumerate(answers[1:])]
        [table] = trust(
            metrics, [], [_source("raters", answers[0])], rng=rng, replicates=REPLICATES
        )
        known = [entry for entry in table.entries if entry.interval is not None]
        held = [
            one.interval.low - 1e-9 <= TRUTH <= one.interval.high + 1e-9
            for one in known
            if one.interval
        ]
        if len(known) < METRICS:
            seen["incomplete"] += 1
        if known:
            seen["tables"] += 1
            seen["all"] += all(held)
            seen["best"] += held[0]
            seen["each"] += sum(held)
            seen["intervals"] += len(held)
            low = known[0].interval.low if known[0].interval else 0.0
            seen["best not too low"] += low <= TRUTH + 1e-9
    return seen


def _source(name: str, values: NDArray[np.float64]) -> Source:
    systems, cases = (tuple(f"{i:03}" for i in range(n)) for n in values.shape)
    return Source(name, Grid(systems, cases, values, np.ones(values.shape, dtype=np.bool_)))


def row(systems: int, spread: float, seen: Counter[str]) -> str:
    """Lay out one setting, in percent."""
    reliability = spread**2 / (spread**2 + 1 / CASES)
    tables = seen["tables"]
    cells = [100 * seen[key] / tables for key in ("all", "best", "best not too low")]
    each = 100 * seen["each"] / seen["intervals"]
    return (
        f"| {systems} | {spread} | {reliability:.2f} | {cells[0]:.0f} | {cells[1]:.0f} | "
        f"{cells[2]:.0f} | {each:.0f} | {seen['incomplete']} |"
    )


def main() -> None:
    """Run all settings, print the table and write it between the page's marks."""
    lines = [
        "| systems | spread | reliability | all | the best | its lower end | each | lacking |",
        "| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    for systems in SYSTEMS:
        for spread in SPREADS:
            lines.append(row(systems, spread, simulate(systems, spread)))
            print(lines[-1], flush=True)
    put_table(PAGE, lines)


if __name__ == "__main__":
    main()
