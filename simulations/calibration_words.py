"""How often is the confidence of a calibrated system said to over- or understate its accuracy?

    python simulations/calibration_words.py [STUDIES]

Every answer is right with just the chance that its system gives: the true gap between confidence
and accuracy is 0, and any word about it is wrong. *before* takes the percentile interval of
resampled cases; *now* is what the report says. Six systems answer the same questions. The table is
written into simulations/calibration-words.md.
"""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from page_table import percent, put_table
from scipy.stats import norm

from medassay.analyses.builtin.calibration import gaps_of
from medassay.stats import bootstrap_counts, percentile_interval

STUDIES: Final = 1000
SEED: Final = 18_036
SYSTEMS: Final = 6
REPLICATES: Final = 1000
LEVEL: Final = 0.05
PAGE: Final = Path(__file__).parents[1] / "simulations" / "calibration-words.md"

Floats = NDArray[np.float64]


class Design(NamedTuple):
    """Calibrated systems on clusters of cases.

    Attributes:
        title: What their confidence is like.
        confidence: Draws confidences, shape (systems, cases).
        sizes: How large the clusters are.
        alike: How alike answers within a cluster are, 0 to 1.
    """

    title: str
    confidence: Callable[[np.random.Generator, tuple[int, int]], Floats]
    sizes: list[int]
    alike: float = 0.0


def constant(value: float) -> Callable[[np.random.Generator, tuple[int, int]], Floats]:
    """Let systems say the same each time."""
    return lambda _, shape: np.full(shape, value)


def spread(a: float, b: float) -> Callable[[np.random.Generator, tuple[int, int]], Floats]:
    """Draw confidences from a beta distribution."""
    return lambda rng, shape: rng.beta(a, b, shape)


DESIGNS: Final = (
    *(Design("from .3 to 1", spread(4, 2), [1] * n) for n in (20, 50, 100, 400)),
    *(Design("always .8", constant(0.8), [1] * n) for n in (20, 50, 100, 400)),
    *(Design("always .95", constant(0.95), [1] * n) for n in (20, 50, 100, 400)),
    *(Design("most above .95", spread(20, 0.6), [1] * n) for n in (20, 50, 100, 400)),
    Design("from .3 to 1, 20 clusters of 5", spread(4, 2), [5] * 20, 0.5),
    Design("from .3 to 1, 60 and 9 of 4", spread(4, 2), [60] + [4] * 9, 0.5),
    Design("from .3 to 1, 60 and 39 of 4", spread(4, 2), [60] + [4] * 39, 0.5),
    Design("always .95, 20 clusters of 5", constant(0.95), [5] * 20, 0.5),
)


def draw(design: Design, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Draw confidences, and whether each answer is right, shape (systems, cases)."""
    sizes = design.sizes
    p = design.confidence(rng, (SYSTEMS, sum(sizes)))
    shared = np.repeat(rng.normal(size=(SYSTEMS, len(sizes))), sizes, axis=1)
    seen = np.sqrt(design.alike) * shared + np.sqrt(1 - design.alike) * rng.normal(size=p.shape)
    return p, np.asarray(norm.cdf(seen) < p, dtype=np.float64)


def said(design: Design, studies: int) -> list[float]:
    """Count how often a word is said of any system, before and now, and of the first."""
    rng = np.random.default_rng([SEED, DESIGNS.index(design)])
    clusters = np.repeat(np.arange(len(design.sizes)), design.sizes).tolist()
    counts = np.zeros(4)
    for _ in range(studies):
        p, y = draw(design, rng)
        drawn = bootstrap_counts(p.shape[1], REPLICATES, rng, clusters)
        gaps = drawn @ (p - y).T / drawn.sum(axis=1, keepdims=True)
        mixed = ~np.isin(y.mean(axis=1), (0, 1))
        percentile = [percentile_interval(one, estimand="an example") for one in gaps.T]
        before = mixed & [one.low > 0 or one.high < 0 for one in percentile]
        now = [gap.p is not None and gap.p <= LEVEL for gap in gaps_of(p, y, clusters)]
        counts += [before.any(), any(now), before[0], now[0]]
    return [float(count) / studies for count in counts]


def main(studies: int) -> None:
    """Write the table."""
    lines = [
        "| confidences | cases | any of six, before | any of six, now | one, before | one, now |",
        "| --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    for design in DESIGNS:
        cells = " | ".join(percent(share, studies) for share in said(design, studies))
        lines.append(f"| {design.title} | {sum(design.sizes)} | {cells} |")
        print(lines[-1], flush=True)
    put_table(PAGE, lines)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else STUDIES)
