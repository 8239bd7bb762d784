"""How often does a corrected share hold where a flag's errors are borrowed? Written to design/.

    python bench/borrowed_rates.py

A flag's sensitivity and specificity are counted on judged answers of all systems, where they are
.75 and .90; on the system that is asked of, its sensitivity is that of the row. 200 of its answers
are not judged.
"""

from pathlib import Path
from typing import Final

import numpy as np
from page_table import percent, put_table

from medassay.stats import rogan_gladen

STUDIES: Final = 2000
SEED: Final = 57_721
POOLED: Final = (0.75, 0.9)
OPEN: Final = 200
PAGE: Final = Path(__file__).parents[1] / "design" / "borrowed-rates.md"


def held(
    share: float, own: float, counted: int, rng: np.random.Generator, studies: int = STUDIES
) -> float:
    """Give the share of studies whose interval holds the share, of those that have an interval."""
    kept = []
    for _ in range(studies):
        flagged = int(rng.binomial(OPEN, share * own + (1 - share) * (1 - POOLED[1])))
        rates = [(int(rng.binomial(counted, rate)), counted) for rate in POOLED]
        interval = rogan_gladen(flagged, OPEN, *rates).interval
        if interval is not None:
            kept.append(interval.low <= share <= interval.high)
    return float(np.mean(kept))


def table() -> list[str]:
    """Make the page's table."""
    lines = [
        "| share | judged answers of each kind | sensitivity on this system | holds the share |",
        "| ---: | ---: | ---: | ---: |",
    ]
    rng = np.random.default_rng(SEED)
    for share in (0.1, 0.3):
        for counted in (30, 100):
            for own in (0.75, 0.65, 0.5):
                cell = percent(held(share, own, counted, rng), STUDIES)
                lines.append(f"| {share} | {counted} | {own} | {cell} |")
    return lines


if __name__ == "__main__":
    put_table(PAGE, table())
