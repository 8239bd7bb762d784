"""How often is a useless metric permitted, and a good one? A seeded simulation.

    python simulations/gate_permits.py

A study has three dimensions, five metrics, 100 cases, two raters and labels 0, 1, 2. Systems differ
with SD .4 on each dimension, half of it shared by all three; answers, and what raters make of them,
add noise. A useless metric is noise of SD 1 an answer, with an offset a system that has nothing to
do with quality; or it knows nothing but that one system or two are garbage. The good metric has a
true tau of .8 with the raters over systems, on one dimension, and a correlation of .6 with what an
answer is worth within its case; the other four are useless. *Before* is the permit that asked for
tau within cases above 0 for these systems.
"""

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray
from page_table import percent, put_table

from medassay.scores import Grid
from medassay.stats import simultaneous_level
from medassay.stats.randomness import drawn_seed
from medassay.validity import Evidence, Source, permit
from medassay.validity.block import Block, blocks
from medassay.validity.order_test import OrderTest
from medassay.validity.surrogacy import adjusted_over_all, surrogacy
from medassay.validity.tau_interval import Resampling
from medassay.validity.trust import draw, within_case

DIMENSIONS: Final = 3
METRICS: Final = 5
CASES: Final = 100
REPLICATES: Final = 200
LEVEL: Final = 0.95
SIMULATIONS: Final = 1000
SEED: Final = 51413
SYSTEMS: Final = (6, 12, 25, 40)
SYSTEMS_BEFORE: Final = (6, 12)
PAGE: Final = Path(__file__).parents[1] / "simulations" / "gate-permits.md"

_SPREAD: Final = 0.4
_ANSWERS: Final = 0.7
_RATERS: Final = 0.5
_CUTS: Final = (-0.5, 0.5)
_GARBAGE: Final = -3.0
_WITHIN: Final = 0.6
_TRUE_TAU: Final = 0.8

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Design:
    """What a study's metrics know.

    Attributes:
        title: In words.
        style: The SD of the metrics' offsets between systems, in SDs of an answer.
        garbage: Systems far worse than all others, which every metric knows.
        good: Whether the first metric is good, on the first dimension.
    """

    title: str
    style: float = 0.0
    garbage: int = 0
    good: bool = False


DESIGNS: Final = (
    Design("noise"),
    Design("an offset a system, SD .3", style=0.3),
    Design("an offset a system, SD .6", style=0.6),
    Design("knows one garbage system", style=0.3, garbage=1),
    Design("knows two garbage systems", style=0.3, garbage=2),
)
GOOD: Final = Design("one of five is good, on one dimension", style=0.3, good=True)


def study(design: Design, systems: int, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Draw metrics and raters' means, shape (metrics or dimensions, systems, cases)."""
    shared, own = rng.normal(size=(1, systems)), rng.normal(size=(DIMENSIONS, systems))
    quality = np.sqrt(0.5) * (shared + own)
    worth = rng.normal(size=(DIMENSIONS, systems, CASES))
    latent = _SPREAD * quality[:, :, None] + _ANSWERS * worth + rng.normal(size=(1, 1, CASES)) / 2
    latent[:, : design.garbage] += _GARBAGE
    heard = latent + _RATERS * rng.normal(size=(2, *latent.shape))
    judged = np.digitize(heard, _CUTS).mean(axis=0)
    metrics = rng.normal(size=(METRICS, systems, CASES))
    metrics += design.style * rng.normal(size=(METRICS, systems, 1))
    metrics[:, : design.garbage] += _GARBAGE
    if design.good:
        # The correlation of two normal columns whose tau is .8: Greiner's relation.
        rho = np.sin(np.pi / 2 * _TRUE_TAU)
        known = rho * quality[0] + np.sqrt(1 - rho**2) * rng.normal(size=systems)
        noise = rng.normal(size=(systems, CASES))
        metrics[0] = (
            _SPREAD * known[:, None] / _ANSWERS
            + _WITHIN * worth[0]
            + np.sqrt(1 - _WITHIN**2) * noise
        )
    return metrics, judged


def permits(
    design: Design,
    systems: int,
    rng: np.random.Generator,
    simulations: int = SIMULATIONS,
    *,
    before: bool = True,
) -> Counter[str]:
    """Count the studies in which any useless metric is permitted to gate, and the good one is.

    Keys: `gate`, and `good gate` of the good metric on its dimension; `before` and `good before`
    by the rule before, which takes most of the time.
    """
    seen: Counter[str] = Counter()
    for _ in range(simulations):
        metrics, judged = study(design, systems, rng)
        [block] = blocks(sources("metric", metrics), sources("dimension", judged))
        given = {"gate": _now(block)} | ({"before": _before(block, rng)} if before else {})
        for use, permitted in given.items():
            seen[use] += bool(permitted[int(design.good) :].any())
            if design.good:
                seen[f"good {use}"] += bool(permitted[0, 0])
    return seen


def _now(block: Block) -> NDArray[np.bool_]:
    """Say which metric is permitted on which dimension, shape (metrics, dimensions)."""
    at = list(np.ndindex(len(block.metrics), len(block.consensuses)))
    lines = adjusted_over_all([surrogacy(block, i, j, None) for i, j in at])
    uses = [permit(Evidence(None, None, None, OrderTest(0), None, (), line)).uses for line in lines]
    shape = len(block.metrics), len(block.consensuses)
    return np.array(["gate" in one for one in uses]).reshape(shape)


def _before(block: Block, rng: np.random.Generator) -> NDArray[np.bool_]:
    known = Grid(block.systems, block.cases, block.values[0], block.known)
    resampling = Resampling(drawn_seed(rng), REPLICATES, LEVEL, "basic", None, None)
    inside = within_case(block, draw(known, resampling))
    columns = []
    for column in zip(*inside, strict=True):
        level = simultaneous_level(np.array([one.replicates for one in column]).T, LEVEL)
        intervals = [one.interval(level) for one in column]
        columns.append([one is not None and one.low > 0 for one in intervals])
    return np.array(columns).T


def sources(kind: str, columns: Floats) -> list[Source]:
    """Lay columns out, shape (sources, systems, cases), as sources of this kind."""
    systems, cases = (tuple(f"{i:03}" for i in range(n)) for n in columns.shape[1:])
    known = np.ones(columns.shape[1:], dtype=np.bool_)
    return [
        Source(f"{kind} {i}", Grid(systems, cases, values, known))
        for i, values in enumerate(columns)
    ]


def table() -> list[str]:
    """Make the page's table."""
    lines = [
        "| metrics | systems | any useless, before | now | good, before | now |",
        "| --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    for design in (*DESIGNS, GOOD):
        for systems in SYSTEMS:
            rng = np.random.default_rng([SEED, systems])
            seen = permits(design, systems, rng, before=systems in SYSTEMS_BEFORE)
            cells = [
                percent(seen[key] / SIMULATIONS, SIMULATIONS) if key in seen else "–"
                for key in ("before", "gate", "good before", "good gate")
            ]
            lines.append(f"| {design.title} | {systems} | " + " | ".join(cells) + " |")
            print(lines[-1], flush=True)
    return lines


if __name__ == "__main__":
    put_table(PAGE, table())
