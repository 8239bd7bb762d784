"""Do intervals of a correlation of pairs hold, and how often are equals told apart?

    python simulations/jury.py

A seeded simulation. Three people rate each of some answers a case from 1 to 5,
and so does a jury. Quality differs by case and answer, ratings by rater and chance. The truth is
the value of a very large draw. Equal: the jury is as a person is; better: its chance part is half.
"""

import os
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray
from page_table import percent, put_table

from medassay.stats import pair_icc, pair_icc_difference, pair_sums

SETTINGS: Final = (
    (10, 4, 0.5),
    (20, 4, 0.5),
    (50, 4, 0.5),
    (50, 1, 0.5),
    (50, 4, 1.0),
    (200, 2, 0.5),
)
STUDIES: Final = 2000
SEED: Final = 5230
LARGE: Final = 200_000
PAGE: Final = Path(__file__).parents[1] / "simulations" / "jury.md"
Floats = NDArray[np.float64]


def drawn(
    rng: np.random.Generator, cases: int, answers: int, sd: float, noise: float
) -> tuple[Floats, Floats]:
    """Draw sums of pairs by case: of the jury with people, and of people."""
    quality = sd * rng.normal(size=(cases, 1)) + 0.7 * rng.normal(size=(cases, answers))
    people = [quality + 0.8 * rng.normal(size=quality.shape) for _ in range(3)]
    jury = quality + noise * rng.normal(size=quality.shape)
    rated = [np.clip(np.round(3 + one), 1, 5).ravel() for one in (*people, jury)]
    case = np.repeat(np.arange(cases), answers)
    with_jury = sum(pair_sums(rated[3], one, case, cases) for one in rated[:3])
    among = sum(pair_sums(rated[i], rated[j], case, cases) for i, j in ((0, 1), (0, 2), (1, 2)))
    return np.asarray(with_jury), np.asarray(among)


def row(cases: int, answers: int, sd: float) -> list[str]:
    """Simulate one row of the table."""
    large = drawn(np.random.default_rng([SEED, 1]), LARGE, answers, sd, 0.8)
    truths = [pair_icc(one).value for one in large]
    held, apart = np.zeros(2), np.zeros(2)
    for study in range(STUDIES):
        rng = np.random.default_rng([SEED, cases, answers, round(100 * sd), study])
        equal, better = (drawn(rng, cases, answers, sd, noise) for noise in (0.8, 0.4))
        for at, (one, true) in enumerate(zip(equal, truths, strict=True)):
            interval = pair_icc(one).interval
            held[at] += interval is not None and interval.low <= (true or 0) <= interval.high
        for at, (mine, theirs) in enumerate((equal, better)):
            lead = pair_icc_difference(mine, theirs).interval
            apart[at] += lead is not None and (lead.low > 0 or lead.high < 0)
    rates = [*(held / STUDIES).tolist(), *(apart / STUDIES).tolist()]
    return [f"{cases}", f"{answers}", f"{sd:g}", *(percent(rate, STUDIES) for rate in rates)]


def main() -> None:
    """Write the table between the page's marks."""
    head = ["cases", "answers each", "SD of cases", "jury with people", "two people"]
    head += ["told apart, equal", "told apart, better"]
    lines = [f"| {' | '.join(head)} |", f"| {' | '.join(['---'] * len(head))} |"]
    for setting in SETTINGS:
        lines.append(f"| {' | '.join(row(*setting))} |")
        print(lines[-1], flush=True)
    put_table(PAGE, lines)


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    main()
