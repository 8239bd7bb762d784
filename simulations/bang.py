"""How often are raters said to have told the systems apart where nobody can?

    python simulations/bang.py [STUDIES]

Each rater guesses the systems of five answers without knowing anything, and in six guesses of ten
names a favourite. *Said* is wrong: the interval of Bang's index over all raters lies above 0. The
table is written into simulations/blinding-words.md.
"""

import sys
from functools import cache
from pathlib import Path
from typing import Final

import numpy as np
from page_table import percent, put_table

from medassay.stats.blinding import Guessed, bang_index_of_raters

STUDIES: Final = 4000
SEED: Final = 18_021
GUESSES: Final = 5
LEANS: Final = (0.0, 0.6, 1.0)
RATERS: Final = (1, 3, 8, 26)
SYSTEMS: Final = (2, 3, 8)
PAGE: Final = Path(__file__).parents[1] / "simulations" / "blinding-words.md"


@cache
def _told(right: tuple[int, ...], systems: int) -> bool:
    panel = [Guessed(one, GUESSES - one) for one in right]
    return bang_index_of_raters(panel, systems, estimand="an example").interval.low > 0


def said(systems: int, raters: int, lean: float, studies: int) -> float:
    """Count how often raters who know nothing are said to have told systems apart."""
    rng = np.random.default_rng([SEED, systems, raters, int(10 * lean)])
    wrong = 0
    for _ in range(studies):
        truth = rng.integers(systems, size=(raters, GUESSES))
        favourite = rng.integers(systems, size=(raters, 1))
        leans = rng.random((raters, GUESSES)) < lean
        guesses = np.where(leans, favourite, rng.integers(systems, size=(raters, GUESSES)))
        wrong += _told(tuple(sorted((guesses == truth).sum(axis=1).tolist())), systems)
    return wrong / studies


def main(studies: int) -> None:
    """Write the table."""
    lines = [
        "| systems | raters | guesses that name a favourite | said to tell apart |",
        "| ---: | ---: | ---: | ---: |",
    ]
    for systems in SYSTEMS:
        for raters in RATERS:
            for lean in LEANS:
                rate = percent(said(systems, raters, lean, studies), studies)
                lines.append(f"| {systems} | {raters} | {lean:.0%} | {rate} |")
                print(lines[-1], flush=True)
    put_table(PAGE, lines)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else STUDIES)
