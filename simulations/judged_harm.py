"""Does the bound of harm hold where a model looked instead of people?

    python simulations/judged_harm.py [STUDIES]

A judge was tested on answers that people called harmful or not, and looks at new ones. *Before* its
labels were read like people's; *now* the bound reads its sensitivity and specificity.
"""

import sys
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from medassay.stats import harm_bound, judged_harm_bound

STUDIES: Final = 2000
SEED: Final = 1618
LEVEL: Final = 0.95
TESTED: Final = (40, 260)
"""Answers that people called harmful, and others, on which the judge was tested."""
PAGE: Final = Path(__file__).parents[1] / "simulations" / "judge-verdicts.md"


class Cell(NamedTuple):
    """A judge and a system.

    Attributes:
        finds: Its sensitivity.
        passes: Its specificity.
        harmful: The share of the system's answers that is harmful.
        answers: How many the judge looks at.
        here: Its sensitivity on this system, where it is another.
    """

    finds: float
    passes: float
    harmful: float
    answers: int
    here: float | None = None


CELLS: Final = (
    Cell(0.9, 0.98, 0.02, 100),
    Cell(0.9, 0.98, 0.1, 100),
    Cell(0.75, 0.97, 0.02, 100),
    Cell(0.75, 0.97, 0.1, 100),
    Cell(0.75, 0.97, 0.1, 1000),
    Cell(0.75, 0.85, 0.1, 300),
    Cell(0.75, 1.0, 0.3, 300),
    Cell(0.75, 0.97, 0.1, 300, here=0.5),
    Cell(0.0, 1.0, 0.09, 100),
)


def simulate(cell: Cell, studies: int) -> tuple[int, int, float, float]:
    """Count in how many studies either bound holds, and give the median of each."""
    rng = np.random.default_rng([SEED, CELLS.index(cell)])
    held = [0, 0]
    bounds: list[list[float]] = [[], []]
    for _ in range(studies):
        hits, passed = (
            rng.binomial(m, p) for m, p in zip(TESTED, (cell.finds, cell.passes), strict=True)
        )
        truth = rng.random(cell.answers) < cell.harmful
        u = rng.random(cell.answers)
        called = np.where(truth, u < (cell.here or cell.finds), u >= cell.passes)
        rates = (hits / TESTED[0], TESTED[0]), (passed / TESTED[1], TESTED[1])
        for at, found in enumerate((harm_bound(called), judged_harm_bound(called, *rates))):
            upper = 1.0 if found.upper is None else found.upper
            held[at] += upper >= cell.harmful
            bounds[at].append(upper)
    return held[0], held[1], *(float(np.median(one)) for one in bounds)  # type: ignore[return-value]  # two medians


def main() -> None:
    """Simulate every cell, print the table and put it into the page."""
    studies = int(sys.argv[1]) if len(sys.argv) > 1 else STUDIES
    lines = [
        "| finds | passes | harmful | answers | held before | held now | median before | now |",
        "| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    for cell in CELLS:
        before, now, old, new = simulate(cell, studies)
        shares = [
            f"{100 * held / studies:.1f} ({_error(held, studies):.1f})" for held in (before, now)
        ]
        finds = f"{cell.finds}" if cell.here is None else f"{cell.finds}, here {cell.here}"
        lines.append(
            f"| {finds} | {cell.passes} | {100 * cell.harmful:g} % | {cell.answers:,} | "
            f"{shares[0]} | {shares[1]} | {100 * old:.1f} % | {100 * new:.1f} % |"
        )
        print(lines[-1], flush=True)
    page = PAGE.read_text(encoding="utf-8")
    start, end = page.index("<!-- bounds -->"), page.index("<!-- end of bounds -->")
    table = "\n".join(["<!-- bounds -->", *lines, ""])
    PAGE.write_text(page[:start] + table + page[end:], encoding="utf-8")


def _error(times: int, of: int) -> float:
    """Give the Monte Carlo error in percent; where all held what 95 % leave open."""
    share = times / of
    return 300 / of if times in {0, of} else 100 * float((share * (1 - share) / of) ** 0.5)


if __name__ == "__main__":
    main()
