"""How often does the gate miss losses that are rare and heavy?

    python simulations/gate_rare_losses.py [withheld]

A share of answers loses .8, all others move by .01 up or down. By t alone (*before*), as `compare`
has it for most metrics (*now*), and by `--bound betting`. For harm it takes "metric not worse" by
betting and "worse" as for any. "Ever" looks again with every twenty cases. Where a share gains .8
and all others lose as much together, nothing is lost, and "worse" is wrong. `withheld` makes the
second table alone: "worse" as it is said, and were it withheld as the lead of a system is.
"""

import sys
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from gate_errors import ERROR, MARGIN, Differences, continuous
from page_table import percent, put_table
from scipy.stats import t as student

from medassay.stats import could_outweigh, means_over_cases, paired_gates
from medassay.stats.betting import betting_p

HEAVY: Final = 0.8
JITTER: Final = 0.01
SHARES: Final = (0.025, 0.03, 0.05)
CASES: Final = (50, 100, 200, 400, 1000)
LOOKS: Final = range(40, 401, 20)
SIMULATIONS: Final = 1000
SEED: Final = 14142
PAGE: Final = Path(__file__).parents[1] / "simulations" / "gate-rare-losses.md"


class Rates(NamedTuple):
    """Shares of simulated pairs of versions that are called metric not worse, and worse."""

    before: float
    by_t: float
    by_betting: float
    worse_by_t: float
    worse_by_betting: float


def rare_losses(
    share: float, cases: int, rng: np.random.Generator, simulations: int = SIMULATIONS
) -> Differences:
    """Draw differences of which this share is a heavy loss, shape (simulations, cases)."""
    shape = (simulations, cases)
    moved = JITTER * rng.choice([-1.0, 1.0], shape)
    return np.where(rng.random(shape) < share, -HEAVY, moved)


def rare_gains(
    share: float, cases: int, rng: np.random.Generator, simulations: int = SIMULATIONS
) -> Differences:
    """Draw differences of which this share is a heavy gain, made up for by all the others."""
    shape = (simulations, cases)
    moved = JITTER * rng.choice([-1.0, 1.0], shape) - HEAVY * share / (1 - share)
    return np.where(rng.random(shape) < share, HEAVY, moved)


def called(drawn: Differences) -> list[Differences]:
    """Say of each row whether it is called metric not worse and worse, by t and by betting."""
    by_t = paired_gates(drawn, margin=MARGIN, span=1.0)
    spread = drawn.std(axis=1, ddof=1) / drawn.shape[1] ** 0.5
    values = (drawn + 1) / 2
    p_values = (
        student.sf((drawn.mean(axis=1) + MARGIN) / spread, drawn.shape[1] - 1),
        [one.p_not_worse for one in by_t],
        [betting_p(row, (1 - MARGIN) / 2) for row in values],
        [one.p_worse for one in by_t],
        [betting_p(1 - row, 0.5) for row in values],
    )
    return [np.array([p is not None and p <= ERROR for p in ps]) for ps in p_values]


def rates(drawn: Differences) -> Rates:
    """Count how many are called metric not worse, and worse."""
    return Rates(*(float(each.mean()) for each in called(drawn)))


def ever(drawn: Differences) -> Rates:
    """Count how many are called so at any of the looks."""
    looks = [called(drawn[:, :cases]) for cases in LOOKS]
    return Rates(*(float(np.any(each, axis=0).mean()) for each in zip(*looks, strict=True)))


def table() -> list[str]:
    """Make the page's table."""
    lines = [
        (
            "| versions | true loss | cases | metric not worse before | now | by betting "
            "| worse now | by betting |"
        ),
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    rng = np.random.default_rng(SEED)
    for share in SHARES:
        title = f"{100 * share:g} % lose .8"
        for cases in CASES:
            found = rates(rare_losses(share, cases, rng))
            lines.append(_row(title, share * HEAVY, f"{cases:,}", found))
        found = ever(rare_losses(share, LOOKS[-1], rng))
        lines.append(_row(title, share * HEAVY, "ever, 40 to 400", found))
    for cases in CASES:
        found = rates(rare_gains(SHARES[0], cases, rng))
        title = f"{100 * SHARES[0]:g} % gain .8, the others lose it"
        lines.append(_row(title, 0.0, f"{cases:,}", found))
    for cases in CASES:
        found = rates(continuous(rng, SIMULATIONS, cases, 0.0)[:, 0])
        lines.append(_row("continuous, SD .12", 0.0, f"{cases:,}", found))
    return lines


def withheld() -> list[str]:
    """Make the second table: "worse" as it is said, and were it withheld as a lead is."""
    lines = [
        "| versions | true loss | cases | worse | were it withheld as leads are |",
        "| --- | ---: | ---: | ---: | ---: |",
    ]
    rng = np.random.default_rng([SEED, 1])
    gains = f"{100 * SHARES[0]:g} % gain .8, the others lose it"
    drawn = [(gains, 0.0, rare_gains(SHARES[0], cases, rng)) for cases in CASES[:3]]
    for spread, loss, some in ((0.25, 0.125, (20, 50)), (0.12, 0.05, (50, 100))):
        for cases in some:
            moved = spread * rng.normal(size=(SIMULATIONS, cases)) - loss
            drawn.append((f"normal, SD {spread:g}", loss, np.clip(moved, -1, 1)))
    for cases in CASES[:2]:
        skewed = continuous(rng, SIMULATIONS, cases, 0.05)[:, 0]
        drawn.append(("continuous, skewed, SD .12", 0.05, skewed))
    for title, loss, rows in drawn:
        cases = rows.shape[1]
        gates = paired_gates(rows, margin=MARGIN, span=1.0)
        means = means_over_cases(rows, np.ones(rows.shape, dtype=np.bool_))
        worse = [gate.p_worse is not None and gate.p_worse <= ERROR for gate in gates]
        still = [
            is_worse and not could_outweigh(mean.mean or 0.0, 1.0, cases, mean.interval)
            for is_worse, mean in zip(worse, means, strict=True)
        ]
        cells = " | ".join(percent(float(np.mean(each)), SIMULATIONS) for each in (worse, still))
        lines.append(f"| {title} | {loss:.3f} | {cases} | {cells} |")
        print(lines[-1], flush=True)
    return lines


def _row(title: str, loss: float, cases: str, found: Rates) -> str:
    cells = " | ".join(percent(share, SIMULATIONS) for share in found)
    return f"| {title} | {loss:.3f} | {cases} | {cells} |"


if __name__ == "__main__":
    if "withheld" not in sys.argv:
        put_table(PAGE, table())
    put_table(PAGE, withheld(), "withheld")
