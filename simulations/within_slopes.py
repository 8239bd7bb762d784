"""Do intervals of slopes inside cases hold where cases or clusters are unlike?

    python simulations/within_slopes.py

Three systems answer each case; y has no slope on x but what each cluster adds of its own (SD .3),
and noise of SD 1. *Unlike*: the spread of x differs between cases by a factor with a log SD of .7,
as the lengths of answers do. *Before*: C/(C - 1) on C - 1 degrees of freedom.
"""

from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from page_table import percent, put_table
from scipy.special import stdtrit

from medassay.stats import within_slopes

STUDIES: Final = 1000
SEED: Final = 30_103
SYSTEMS: Final = 3
OWN_SLOPE: Final = 0.3
UNLIKE: Final = 0.7
PAGE: Final = Path(__file__).parents[1] / "simulations" / "unequal-clusters.md"


class Design(NamedTuple):
    """Cases of each cluster, and whether the spread of x differs between cases."""

    title: str
    sizes: tuple[int, ...]
    unlike: bool = False

    def __str__(self) -> str:
        """Name it."""
        return f"{self.title}, {'unlike' if self.unlike else 'alike'}"


_LAYOUTS: Final = (
    ("30 cases", (1,) * 30),
    ("100 cases", (1,) * 100),
    ("10 of 20", (20,) * 10),
    ("60, and 39 of 4", (60, *(4,) * 39)),
    ("80, 40, 20, 15, 10, 10, 8, 7, 5, 5", (80, 40, 20, 15, 10, 10, 8, 7, 5, 5)),
    ("60, and 9 of 4", (60, *(4,) * 9)),
)
DESIGNS: Final = tuple(
    Design(title, sizes, unlike) for title, sizes in _LAYOUTS for unlike in (False, True)
)


def held(design: Design, studies: int) -> tuple[float, float]:
    """Count how often the intervals hold 0, before and now."""
    rng = np.random.default_rng([SEED, DESIGNS.index(design)])
    clusters = np.repeat(np.arange(len(design.sizes)), design.sizes)
    case = np.repeat(np.arange(clusters.size), SYSTEMS)
    of_unit = clusters[case]
    counts = np.zeros(2)
    for _ in range(studies):
        spread = np.exp(rng.normal(0, UNLIKE, clusters.size)) if design.unlike else np.ones(1)
        x = rng.normal(size=(clusters.size, SYSTEMS)) * spread[:, None]
        slope = rng.normal(0, OWN_SLOPE, len(design.sizes))[clusters]
        y = slope[:, None] * x + rng.normal(size=x.shape)
        [found] = within_slopes(
            y.ravel(),
            x.reshape(-1, 1),
            case.tolist(),
            clusters=of_unit.tolist(),
            estimand="simulated",
        )
        if found.slope is None or found.interval is None:
            message = "every cluster has some spread here"
            raise ValueError(message)
        x, y = (side - side.mean(axis=1, keepdims=True) for side in (x, y))
        pulls = np.bincount(of_unit, (x * (y - found.slope * x)).ravel())
        count = len(pulls)
        error = np.sqrt((pulls**2).sum() * count / (count - 1)) / (x * x).sum()
        counts[0] += abs(found.slope) <= stdtrit(count - 1, 0.975) * error
        counts[1] += found.interval.low <= 0 <= found.interval.high
    before, now = (counts / studies).tolist()
    return before, now


def main() -> None:
    """Print the table, and put it into the page."""
    lines = ["| clusters of cases | spread of x | before | now |", "| --- | --- | ---: | ---: |"]
    for design in DESIGNS:
        cells = " | ".join(percent(share, STUDIES) for share in held(design, STUDIES))
        lines.append(f"| {design.title} | {'unlike' if design.unlike else 'alike'} | {cells} |")
        print(lines[-1], flush=True)
    put_table(PAGE, lines, "slopes")


if __name__ == "__main__":
    main()
