"""Do intervals of balanced F1 hold, and how often is a grader told from people who are its equal?

    python simulations/grader_f1.py

A seeded simulation. Every case has three criteria with a truth of their own;
each of two people, and a grader, says the truth with a chance that differs by case (SD on the logit
scale as given). The truth of each number is that of a very large draw. The last two columns count
how often the difference between grader and people is said to be there: where the grader is one of
them, and where it is right more often.
"""

import os
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray
from page_table import percent, put_table

from medassay.stats import balanced_f1, balanced_f1_difference, mean_balanced_f1

SETTINGS: Final = (
    (10, 0.5, 0.0), (10, 0.3, 1.0), (20, 0.3, 1.0), (20, 0.1, 1.0),
    (50, 0.3, 1.0), (50, 0.1, 1.0), (200, 0.1, 1.0),
)  # fmt: skip
STUDIES: Final = 2000
SEED: Final = 5221
CRITERIA: Final = 3
RIGHT: Final = 1.4
BETTER: Final = 2.4
LARGE: Final = 400_000
PAGE: Final = Path(__file__).parents[1] / "simulations" / "grader-f1.md"
Floats = NDArray[np.float64]


def drawn(
    rng: np.random.Generator, cases: int, share: float, sd: float, grader: float
) -> tuple[Floats, Floats]:
    """Draw pairs of labels, shape (cases, criteria, 4): of the grader, and of people."""
    truth = rng.random((cases, CRITERIA)) < share
    hard = sd * rng.normal(size=(cases, 1))
    said = [
        truth == (rng.random(truth.shape) < 1 / (1 + np.exp(-(level + hard))))
        for level in (RIGHT, RIGHT, grader)
    ]
    one, other, graded = said
    return counted(graded, one) + counted(graded, other), counted(one, other) + counted(other, one)


def counted(first: NDArray[np.bool_], second: NDArray[np.bool_]) -> Floats:
    """Count each pair as tp, fp, fn, tn."""
    kinds = (first & second, first & ~second, ~first & second, ~first & ~second)
    return np.stack(kinds, axis=-1).astype(np.float64)


def row(cases: int, share: float, sd: float) -> list[str]:
    """Simulate one row of the table."""
    large, people = drawn(np.random.default_rng([SEED, 1]), LARGE, share, sd, RIGHT)
    pooled = balanced_f1(large.sum(axis=1)).value
    mean = mean_balanced_f1(large).value
    among = balanced_f1(people.sum(axis=1)).value
    held, there, apart = np.zeros(3), np.zeros(3), np.zeros(2)
    for study in range(STUDIES):
        rng = np.random.default_rng([SEED, cases, round(100 * share), round(100 * sd), study])
        graded, both = drawn(rng, cases, share, sd, RIGHT)
        found = (
            balanced_f1(graded.sum(axis=1)),
            mean_balanced_f1(graded),
            balanced_f1(both.sum(axis=1)),
        )
        for at, (one, true) in enumerate(zip(found, (pooled, mean, among), strict=True)):
            if one.interval is not None and true is not None:
                there[at] += 1
                held[at] += one.interval.low <= true <= one.interval.high
        better, others = drawn(rng, cases, share, sd, BETTER)
        for at, (mine, theirs) in enumerate(((graded, both), (better, others))):
            lead = balanced_f1_difference(mine.sum(axis=1), theirs.sum(axis=1)).interval
            apart[at] += lead is not None and (lead.low > 0 or lead.high < 0)
    cells = [percent(one / n, int(n)) for one, n in zip(held, there, strict=True)]
    return [
        *(f"{cases}", f"{share:g}", f"{sd:g}"),
        *cells,
        percent(1 - there[0] / STUDIES, STUDIES),
        *(percent(one / STUDIES, STUDIES) for one in apart),
    ]


def main() -> None:
    """Write the table between the page's marks."""
    head = ["cases", "met", "SD", "grader, pooled", "grader, mean of categories", "people"]
    head += ["no interval", "told apart, equal", "told apart, better"]
    lines = [f"| {' | '.join(head)} |", f"| {' | '.join(['---'] * len(head))} |"]
    for setting in SETTINGS:
        lines.append(f"| {' | '.join(row(*setting))} |")
        print(lines[-1], flush=True)
    put_table(PAGE, lines)


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    main()
