"""How often is a metric wrongly permitted to rank or to screen? A seeded simulation.

    python simulations/rank_permits.py

A study has three dimensions, five metrics and 100 cases. For ranking every metric has a true tau of
TRUE_TAU with the raters on every dimension, just short of what a metric that ranks must have; or
the first has GOOD_TAU on the first dimension. System means differ with SD SPREAD, answers with SD 1
in each column. For screening, metrics are those of `gate_permits.py`: useless ones, such that
know one or two garbage systems, and a good one among useless ones. *Before* is the rule that asked
for tau's interval, basic from twelve systems on, and for Holm over the metrics of a dimension.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from multiprocessing import Pool
from pathlib import Path
from typing import Final

import gate_permits
import numpy as np
from numpy.typing import NDArray
from page_table import percent, put_table

from medassay.validity import Source, TrustEntry, trust
from medassay.validity.block import blocks
from medassay.validity.order_test import RANK_TAU, order_test, order_tests_over_all
from medassay.validity.uses import ALPHA

DIMENSIONS: Final = 3
METRICS: Final = 5
CASES: Final = 100
SPREAD: Final = 0.6
TRUE_TAU: Final = 0.5
GOOD_TAU: Final = 0.8
REPLICATES: Final = 200
SIMULATIONS: Final = 1000
SEED: Final = 51414
OLD_BASIC: Final = 12
BEFORE: Final = (6, 8, 12, 16)
BEFORE_MORE: Final = (12,)
PROCESSES: Final = 2
PAGE: Final = Path(__file__).parents[1] / "simulations" / "rank-permits.md"

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Study = tuple[Floats, Floats, dict[str, str] | None]
"""Metrics and raters' labels, shape (metrics or dimensions, systems, cases); families."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One row of the table.

    Attributes:
        use: What is asked for.
        title: What the metrics know.
        systems: How many.
        draw: Draws one study.
        good: Whether the first metric is good on the first dimension.
        before: Whether the rule before is tried too, which takes most of the time.
    """

    use: str
    title: str
    systems: int
    draw: Callable[[int, np.random.Generator], Study]
    good: bool = False
    before: bool = False


def just_short(systems: int, rng: np.random.Generator) -> Study:
    """Draw metrics with a true tau of TRUE_TAU on every dimension."""
    return _study(*_short(systems, rng), rng)


def one_good(systems: int, rng: np.random.Generator) -> Study:
    """Make the first of them good on the first dimension."""
    raters, metrics = _short(systems, rng)
    rho = np.sin(np.pi / 2 * GOOD_TAU)
    metrics[0] = rho * raters[0] + np.sqrt(1 - rho**2) * rng.normal(size=systems)
    return _study(raters, metrics, rng)


def heavy_tails(systems: int, rng: np.random.Generator) -> Study:
    """Draw system means from a t distribution of 2 degrees of freedom, with the same tau."""
    raters, metrics = _short(systems, rng)
    scale = np.sqrt(2 / rng.chisquare(2, size=systems))
    return _study(raters * scale, metrics * scale, rng)


def few_labels(systems: int, rng: np.random.Generator) -> Study:
    """Let one rater give labels 0, 1, 2 on 30 cases, so that means tie."""
    metrics, labels, _ = just_short(systems, rng)
    return metrics[:, :, :30], np.digitize(labels[:, :, :30], (-0.5, 0.5)).astype(float), None


def in_families(systems: int, rng: np.random.Generator) -> Study:
    """Draw three variants of each system, a tenth as different as systems are."""
    raters, metrics = (np.repeat(part, 3, axis=1) for part in _short(systems, rng))
    raters += 0.1 * rng.normal(size=raters.shape)
    metrics += 0.1 * rng.normal(size=metrics.shape)
    families = {f"{i:03}": f"family {i // 3}" for i in range(3 * systems)}
    return *_study(raters, metrics, rng)[:2], families


def misjudged_kind(systems: int, rng: np.random.Generator) -> Study:
    """Let metrics put last one system in seven, which raters put first, and the rest in order.

    A share p so gives a tau of 1 − 4p(1 − p).
    """
    share = (1 - np.sqrt(TRUE_TAU)) / 2
    raters = np.repeat(rng.normal(size=(1, systems)), DIMENSIONS, axis=0)
    metrics = np.repeat(raters[:1], METRICS, axis=0)
    misjudged = rng.random(systems) < share
    return _study(raters + 20 * misjudged, metrics - 20 * misjudged, rng)


def _short(systems: int, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Draw true means: dimensions correlated .5, each metric sin(π/2 · tau) with each of them."""
    shared, own = rng.normal(size=(1, systems)), rng.normal(size=(DIMENSIONS, systems))
    raters = np.sqrt(0.5) * (shared + own)
    middle = raters.sum(axis=0)
    middle /= np.sqrt(DIMENSIONS * (1 + (DIMENSIONS - 1) / 2))
    with_each = np.sqrt((1 + (DIMENSIONS - 1) / 2) / DIMENSIONS)
    rho = np.sin(np.pi / 2 * TRUE_TAU) / with_each
    metrics = rho * middle + np.sqrt(1 - rho**2) * rng.normal(size=(METRICS, systems))
    return raters, metrics


def _study(raters: Floats, metrics: Floats, rng: np.random.Generator) -> Study:
    means = SPREAD * np.concatenate([metrics, raters])
    answers = means[:, :, None] + rng.normal(size=(*means.shape, CASES))
    return answers[: len(metrics)], answers[len(metrics) :], None


def _of_gates(design: gate_permits.Design) -> Callable[[int, np.random.Generator], Study]:
    return partial(_gate_study, design)


def _gate_study(design: gate_permits.Design, systems: int, rng: np.random.Generator) -> Study:
    return *gate_permits.study(design, systems, rng), None


NULLS: Final = tuple(
    Cell("rank", "all just short", systems, just_short, before=systems in BEFORE)
    for systems in (4, 6, 8, 12, 16, 25, 40)
)
BROKEN: Final = tuple(
    Cell("rank", title, systems, draw)
    for title, draw in (
        ("all just short, heavy tails", heavy_tails),
        ("all just short, one label of three on 30 cases", few_labels),
        ("all just short, three variants a system", in_families),
        ("all just short: one kind of system put last, not first", misjudged_kind),
    )
    for systems in (12, 25)
)
GOODS: Final = tuple(
    Cell(
        "rank",
        "one is good, on one dimension",
        systems,
        one_good,
        good=True,
        before=systems in BEFORE_MORE,
    )
    for systems in (8, 12, 16, 25)
)
SCREENS: Final = tuple(
    Cell(
        "screen",
        design.title,
        systems,
        _of_gates(design),
        design.good,
    )
    for design in (*gate_permits.DESIGNS[2:], gate_permits.GOOD)
    for systems in ((8, 12) if design.good else (8, 12, 25))
)
CELLS: Final = (*NULLS, *BROKEN, *GOODS, *SCREENS)


def permits(cell: Cell, simulations: int = SIMULATIONS) -> Counter[str]:
    """Count the studies in which a metric is wrongly permitted, and those in which the good one is.

    Keys: `wrong` and `good`; `wrong before` and `good before` by the rule before, of the first
    dimension alone. Who may rank may screen.
    """
    rng = np.random.default_rng([SEED, cell.systems, CELLS.index(cell)])
    seen: Counter[str] = Counter()
    for _ in range(simulations):
        metrics, raters, families = cell.draw(cell.systems, rng)
        sources, humans = (
            gate_permits.sources("metric", metrics),
            gate_permits.sources("dimension", raters),
        )
        seed = int(rng.integers(2**62))
        given = {"": _now(cell, sources, humans, families, seed)}
        if cell.before:
            given[" before"] = _before(cell, sources, humans[0], seed)
        for rule, permitted in given.items():
            seen[f"wrong{rule}"] += bool(permitted[int(cell.good) :].any())
            seen[f"good{rule}"] += bool(cell.good and permitted[0, 0])
    return seen


def _now(
    cell: Cell,
    sources: list[Source],
    humans: list[Source],
    families: dict[str, str] | None,
    seed: int,
) -> Flags:
    """Say which metric is permitted on which dimension, shape (metrics, dimensions).

    What rests on the order alone is asked first, over all metrics and dimensions. Where that
    permits something, the trust table of the dimension is made, which asks the rest; its own test
    of the order counts one dimension and so refuses less.
    """
    permitted = _by_order(cell, sources, humans, families)
    for dimension in np.flatnonzero(permitted.any(axis=0)):
        [table] = trust(
            sources,
            [],
            [humans[dimension]],
            rng=np.random.default_rng(seed),
            families=families,
            replicates=REPLICATES,
        )
        uses = {entry.metric: entry.uses for entry in table.entries}
        enough = {"rank"} if cell.use == "rank" else {"rank", "screen"}
        permitted[:, dimension] &= [bool(enough & set(uses[one.name])) for one in sources]
    return permitted


def _by_order(
    cell: Cell, sources: list[Source], humans: list[Source], families: dict[str, str] | None
) -> Flags:
    [block] = blocks(sources, humans)
    at = list(np.ndindex(len(sources), len(humans)))
    orders = order_tests_over_all([order_test(block, i, j, families) for i, j in at])
    passed = [
        order.p_adjusted is not None
        and order.p_adjusted <= ALPHA
        and (cell.use == "screen" or (order.bar is not None and block.taus[i, j] > order.bar))
        for (i, j), order in zip(at, orders, strict=True)
    ]
    return np.array(passed).reshape(len(sources), len(humans))


def _before(cell: Cell, sources: list[Source], human: Source, seed: int) -> Flags:
    rng = np.random.default_rng(seed)
    [table] = trust(
        sources,
        [],
        [human],
        rng=rng,
        replicates=REPLICATES,
        method="bias-corrected" if cell.systems < OLD_BASIC else "basic",
    )
    entries = {entry.metric: entry for entry in table.entries}
    return np.array([[_permitted_before(cell, entries[one.name])] for one in sources])


def _permitted_before(cell: Cell, entry: TrustEntry) -> bool:
    if entry.interval is None or entry.p_adjusted is None or entry.beaten_by:
        return False
    low = entry.interval.low
    return entry.p_adjusted <= ALPHA and (low >= RANK_TAU if cell.use == "rank" else low > 0)


def row(cell: Cell, seen: Counter[str], simulations: int = SIMULATIONS) -> str:
    """Lay out one cell."""
    keys = ("wrong before", "wrong", "good before", "good")
    given = [
        percent(seen[key] / simulations, simulations)
        if key in seen and (cell.good or not key.startswith("good")) and not _moot(cell, key)
        else "–"
        for key in keys
    ]
    return f"| {cell.use} | {cell.title} | {cell.systems} | {' | '.join(given)} |"


def _moot(cell: Cell, key: str) -> bool:
    """Say whether nothing is wrong with a permit: the others beside a good one are just short."""
    return cell.good and cell.use == "rank" and key.startswith("wrong")


def main() -> None:
    """Simulate every cell, print the table and put it into the page."""
    lines = [
        "| use | metrics | systems | any wrong, before | now | good, before | now |",
        "| --- | --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    with Pool(PROCESSES) as pool:
        for cell, seen in zip(CELLS, pool.imap(permits, CELLS), strict=True):
            lines.append(row(cell, seen))
            print(lines[-1], flush=True)
    put_table(PAGE, lines)


if __name__ == "__main__":
    main()
