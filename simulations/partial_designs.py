"""What do plain means make of systems that met different cases? Simulated.

    python simulations/partial_designs.py

Human scores are system + CASE_SPREAD · case + noise. Two metrics: one knows system and case, one
the case alone, so its true tau is 0. Both columns of means are taken over the same answers, once
plain and once adjusted by case; the truth is the order of the systems' own effects.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray
from page_table import put_table

from medassay.stats import CaseAdjustment, kendall, tau_b

SYSTEMS: Final = (6, 12)
CASES: Final = 60
SYSTEM_SPREAD: Final = 0.3
CASE_SPREAD: Final = 2.0
SIMULATIONS: Final = 1000
LEVEL: Final = 0.05
SEED: Final = 20260
PAGE: Final = Path(__file__).parents[1] / "simulations" / "partial-designs.md"

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


def complete(systems: int, _rng: np.random.Generator) -> Flags:
    """Judge every answer."""
    return np.ones((systems, CASES), dtype=np.bool_)


def calibration_apart(systems: int, rng: np.random.Generator) -> Flags:
    """Set six answers of each system apart, each system's on cases of its own."""
    known = complete(systems, rng)
    for row in known:
        row[rng.permutation(CASES)[:6]] = False
    return known


def random_third(systems: int, rng: np.random.Generator) -> Flags:
    """Judge a third of each system's answers, drawn by chance."""
    known = ~complete(systems, rng)
    for row in known:
        row[rng.permutation(CASES)[: CASES // 3]] = True
    return known


def in_blocks(systems: int, _rng: np.random.Generator) -> Flags:
    """Judge half of each system's answers, a stretch of the cases that moves with the system."""
    known = np.zeros((systems, CASES), dtype=np.bool_)
    for at, row in enumerate(known):
        start = at * (CASES // 2) // (systems - 1)
        row[start : start + CASES // 2] = True
    return known


DESIGNS: Final[dict[str, Callable[[int, np.random.Generator], Flags]]] = {
    "complete": complete,
    "a tenth set apart": calibration_apart,
    "a third, by chance": random_third,
    "half, in blocks": in_blocks,
}


def simulate(systems: int, design: str) -> dict[str, tuple[float, float, float]]:
    """Give for both ways mean tau of the good metric, mean |tau| and false p of the other."""
    found: dict[str, list[tuple[float, float, float]]] = {"plain": [], "adjusted": []}
    for number in range(SIMULATIONS):
        rng = np.random.default_rng([SEED, systems, list(DESIGNS).index(design), number])
        quality = SYSTEM_SPREAD * rng.normal(size=(systems, 1))
        case = CASE_SPREAD * rng.normal(size=CASES)
        noise = rng.normal(size=(3, systems, CASES))
        columns = np.array([quality + case, quality + case, 0 * quality + case]) + noise
        known = DESIGNS[design](systems, rng)
        plain = np.where(known, columns, 0.0).sum(axis=2) / known.sum(axis=1)
        for way, means in (("plain", plain), ("adjusted", CaseAdjustment(known).means(columns))):
            human, good, blind = means
            of_blind = kendall(blind, human, rng=rng, permutations=1000)
            if of_blind.tau is None or of_blind.p is None:
                continue
            tau = tau_b(good, quality[:, 0])
            found[way].append((tau or 0.0, abs(of_blind.tau), float(of_blind.p <= LEVEL)))
    return {way: tuple(np.mean(rows, axis=0).tolist()) for way, rows in found.items()}


def main() -> None:
    """Simulate every design, print the table and write the page."""
    heads = (
        *("systems", "judged", "tau with the truth, plain", "adjusted"),
        *("size of a blind metric's tau, plain", "adjusted", "its p ≤ .05, plain", "adjusted"),
    )
    lines = [
        f"| {' | '.join(heads)} |",
        "| ---: | :--- | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    for systems in SYSTEMS:
        for design in DESIGNS:
            found = simulate(systems, design)
            tau, size, false = zip(found["plain"], found["adjusted"], strict=True)
            cells = [*(f"{one:.2f}" for one in (*tau, *size)), *(f"{one:.0%}" for one in false)]
            lines.append(f"| {systems} | {design} | {' | '.join(cells)} |")
            print(lines[-1], flush=True)
    put_table(PAGE, lines)


if __name__ == "__main__":
    main()
