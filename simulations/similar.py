"""How often are systems called similar that differ by the whole margin? To simulations/similar.md.

    python simulations/similar.py [STUDIES]

Two systems differ by just the margin, or six of which three do from the other three: whoever is
called similar across that gap is so wrongly. `wrong`: percent of studies with any such verdict.
`found`: percent of studies in which two systems that are equal are called similar.
"""

import os
import sys
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from page_table import percent, put_table
from scipy.stats import norm

from medassay.scores import Grid
from medassay.validity import Source, within_margin

STUDIES: Final = 1000
SEED: Final = 39_300
LEVEL: Final = 0.05
PAGE: Final = Path(__file__).parents[1] / "simulations" / "similar.md"
UNEQUAL: Final = (60, *(4,) * 39)
Floats = NDArray[np.float64]
Draw = Callable[[np.random.Generator, Floats, tuple[int, ...]], Floats]
"""Draws scores from 0 to 1, shape (systems, cases), of systems that lack so much of the best."""


class Design(NamedTuple):
    """Scores whose true means lie the margin apart.

    Attributes:
        title: What they are.
        margin: The margin, and the true difference.
        draw: Draws a study.
        systems: How many; the second half lacks the margin.
        sizes: How large the clusters of cases are.
    """

    title: str
    margin: float
    draw: Draw
    systems: int
    sizes: tuple[int, ...]


def right(share: float, alike: float = 0.5) -> Draw:
    """Draw right or wrong; answers to a case are alike by so much, those of a cluster by half."""

    def draw(rng: np.random.Generator, lacks: Floats, sizes: tuple[int, ...]) -> Floats:
        seen = _seen(rng, len(lacks), sizes, alike)
        return np.asarray(seen < norm.ppf(share - lacks)[:, None], dtype=np.float64)

    return draw


def labels(rng: np.random.Generator, lacks: Floats, sizes: tuple[int, ...]) -> Floats:
    """Draw labels of five steps, as many of them one lower as make the difference."""
    seen = _seen(rng, len(lacks), sizes, 0.5)
    steps = np.digitize(seen, norm.ppf([0.1, 0.2, 0.4, 0.7])) / 4
    # Who has the lowest label cannot lose: 0.9 of the answers lose a step of 0.25.
    lost = rng.random(steps.shape) < (lacks / (0.9 * 0.25))[:, None]
    return np.asarray(np.where(lost, np.maximum(steps - 0.25, 0.0), steps))


def rare(heavy: float) -> Draw:
    """Let the worse lose so much, seldom; all other scores hardly move."""

    def draw(rng: np.random.Generator, lacks: Floats, sizes: tuple[int, ...]) -> Floats:
        shape = (len(lacks), sum(sizes))
        lost = rng.random(shape) < (lacks / heavy)[:, None]
        return np.asarray(0.9 + 0.01 * rng.choice([-1.0, 1.0], shape) - heavy * lost)

    return draw


def _seen(rng: np.random.Generator, systems: int, sizes: tuple[int, ...], alike: float) -> Floats:
    """Draw what lies behind a label: parts of the case, of the cluster and the answer's own."""
    case = rng.normal(size=(1, sum(sizes)))
    own = rng.normal(size=(systems, sum(sizes)))
    if max(sizes) > 1:
        shared = np.repeat(rng.normal(size=(systems, len(sizes))), sizes, axis=1)
        own = np.sqrt(0.5) * shared + np.sqrt(0.5) * own
    return np.asarray(np.sqrt(alike) * case + np.sqrt(1 - alike) * own)


FIVES: Final = (5,) * 80
DESIGNS: Final = (
    *(Design("right or wrong, .9", 0.1, right(0.9), 2, (1,) * n) for n in (50, 100, 200, 500)),
    *(Design("right or wrong, .98", 0.05, right(0.98), 2, (1,) * n) for n in (100, 200, 500)),
    *(Design("right or wrong, .7, cases alike by .9", 0.05, right(0.7, 0.9), 2, (1,) * n)
      for n in (200, 1000)),
    *(Design("five labels", 0.1, labels, 2, (1,) * n) for n in (20, 50, 100, 200)),
    *(Design("loses .8 seldom", 0.02, rare(0.8), 2, (1,) * n) for n in (50, 100, 200, 400)),
    *(Design("loses .3 seldom", 0.05, rare(0.3), 2, (1,) * n) for n in (20, 50, 100, 200)),
    *(Design("loses .3 seldom", 0.02, rare(0.3), 2, (1,) * n) for n in (50, 100, 200, 400)),
    Design("five labels", 0.1, labels, 2, FIVES),
    Design("five labels", 0.15, labels, 2, UNEQUAL),
    Design("right or wrong, .9", 0.1, right(0.9), 2, FIVES),
    *(Design("five labels", 0.1, labels, 6, (1,) * n) for n in (50, 200)),
    *(Design("right or wrong, .9", 0.1, right(0.9), 6, (1,) * n) for n in (200, 500)),
    Design("loses .3 seldom", 0.05, rare(0.3), 6, (1,) * 200),
    Design("five labels", 0.15, labels, 12, (1,) * 100),
)  # fmt: skip


def similar(design: Design, values: Floats) -> set[tuple[int, int]]:
    """Ask which two systems a report would call similar."""
    names = tuple(f"s{at:02}" for at in range(len(values)))
    cases = tuple(f"{at:05}" for at in range(values.shape[1]))
    grid = Grid(names, cases, values, np.ones(values.shape, dtype=np.bool_))
    labels = np.repeat(np.arange(len(design.sizes)), design.sizes)
    clusters = dict(zip(cases, map(str, labels.tolist()), strict=True))
    found = within_margin(
        Source("score", grid),
        design.margin,
        (0.0, 1.0),
        clusters=clusters if max(design.sizes) > 1 else None,
    )
    pairs = combinations(range(len(names)), 2)
    return {pair for pair, own in zip(pairs, found, strict=True) if own.similar(LEVEL)}


def row(design: Design, studies: int) -> list[str]:
    """Simulate one row of the table."""
    key = [SEED, design.systems, sum(design.sizes), len(design.sizes), round(1000 * design.margin)]
    rng = np.random.default_rng([*key, *map(ord, design.title)])
    half = design.systems // 2
    lacks = np.repeat([0.0, design.margin], half)
    wrong = found = 0
    for _ in range(studies):
        across = similar(design, design.draw(rng, lacks, design.sizes))
        wrong += any((i < half) != (j < half) for i, j in across)
        equal = similar(design, design.draw(rng, np.zeros(design.systems), design.sizes))
        found += (0, 1) in equal
    clusters = sorted(set(design.sizes), reverse=True)
    start = [design.title, f"{design.margin:g}", f"{design.systems}", f"{sum(design.sizes):,}"]
    start.append(" or ".join(map(str, clusters)))
    return [*start, percent(wrong / studies, studies), percent(found / studies, studies)]


def main() -> None:
    """Write the table between the page's marks."""
    studies = int(sys.argv[1]) if len(sys.argv) > 1 else STUDIES
    head = ["scores", "margin", "systems", "cases", "cases in a cluster", "wrong", "found"]
    lines = [f"| {' | '.join(head)} |", f"| {' | '.join(['---'] * len(head))} |"]
    for design in DESIGNS:
        lines.append(f"| {' | '.join(row(design, studies))} |")
        print(lines[-1], flush=True)
    if studies >= STUDIES:
        put_table(PAGE, lines)


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    main()
