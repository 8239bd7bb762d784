"""How often is a target wrongly reached, and how often are equal systems wrongly set apart?

    python simulations/plain_verdicts.py [STUDIES] [targets] [groups] [price]

Targets: the true mean lies just short of the target, and `reached` is wrong. Groups: six systems
have the same true mean, and any two that are told apart are so wrongly; *before* by tests alone,
*now* where so few cases would also show the heavy losses that could outweigh the difference, and
more of a tail of losses than they do. Price: how often a true lead is said: by tests alone,
*before* where cases would show such losses, and now. The tables are written into
simulations/plain-verdicts.md.
"""

import sys
from collections.abc import Callable, Iterable, Sequence
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from page_table import percent, put_table
from report_budget import Design as Study
from report_budget import heads, scores
from scipy.stats import norm

from medassay.analyses.builtin.targets import target_verdict
from medassay.stats import (
    Moments,
    could_outweigh,
    means_over_cases,
    moments,
    pair_index,
    without_tail,
)
from medassay.stats.intervals import sums_by_cluster
from medassay.stats.means import Mean, bounded_intervals
from medassay.stats.multiplicity import level_together, max_t

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
        systems: How many systems have that mean.
    """

    title: str
    mean: float
    draw: Draw
    sizes: list[int]
    systems: int = SYSTEMS


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


def falls(unseen: float) -> Draw:
    """Let the first system fall to 0 on so many answers of a study, and the others lose as much.

    Scores lie evenly around a mean, .2 their SD.
    """

    def draw(rng: np.random.Generator, systems: int, sizes: list[int]) -> Floats:
        half = 0.2 * np.sqrt(3)
        share = unseen / sum(sizes)
        found = 1 - half + half * rng.uniform(-1, 1, (systems, sum(sizes)))
        found[0] = np.where(rng.random(sum(sizes)) < share, 0.0, found[0])
        found[1:] -= share * (1 - half)
        return np.asarray(found)

    return draw


def fails(rng: np.random.Generator, systems: int, sizes: list[int]) -> Floats:
    """Let the first system fail on a tenth of its answers, and the others lack a quarter often."""
    found = np.where(rng.random((systems, sum(sizes))) < 0.6, 1.0, 0.75)  # noqa: PLR2004 - most
    found[0] = rng.random(sum(sizes)) >= 0.1  # noqa: PLR2004 - a tenth
    return np.asarray(found)


@dataclass(frozen=True)
class Fails:
    """Several systems that fail in some answers, so often that their mean is that of the others.

    Attributes:
        many: How many do.
        lack: By how much others fall short in two answers of five.
        seldom: In what share of their answers who fails falls short by a little too.
        little: By how much.
    """

    many: int
    lack: float
    seldom: float
    little: float

    def __call__(self, rng: np.random.Generator, systems: int, sizes: list[int]) -> Floats:
        """Draw a study."""
        found = np.where(rng.random((systems, sum(sizes))) < 0.4, 1 - self.lack, 1.0)  # noqa: PLR2004 - two of five
        own = np.where(rng.random((self.many, sum(sizes))) < self.seldom, 1 - self.little, 1.0)
        share = 1 - (1 - 0.4 * self.lack) / (1 - self.seldom * self.little)
        found[: self.many] = np.where(rng.random(own.shape) < share, 0.0, own)
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
    *(
        Design("one falls to 0 seldom, all spread", 0.6, falls(2), [1] * n, systems)
        for systems in (2, 6, 12, 28)
        for n in (20, 30, 50, 100)
    ),
    *(
        Design("one fails in a tenth, else labels near the top", 0.9, fails, [1] * n, systems)
        for systems, n in ((3, 40), (3, 80), (6, 60))
    ),
    *(
        Design(f"{many} fail, others are short", 1 - 0.4 * lack, draw, [1] * n, systems)
        for systems, n, many, lack, seldom, little in (
            (4, 60, 2, 0.25, 0.1, 0.25),
            (6, 30, 5, 0.25, 0.1, 0.25),
            (6, 20, 3, 0.5, 0.4, 0.1),
            (12, 20, 6, 0.5, 0.4, 0.1),
            (12, 40, 6, 0.5, 0.4, 0.1),
        )
        for draw in (Fails(many, lack, seldom, little),)
    ),
)
PRICE: Final = (
    Study("labels of five steps", 20, 2, 2, (0.5, 0, 0)),
    Study("labels of five steps", 20, 2, 2, (0.5, 0, 0, 0)),
    Study("labels of five steps", 30, 2, 2, (0.5, 0, 0)),
    Study("labels of five steps", 40, 3, 3, (0.5, 0, 0, 0)),
    Study("labels of five steps", 60, 2, 2, (0.5, 0, 0)),
    Study("labels of five steps", 20, 2, 2, (0.5, *(0,) * 5)),
    Study("labels of five steps", 20, 2, 2, (0.5, *(0,) * 11)),
    Study("labels of five steps", 40, 3, 3, (0.5, *(0,) * 11)),
    Study("labels of five steps", 100, 3, 3, (0.5, 0, 0, 0)),
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
        alone = _reaching(found, target, 0.95, len(design.sizes))
        level = level_together(values, known, rng=draws, clusters=clusters)
        one, before = one + alone[0], before + any(alone)
        now += any(_reaching(found, target, level, len(design.sizes)))
    return one / studies, before / studies, now / studies


def _reaching(found: Moments, target: float, level: float, clusters: int) -> list[bool]:
    intervals = bounded_intervals(found, (0.0, 1.0), estimand="this system, new cases", level=level)
    return [
        target_verdict(mean, interval, target, span=1.0, independent=clusters) == "reached"
        for mean, (interval, _) in zip(found.mean.tolist(), intervals, strict=True)
    ]


def apart(design: Design, studies: int) -> tuple[float, float]:
    """Count how often any two of equal systems are told apart: by tests alone, and now."""
    rng = np.random.default_rng([SEED, 1, GROUPS.index(design)])
    clusters = np.repeat(np.arange(len(design.sizes)), design.sizes).tolist()
    told = unmarked = 0
    for _ in range(studies):
        values = design.draw(rng, design.systems, design.sizes)
        different = _told_apart(values, clusters, rng)
        told += bool(different)
        unmarked += any(
            pair.held and not _outweighed(pair.mean, 1.0, len(design.sizes), design.systems)
            for pair in different.values()
        )
    return told / studies, unmarked / studies


class Apart(NamedTuple):
    """A pair that the largest statistic of all tells apart.

    Attributes:
        mean: Its difference.
        held: Whether it does so where a tail of losses is taken for longer than it shows.
    """

    mean: Mean
    held: bool


def _outweighed(mean: Mean, span: float, cases: int, systems: int) -> bool:
    return could_outweigh(mean.mean or 0.0, span, cases, mean.interval, systems=systems)


def _told_apart(
    values: Floats, clusters: list[int], rng: np.random.Generator
) -> dict[tuple[int, int], Apart]:
    """Give the difference of each pair that the largest statistic of all tells apart."""
    first, second = pair_index(len(values))
    differences = values[first] - values[second]
    sums, known = sums_by_cluster(differences, clusters), np.ones(differences.shape, dtype=np.bool_)
    again = deepcopy(rng)
    some = np.flatnonzero(max_t(sums, rng=rng, permutations=PERMUTATIONS) <= LEVEL)
    if not some.size:
        return {}
    kept = without_tail(values, np.ones(values.shape, dtype=np.bool_), clusters).kept
    held = max_t(sums, rng=again, permutations=PERMUTATIONS, kept=kept)[some] <= LEVEL
    pairs = zip(first[some].tolist(), second[some].tolist(), strict=True)
    means = means_over_cases(differences[some], known[some], clusters=clusters)
    return dict(zip(pairs, map(Apart, means, held.tolist()), strict=True))


def said(study: Study, studies: int) -> tuple[float, float, float]:
    """Count how often a lead is said: by tests, but for losses that no case has shown, and now."""
    rng = np.random.default_rng([SEED, 3, PRICE.index(study)])
    alone = before = now = 0
    for _ in range(studies):
        labels, read = scores(rng, study)
        values = np.where(read, labels[0], 0.0).sum(axis=0) / read.sum(axis=0)
        different = _told_apart(values, list(range(study.cases)), rng)
        ahead = [pair for (a, _), pair in different.items() if a == 0 and (pair.mean.mean or 0) > 0]
        seen = [pair for pair in ahead if not _outweighed(pair.mean, 4.0, study.cases, len(values))]
        alone, before = alone + bool(ahead), before + bool(seen)
        now += any(pair.held for pair in seen)
    return alone / studies, before / studies, now / studies


def write(mark: str, head: str, rows: Iterable[tuple[str, Sequence[float]]], studies: int) -> None:
    """Put a table between the page's marks of this name, a design a row as they are simulated."""
    lines = [head, f"| --- |{' ---: |' * (head.count('|') - 2)}"]
    for design, rates in rows:
        lines.append(f"{design} | {' | '.join(percent(rate, studies) for rate in rates)} |")
        print(lines[-1], flush=True)
    put_table(PAGE, lines, mark=mark)


def main(studies: int, parts: Sequence[str]) -> None:
    """Write the tables, or those that are named."""
    rows: Iterable[tuple[str, Sequence[float]]]
    if "targets" in parts:
        head = (
            "| scores, their true mean just short of the target | cases | one system "
            "| any of six, before | any of six |"
        )
        rows = ((f"| {d.title} | {sum(d.sizes)}", reached(d, studies)) for d in TARGETS)
        write("targets", head, rows, studies)
    if "groups" in parts:
        head = "| scores of equal systems | systems | cases | before | now |"
        rows = ((f"| {d.title} | {d.systems} | {sum(d.sizes)}", apart(d, studies)) for d in GROUPS)
        write("groups", head, rows, studies)
    if "price" in parts:
        head = "| a lead of half an SD | systems | cases | raters | tests alone | before | now |"
        rows = ((heads(study), said(study, studies)) for study in PRICE)
        write("price", head, rows, studies)


if __name__ == "__main__":
    wanted = [text for text in sys.argv[1:] if not text.isdigit()]
    counts = [int(text) for text in sys.argv[1:] if text.isdigit()]
    main((counts or [STUDIES])[0], wanted or ("targets", "groups", "price"))
