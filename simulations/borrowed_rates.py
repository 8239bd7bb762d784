"""How often does a corrected share hold where a flag's errors are borrowed?

    python simulations/borrowed_rates.py [STUDIES]

A flag's sensitivity and specificity are counted on judged answers of all systems, where they are
.75 and .90; on the system that is asked of, its sensitivity is that of the row. 200 of its answers
are not judged. *Before* is the interval by borrowed rates; *the range* is that over sensitivities
from one half to 1.
"""

import sys
from pathlib import Path
from typing import Final

import numpy as np
from page_table import percent, put_table

from medassay.stats import rogan_gladen
from medassay.stats.judged_means import share_over_sensitivities

STUDIES: Final = 2000
SEED: Final = 57_721
POOLED: Final = (0.75, 0.9)
OPEN: Final = 200
PAGE: Final = Path(__file__).parents[1] / "simulations" / "borrowed-rates.md"


def held(
    share: float, own: float, counted: int, rng: np.random.Generator, studies: int = STUDIES
) -> tuple[float, float, float]:
    """Give how often the interval and the range hold the share, and how wide the range is."""
    kept, ranges = [], []
    for _ in range(studies):
        flagged = int(rng.binomial(OPEN, share * own + (1 - share) * (1 - POOLED[1])))
        rates = [(int(rng.binomial(counted, rate)), counted) for rate in POOLED]
        interval = rogan_gladen(flagged, OPEN, *rates).interval
        if interval is not None:
            kept.append(interval.low <= share <= interval.high)
        between = share_over_sensitivities(flagged, OPEN, rates[1])
        if between is not None:
            ranges.append((between[0] <= share <= between[1], between[1] - between[0]))
    holds, width = np.mean(ranges, axis=0).tolist()
    return float(np.mean(kept)), holds, width


def table(studies: int) -> list[str]:
    """Make the page's table."""
    lines = [
        (
            "| share | judged answers of each kind | sensitivity on this system | holds the share, "
            "before | the range holds | width of the range |"
        ),
        "| ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    rng = np.random.default_rng(SEED)
    for share in (0.1, 0.3):
        for counted in (30, 100):
            for own in (0.95, 0.75, 0.65, 0.5):
                before, now, width = held(share, own, counted, rng, studies)
                cells = f"{percent(before, studies)} | {percent(now, studies)} | {width:.2f}"
                lines.append(f"| {share} | {counted} | {own} | {cells} |")
    return lines


if __name__ == "__main__":
    put_table(PAGE, table(int(sys.argv[1]) if len(sys.argv) > 1 else STUDIES))
