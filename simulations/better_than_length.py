"""How often is a useless metric called better than length? To simulations/better-than-length.md.

    python simulations/better_than_length.py [STUDIES]

A study has systems that answer cases, raters who label each answer, answer lengths, and metrics. A
useless metric knows nothing of an answer: noise, the case's difficulty, or length itself with
noise. `false`: some useless metric is called better than length at the 5% level. `share` and
`difference`: percent of nominal 95% intervals that hold the value of a very large draw, of one
metric that knows something. `found`: how often that metric is called better.
"""

import os
import sys
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from page_table import percent, put_table

from medassay.scores import Grid
from medassay.stats import Interval
from medassay.validity import Chance, Concordance, Source, concordances

STUDIES: Final = 1000
SEED: Final = 41_200
LEVEL: Final = 0.05
LARGE: Final = 40_000
PAGE: Final = Path(__file__).parents[1] / "simulations" / "better-than-length.md"
Floats = NDArray[np.float64]
_TIE: Final = 1e-9


class Design(NamedTuple):
    """One kind of study.

    Attributes:
        answers: How a row calls it.
        systems: Systems that answer each case.
        cases: Cases.
        raters: Raters an answer.
        labels: How many labels a scale has, `rare` for yes or no with 1 of 12 yes.
        clusters: Cases in a cluster.
        likes: What raters give length: above 0 for long answers, below 0 for short ones.
        metrics: How many useless ones are tested at once.
        drawn: Share of the cases that is drawn, unequally; 1 for all.
    """

    systems: int
    cases: int
    raters: int
    labels: str
    clusters: int
    likes: float
    metrics: int
    drawn: float = 1.0


DESIGNS: Final = (
    Design(2, 30, 3, "1 to 5", 1, 0.0, 1),
    Design(4, 20, 2, "1 to 5", 1, 0.0, 1),
    Design(4, 12, 1, "1 to 3", 1, 0.0, 5),
    Design(6, 60, 3, "1 to 5", 1, 0.0, 10),
    Design(4, 60, 3, "1 to 5", 5, 0.0, 3),
    Design(4, 60, 1, "rare", 1, 0.0, 3),
    Design(3, 100, 3, "rare", 5, 0.0, 3),
    Design(4, 60, 3, "1 to 5", 1, 0.5, 3),
    Design(4, 60, 3, "1 to 5", 1, -0.5, 3),
    Design(1, 60, 3, "1 to 5", 1, 0.0, 3),
    Design(1, 200, 1, "rare", 1, 0.0, 3),
    Design(1, 100, 3, "1 to 5", 5, 0.0, 3),
    Design(1, 20, 2, "1 to 5", 1, 0.0, 1),
    Design(4, 200, 2, "1 to 5", 1, 0.0, 3, 0.3),
    Design(1, 400, 2, "1 to 5", 1, 0.0, 3, 0.3),
)


class Study(NamedTuple):
    """What was drawn: systems by cases, metrics first axis; the last metric knows something."""

    metrics: Floats
    length: Floats
    raters: Floats
    clusters: NDArray[np.intp]


def drawn(rng: np.random.Generator, design: Design, cases: int) -> Study:
    """Draw one study; what answers of a cluster share is in quality, length and metrics alike."""
    shape = (design.systems, cases)
    clusters = np.arange(cases) // design.clusters

    def part() -> Floats:
        shared = rng.normal(size=(1, cases)) + rng.normal(size=(design.systems, cases))[:, clusters]
        return np.asarray(0.6 * shared + rng.normal(size=shape))

    length, quality = part(), part()
    quality = quality + design.likes * length
    seen = quality[None] + rng.normal(size=(design.raters, *shape))
    if design.labels == "rare":
        labels = (seen > np.sqrt(2.7) * 1.38).astype(float)
    else:
        top = int(design.labels[-1])
        labels = np.clip(np.rint((top + 1) / 2 + seen * top / 8), 1, top)
    useless = [part() + (at % 3 == 2) * 1.5 * length for at in range(design.metrics)]  # noqa: PLR2004 - every third follows length
    knows = 0.6 * quality + part()
    return Study(np.array([*useless, knows]), length, labels.mean(axis=0), clusters)


def held(study: Study, rng: np.random.Generator, design: Design) -> list[Concordance]:
    """Hold every metric against the raters, as a report does."""
    systems, cases = study.raters.shape
    names = tuple(f"s{i}" for i in range(systems)), tuple(f"{k:06}" for k in range(cases))
    known = np.ones(study.raters.shape, dtype=bool)
    chances = None
    if design.drawn < 1:
        chance = np.clip(design.drawn * rng.choice([0.4, 1.0, 1.6], size=cases), 0.05, 1)
        chosen = rng.random(cases) < chance
        chances = {
            (system, case): Chance(float(own), bool(is_in), whole=systems > 1)
            for system in names[0]
            for case, own, is_in in zip(names[1], chance, chosen, strict=True)
        }
        known = known & chosen[None]
    raters = Source("h", Grid(*names, study.raters, known))
    whole = np.ones(study.raters.shape, dtype=bool)
    metrics = [
        Source(f"m{at}", Grid(*names, values, whole)) for at, values in enumerate(study.metrics)
    ]
    of_case = dict(zip(names[1], map(str, study.clusters), strict=True))
    return concordances(
        [(metric, raters) for metric in metrics],
        Source("length", Grid(*names, study.length, whole), "none"),
        rng=rng,
        chances=chances,
        clusters=of_case if design.clusters > 1 else None,
    )


def truth(study: Study, design: Design) -> tuple[float, float]:
    """Give the shares of the metric that knows something and of length in a very large draw."""
    if design.systems > 1:
        agrees = np.zeros((2, 2))
        for i in range(design.systems):
            for j in range(i):
                order = np.sign(study.raters[i] - study.raters[j])
                for at, values in enumerate((study.metrics[-1], study.length)):
                    agrees[at] += ((order * (values[i] - values[j])) > 0).sum(), (order != 0).sum()
        return tuple((agrees[:, 0] / agrees[:, 1]).tolist())
    order = np.argsort(study.raters[0], kind="stable")
    ranks = [
        values[0][order].argsort().argsort() + 1.0 for values in (study.metrics[-1], study.length)
    ]
    labels = study.raters[0][order]
    starts = [*np.flatnonzero(np.diff(labels, prepend=-1.0) > _TIE), labels.size]
    shares = []
    for rank in ranks:
        agree = pairs = 0.0
        for at in range(1, len(starts) - 1):
            own, below = rank[starts[at] : starts[at + 1]], np.sort(rank[: starts[at]])
            agree += float(np.searchsorted(below, own).sum())
            pairs += own.size * below.size
        shares.append(agree / pairs)
    return shares[0], shares[1]


def holds(interval: Interval | None, value: float) -> bool:
    """Say whether an interval holds a value."""
    return interval is not None and interval.low <= value <= interval.high


def row(design: Design, studies: int) -> list[str]:
    """Simulate one row of the table."""
    parts = (*design[:3], len(design.labels), design.clusters, round(10 * design.likes) % 97)
    key = [SEED, *parts, design.metrics]
    rng = np.random.default_rng(key)
    share, other = truth(drawn(rng, design, LARGE), design)
    difference = share - other
    false = shares = differences = found = told = 0
    for _ in range(studies):
        every = held(drawn(rng, design, design.cases), rng, design)
        *useless, knows = every
        if knows.share is None:
            continue
        told += 1
        # With the useless alone, as many as there are: the one that knows would take its share.
        false += any(one.p is not None and one.p <= LEVEL for one in useless)
        found += knows.p is not None and knows.p <= LEVEL
        shares += holds(knows.interval, share)
        differences += holds(knows.difference_interval, difference)
    n = max(1, told)
    drawn_share = "all" if design.drawn == 1 else f"{100 * design.drawn:.0f}%"
    start = [design.systems, design.cases, design.clusters, design.raters, design.labels,
             f"{design.likes:g}".replace("-", "−"), design.metrics, drawn_share, told]  # fmt: skip
    rates = [percent(count / n, n) for count in (false, shares, differences, found)]
    return [*map(str, start), *rates]


def main() -> None:
    """Write the table between the page's marks."""
    studies = int(sys.argv[1]) if len(sys.argv) > 1 else STUDIES
    head = ["answers to a case", "cases", "cases in a cluster", "raters", "labels"]
    head += ["raters like length", "useless metrics", "drawn", "told"]
    head += ["called better", "share", "difference", "found"]
    lines = [f"| {' | '.join(head)} |", f"| {' | '.join(['---'] * len(head))} |"]
    for design in DESIGNS:
        lines.append(f"| {' | '.join(row(design, studies))} |")
        print(lines[-1], flush=True)
    if studies >= STUDIES:
        put_table(PAGE, lines)


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    main()
