"""How often is a target wrongly reached, and how often are equal systems wrongly set apart?

    python simulations/plain_verdicts.py [STUDIES]

Targets: the true mean lies just short of the target, and `reached` is wrong. Groups: six systems
have the same true mean, and any two that are told apart are so wrongly; *before* by tests alone,
*now* where so few cases would also show the heavy losses that could outweigh the difference. Both
tables are written into simulations/plain-verdicts.md.
"""

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from page_table import percent, put_table
from scipy.stats import norm

from medassay.analyses.builtin.targets import target_verdict
from medassay.stats import Moments, compare_all_pairs, could_outweigh, holm, moments
from medassay.stats.means import bounded_intervals
from medassay.stats.multiplicity import level_together

STUDIES: Final = 2000
SEED: Final = 18_018
SYSTEMS: Final = 6
LEVEL: Final = 0.05
PERMUTATIONS: Final = 2000
PAGE: Final = Path(__file__).parents[1] / "simulations" / "plain-verdicts.md"

Floats = NDArray[np.float64]
Draw = Callable[[np.random.Generator, int, list[int]], Floats]
"""Draws scores from 0 to 1, shape (systems, cases), of cases in clusters of these sizes."""


class Design(NamedTuple):
    """Scores whose true mean is known, on clusters of cases.

    Attributes:
        title: What they are.
        mean: Their true mean.
        draw: Draws a study.
        sizes: How large its clusters are.
    """

    title: str
    mean: float
    draw: Draw
    sizes: list[int]


def right(share: float, alike: float = 0.0) -> Draw:
    """Draw right or wrong; answers of a cluster are alike by so much, systems are not."""

    def draw(rng: np.random.Generator, systems: int, sizes: list[int]) -> Floats:
        shared = np.repeat(rng.normal(size=(systems, len(sizes))), sizes, axis=1)
        own = rng.normal(size=(systems, sum(sizes)))
        seen = np.sqrt(alike) * shared + np.sqrt(1 - alike) * own
        return np.asarray(seen < norm.ppf(share), dtype=np.float64)

    return draw


def ratings(rng: np.random.Generator, systems: int, sizes: list[int]) -> Floats:
    """Draw labels of three steps; half of their variance is the case's."""
    seen = rng.normal(size=(1, sum(sizes))) + rng.normal(size=(systems, sum(sizes)))
    return np.asarray(np.digitize(seen, np.sqrt(2) * norm.ppf([1 / 3, 2 / 3])) / 2)


def rare_losses(rng: np.random.Generator, systems: int, sizes: list[int]) -> Floats:
    """Let the first system lose .8 on one answer in forty, and the others .02 on each."""
    found = 0.96 + 0.01 * rng.choice([-1.0, 1.0], (systems, sum(sizes)))
    found[0] += np.where(rng.random(sum(sizes)) < HEAVY_SHARE, -0.78, 0.02)
    return np.asarray(found)


def rare_losses_alone(rng: np.random.Generator, systems: int, sizes: list[int]) -> Floats:
    """Let every system lose .8 on one answer in forty."""
    found = 0.98 + 0.01 * rng.choice([-1.0, 1.0], (systems, sum(sizes)))
    return np.asarray(np.where(rng.random(found.shape) < HEAVY_SHARE, found - 0.8, found))


HEAVY_SHARE: Final = 0.025
UNEQUAL: Final = [60, *[4] * 39]
TARGETS: Final = (
    *(Design("right or wrong, .7", 0.7, right(0.7), [1] * n) for n in (20, 50, 200)),
    *(Design("right or wrong, .9", 0.9, right(0.9), [1] * n) for n in (20, 50, 200)),
    *(Design("right or wrong, .98", 0.98, right(0.98), [1] * n) for n in (50, 200)),
    Design("right or wrong, .7, 40 clusters of 5", 0.7, right(0.7, 0.5), [5] * 40),
    Design("right or wrong, .7, 60 and 39 of 4", 0.7, right(0.7, 0.5), UNEQUAL),
    Design("right or wrong, .95, 40 clusters of 5", 0.95, right(0.95, 0.5), [5] * 40),
    Design("right or wrong, .95, 60 and 39 of 4", 0.95, right(0.95, 0.5), UNEQUAL),
    *(Design("three labels", 0.5, ratings, [1] * n) for n in (20, 50)),
    *(Design("one in forty loses .8", 0.96, rare_losses_alone, [1] * n) for n in (50, 200)),
)
GROUPS: Final = (
    *(Design("right or wrong, .9", 0.9, right(0.9), [1] * n) for n in (20, 50, 200)),
    Design("right or wrong, .7, 60 and 39 of 4", 0.7, right(0.7, 0.5), UNEQUAL),
    *(Design("three labels", 0.5, ratings, [1] * n) for n in (20, 50)),
    *(Design("one loses .8 seldom", 0.96, rare_losses, [1] * n) for n in (50, 100, 200, 400)),
)


def reached(design: Design, studies: int) -> tuple[float, float, float]:
    """Count how often one system is said to reach its target, and any of six: before, and now."""
    rng = np.random.default_rng([SEED, TARGETS.index(design)])
    draws = np.random.default_rng([SEED, 2, TARGETS.index(design)])
    target = design.mean + 1e-9
    clusters = np.repeat(np.arange(len(design.sizes)), design.sizes).tolist()
    one = before = now = 0
    for _ in range(studies):
        values = design.draw(rng, SYSTEMS, design.sizes)
        known = np.ones(values.shape, dtype=np.bool_)
        found = moments(values, known, clusters)
        alone = _reaching(found, target, 0.95)
        level = level_together(values, known, rng=draws, clusters=clusters)
        one, before = one + alone[0], before + any(alone)
        now += any(_reaching(found, target, level))
    return one / studies, before / studies, now / studies


def _reaching(found: Moments, target: float, level: float) -> list[bool]:
    intervals = bounded_intervals(found, (0.0, 1.0), estimand="this system, new cases", level=level)
    return [
        target_verdict(mean, interval, target, span=1.0, answers=found.n[0]) == "reached"
        for mean, (interval, _) in zip(found.mean.tolist(), intervals, strict=True)
    ]


def apart(design: Design, studies: int) -> tuple[float, float]:
    """Count how often any two of six equal systems are told apart: by tests alone, and now."""
    rng = np.random.default_rng([SEED, 1, GROUPS.index(design)])
    clusters = np.repeat(np.arange(len(design.sizes)), design.sizes).tolist()
    told = unmarked = 0
    for _ in range(studies):
        values = design.draw(rng, SYSTEMS, design.sizes)
        known = np.ones(values.shape, dtype=np.bool_)
        pairs = compare_all_pairs(
            values, known, rng=rng, clusters=clusters, permutations=PERMUTATIONS
        )
        different = holm([1.0 if one.p is None else one.p for one in pairs]) <= LEVEL
        marks = [could_outweigh(one.difference or 0.0, 1.0, len(design.sizes)) for one in pairs]
        told += bool(different.any())
        unmarked += bool((different & ~np.array(marks)).any())
    return told / studies, unmarked / studies


def write(
    mark: str,
    head: str,
    designs: Sequence[Design],
    rates: Callable[[Design, int], Sequence[float]],
    studies: int,
) -> None:
    """Simulate every design and put the table between the page's marks of this name."""
    lines = [head, f"| --- |{' ---: |' * (head.count('|') - 2)}"]
    for design in designs:
        cells = " | ".join(percent(share, studies) for share in rates(design, studies))
        lines.append(f"| {design.title} | {sum(design.sizes)} | {cells} |")
        print(lines[-1], flush=True)
    put_table(PAGE, lines, mark=mark)


def main(studies: int) -> None:
    """Write both tables."""
    head = (
        "| scores, their true mean just short of the target | cases | one system | any of six, "
        "before | any of six |"
    )
    write("targets", head, TARGETS, reached, studies)
    head = "| scores of six equal systems | cases | before | now |"
    write("groups", head, GROUPS, apart, studies)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else STUDIES)
