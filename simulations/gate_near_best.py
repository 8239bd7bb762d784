"""Which old scores foretell that losses are rare and heavy?

    python simulations/gate_near_best.py

A share of the old scores lies by the best value and moves by .01 up or down; the others lie between
.2 and .8 and move by a normal difference. One answer in forty, by the best value or not, loses .8
of the range or all it has: so that the mean loses the margin. By t alone (*before*), by t for
all with what `compare` now asks beside it, and as it chooses by the old scores.
"""

from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from gate_errors import ERROR, MARGIN
from page_table import percent, put_table
from scipy.stats import ttest_1samp

from medassay.validity import Change, gate

SHARES: Final = (0.0, 0.5, 0.7, 0.85, 1.0)
MOVES: Final = (0.05, 0.12, 0.25)
CASES: Final = (50, 185, 200)
HEAVY: Final = 0.8
SIMULATIONS: Final = 1000
SEED: Final = 24494
PAGE: Final = Path(__file__).parents[1] / "simulations" / "gate-near-best.md"


class Rates(NamedTuple):
    """Shares of simulated pairs of versions that are called metric not worse, and by the range."""

    before: float
    by_t: float
    as_chosen: float
    by_range: float


def change(share: float, moves: float, cases: int, rng: np.random.Generator) -> Change:
    """Draw one pair of versions that lose the margin on average."""
    best = rng.random(cases) < share
    old = np.where(best, 0.985, rng.uniform(0.2, 0.8, cases))
    moved = np.where(best, 0.01 * rng.choice([-1.0, 1.0], cases), moves * rng.normal(size=cases))
    heavy = rng.random(cases) < MARGIN / np.minimum(HEAVY, old).mean()
    new = np.where(heavy, np.maximum(old - HEAVY, 0.0), np.clip(old + moved, 0.0, 1.0))
    keys = [("A", f"{i:04}") for i in range(cases)]
    old_by, new_by = (dict(zip(keys, each.tolist(), strict=True)) for each in (old, new))
    return Change("judge", "higher", old_by, new_by, 0.0, 1.0)


def rates(
    share: float,
    moves: float,
    cases: int,
    rng: np.random.Generator,
    simulations: int = SIMULATIONS,
) -> Rates:
    """Count how many are called metric not worse by t, and as `gate` chooses."""
    before = by_t = chosen = by_range = 0
    for _ in range(simulations):
        one = change(share, moves, cases, rng)
        moved = np.array([one.new[key] - old for key, old in one.old.items()])
        before += float(ttest_1samp(moved, -MARGIN, alternative="greater").pvalue) <= ERROR
        by_t += gate([one], margin=MARGIN, bound="t")[0].verdict == "metric not worse"
        [found] = gate([one], margin=MARGIN)
        chosen += found.verdict == "metric not worse"
        by_range += found.systems[0].near_best
    return Rates(
        before / simulations, by_t / simulations, chosen / simulations, by_range / simulations
    )


def table() -> list[str]:
    """Make the page's table."""
    lines = [
        "| by the best value | others move by | cases | before | by t | now | by range |",
        "| ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    rng = np.random.default_rng(SEED)
    for share in SHARES:
        for moves in MOVES if share < 1 else MOVES[:1]:
            for cases in CASES:
                found = rates(share, moves, cases, rng)
                cells = [percent(each, SIMULATIONS) for each in found]
                told = f"{moves:g}" if share < 1 else "none"
                lines.append(f"| {share:.0%} | {told} | {cases} | {' | '.join(cells)} |")
                print(lines[-1], flush=True)
    return lines


if __name__ == "__main__":
    put_table(PAGE, table())
