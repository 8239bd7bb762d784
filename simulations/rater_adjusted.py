"""How often do raters' severity make a leader, and how well do adjusted means and intervals hold?

    python simulations/rater_adjusted.py [STUDIES]

Four equal systems and raters of severity -.7 to .7; cases (SD .7) and answers vary too. *False
leader*: any pair stands after Holm at .05. *Before* is of the plain means, *adjusted* of those
adjusted for raters, *now* of what the leaderboard goes by: adjusted where chance rarely deals
raters out as unevenly, else plain. *Held*: how often the adjusted means' 95 % intervals, those of
their differences and those of severities hold the truth. The table is written into
simulations/rater-adjusted.md.
"""

import sys
from itertools import combinations
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from page_table import percent, put_table
from rater_allotment import SYSTEMS, Design, dealt, units_of
from scipy.stats import t as student

from medassay.stats import holm
from medassay.stats.rater_adjusted import Labels, adjust_for_raters
from medassay.validity import allotment

STUDIES: Final = 2000
SEED: Final = 20_264
LEVEL: Final = 0.05
CASE_SD, ANSWER_SD, LABEL_SD = 0.7, 0.8, 0.6
PAGE: Final = Path(__file__).parents[1] / "simulations" / "rater-adjusted.md"
FIRST, SECOND = (np.array(side) for side in zip(*combinations(range(SYSTEMS), 2), strict=True))
DESIGNS: Final = (
    Design("one rater a case, for all systems", "case"),
    Design("by chance", "drawn"),
    Design("leaning by .1", "drawn", 0.1),
    Design("leaning by .2", "drawn", 0.2),
    Design("leaning by .4", "drawn", 0.4),
)


class Size(NamedTuple):
    """How many raters, cases, and labels of each answer."""

    raters: int
    cases: int
    labels: int = 1


CELLS: Final = (
    (DESIGNS[0], Size(3, 50)),
    (DESIGNS[1], Size(3, 20)),
    (DESIGNS[1], Size(3, 50)),
    (DESIGNS[1], Size(8, 200)),
    (DESIGNS[2], Size(3, 50)),
    (DESIGNS[2], Size(3, 200)),
    (DESIGNS[2], Size(8, 50)),
    (DESIGNS[2], Size(8, 200)),
    (DESIGNS[3], Size(3, 20)),
    (DESIGNS[3], Size(3, 50)),
    (DESIGNS[3], Size(3, 200)),
    (DESIGNS[3], Size(8, 50)),
    (DESIGNS[3], Size(8, 50, 2)),
    (DESIGNS[4], Size(3, 50)),
    (DESIGNS[4], Size(3, 200)),
    (DESIGNS[4], Size(8, 200)),
)


class Rates(NamedTuple):
    """Shares of studies."""

    before: float
    adjusted: float
    now: float
    means: float
    differences: float
    severities: float


def drawn_labels(
    design: Design, size: Size, rng: np.random.Generator
) -> tuple[Labels, NDArray[np.float64], NDArray[np.int64]]:
    """Draw a study: its labels, each answer's mean of labels, and the raters of its answers."""
    systems = np.repeat(np.arange(SYSTEMS), size.cases)
    cases = np.tile(np.arange(size.cases), SYSTEMS)
    who = [dealt(design, size.cases, size.raters, rng) for _ in range(size.labels)]
    for later in range(1, size.labels):
        # Nobody judges an answer twice: the next rater in turn does.
        for earlier in range(later):
            who[later] = np.where(
                who[later] == who[earlier], (who[later] + 1) % size.raters, who[later]
            )
    severity = np.linspace(-0.7, 0.7, size.raters)
    truth = CASE_SD * rng.standard_normal(size.cases)[cases]
    truth = truth + ANSWER_SD * rng.standard_normal(len(cases))
    raters = np.stack([one.ravel() for one in who])
    values = truth + severity[raters] + LABEL_SD * rng.standard_normal(raters.shape)
    answer = np.tile(np.arange(len(cases)), size.labels)
    labels = Labels(values.ravel(), answer, raters.ravel(), systems, cases)
    return labels, values.mean(axis=0).reshape(SYSTEMS, -1), raters


def plain_p(means: NDArray[np.float64]) -> NDArray[np.float64]:
    """Test each pair of systems by a paired t test."""
    gaps = means[FIRST] - means[SECOND]
    n = gaps.shape[1]
    p: NDArray[np.float64] = 2 * student.sf(
        np.abs(gaps.mean(axis=1)) / (gaps.std(axis=1, ddof=1) / np.sqrt(n)), n - 1
    )
    return p


def simulate(design: Design, size: Size, studies: int, seed: int = SEED) -> Rates:
    """Draw studies of equal systems, and count false leaders and intervals that hold."""
    rng = np.random.default_rng(seed)
    counts = np.zeros(6)
    severity = np.linspace(-0.7, 0.7, size.raters)
    for _ in range(studies):
        labels, means, raters = drawn_labels(design, size, rng)
        while len(np.unique(labels.rater)) < size.raters:
            labels, means, raters = drawn_labels(design, size, rng)
        before = bool((holm(plain_p(means)) <= LEVEL).any())
        fell = allotment(units_of(raters[0].reshape(SYSTEMS, -1), size.raters))
        found = adjust_for_raters(labels).contrasts
        if found is None:
            message = "the designs are such that all can be adjusted"
            raise ValueError(message)
        pairs = found.differences(FIRST, SECOND)
        p = [one.p for one in pairs if one.p is not None]
        adjusted = bool(p) and bool((holm(p) <= LEVEL).any())
        share = labels.table.sum(axis=0) / labels.table.sum()
        level = float(share @ severity)
        truths = np.concatenate([np.full(SYSTEMS, level), severity - level])
        held = [
            one.interval is None or one.interval.low <= true <= one.interval.high
            for one, true in zip(found.single(range(len(truths))), truths, strict=True)
        ]
        apart = [
            one.interval is None or one.interval.low <= 0 <= one.interval.high for one in pairs
        ]
        counts[:3] += before, adjusted, adjusted if fell.adjusts else before
        counts[3] += float(np.mean(held[:SYSTEMS]))
        counts[4] += float(np.mean(apart))
        counts[5] += float(np.mean(held[SYSTEMS:]))
    return Rates(*(counts / studies).tolist())


def main(studies: int) -> None:
    """Write the table."""
    titles = [
        *("allotment", "raters", "cases", "labels an answer", "before", "adjusted", "now"),
        *("mean held", "difference held", "severity held"),
    ]
    lines = [f"| {' | '.join(titles)} |", "| --- |" + " ---: |" * (len(titles) - 1)]
    for design, size in CELLS:
        cells = " | ".join(percent(share, studies) for share in simulate(design, size, studies))
        lines.append(f"| {design.title} | {size.raters} | {size.cases} | {size.labels} | {cells} |")
        print(lines[-1], flush=True)
    put_table(PAGE, lines)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else STUDIES)
