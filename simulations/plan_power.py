"""Does the number of cases that a plan names reach its power? A seeded simulation.

    python simulations/plan_power.py

Studies are drawn with known components of variance. Two systems that differ by DIFFERENCE are then
compared on as many cases as the plan names, by a t test over clusters of cases, many times.
`known`: the plan is made from the true components; `pilot`: from a study of PILOT cases drawn
before, a new one each time, as a user has it.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from medassay.judgements import Units
from medassay.scores import Unit
from medassay.stats import moments
from medassay.validity import Spread, cases_to_separate, spread_of_labels

if TYPE_CHECKING:
    from numpy.typing import NDArray

DIFFERENCE: Final = 0.25
POWER: Final = 0.8
PILOT: Final = 50
SYSTEMS: Final = 6
STUDIES: Final = 1000
SEED: Final = 40_11
PAGE: Final = Path(__file__).parents[1] / "simulations" / "plan-power.md"


@dataclass(frozen=True)
class World:
    """Standard deviations of the parts of a label, and the design.

    Attributes:
        name: What the table calls it.
        cluster: Of a system from cluster to cluster.
        case: Of a system from case to case.
        rater: Severity of raters.
        residual: Label by label.
        labels: Labels an answer.
        size: Cases in a cluster.
        shared: Whether the same raters judge all answers to a case.
        steps: Round labels to whole numbers on a scale of so many steps; 0: leave them.
    """

    name: str
    cluster: float
    case: float
    rater: float
    residual: float
    labels: int
    size: int
    shared: bool
    steps: int = 0


WORLDS: Final = (
    World("one metric score an answer", 0.0, 0.5, 0.0, 0.0, 1, 1, shared=True),
    World("three raters, the same for a case", 0.0, 0.4, 0.3, 0.6, 3, 1, shared=True),
    World("three raters, others for each answer", 0.0, 0.4, 0.3, 0.6, 3, 1, shared=False),
    World("clusters of four cases", 0.25, 0.3, 0.0, 0.4, 2, 4, shared=True),
    World("labels 0, 1, 2", 0.0, 0.4, 0.0, 0.4, 2, 1, shared=True, steps=2),
)


def draw(world: World, cases: int, truth: list[float], rng: np.random.Generator) -> Units:
    """Draw a study: one unit an answer, the pool of raters as large as it takes."""
    systems, k = len(truth), world.labels
    cluster = np.arange(cases) // world.size
    of_cluster = world.cluster * rng.normal(size=(systems, int(cluster.max()) + 1))
    answer = np.array(truth)[:, None] + of_cluster[:, cluster]
    answer = answer + 0.3 * rng.normal(size=cases) + world.case * rng.normal(size=(systems, cases))
    pool = 12
    severity = world.rater * rng.normal(size=pool)
    rows = 1 if world.shared else systems
    raters = rng.permuted(np.tile(np.arange(pool), (rows, cases, 1)), axis=2)[:, :, :k]
    raters = np.broadcast_to(raters, (systems, cases, k))
    labels = answer[:, :, None] + severity[raters]
    labels = labels + world.residual * rng.normal(size=labels.shape)
    if world.steps:
        labels = np.clip(np.rint(labels), 0, world.steps)
    names, codes = np.unique(labels, return_inverse=True)
    flat, who = codes.reshape(-1, k), raters.reshape(-1, k)
    order = np.argsort(who, axis=1)
    width = len(str(cases))
    return Units(
        dimension="labels", mapping="full", scale="interval",
        labels=tuple(f"{one!r}" for one in names.tolist()), scores=names.astype(np.float64),
        raters=tuple(f"r{i:02}" for i in range(pool)),
        keys=tuple(Unit(f"s{i}", f"c{j:0{width}}") for i in range(systems) for j in range(cases)),
        unit=np.repeat(np.arange(len(flat)), k),
        rater=np.take_along_axis(who, order, axis=1).ravel().astype(np.int64),
        code=np.take_along_axis(flat, order, axis=1).ravel().astype(np.int64),
        case_order=np.tile(np.arange(cases), systems),
    )  # fmt: skip


def found(world: World, units: Units, cases: int) -> bool:
    """Say whether a t test over clusters tells the first two systems apart."""
    from scipy.special import stdtrit

    if units.scores is None:
        raise TypeError
    means: NDArray[np.float64] = (
        np.bincount(units.unit, units.scores[units.code], len(units)) / world.labels
    ).reshape(2, cases)
    clusters = None if world.size == 1 else (np.arange(cases) // world.size).tolist()
    gap = moments(means[:1] - means[1:], np.ones((1, cases), dtype=np.bool_), clusters)
    bar = float(stdtrit(gap.clusters[0] - 1, 0.975))
    return bool(abs(gap.mean[0]) > bar * gap.error[0])


def planned(world: World, units: Units) -> tuple[Spread, int | None]:
    """Plan from a study."""
    cases = sorted({unit.case for unit in units.keys})
    clusters = {case: str(i // world.size) for i, case in enumerate(cases)}
    spread = spread_of_labels(units, clusters if world.size > 1 else None)
    return spread, cases_to_separate(spread, DIFFERENCE, world.labels, power=POWER)


def true_difference(world: World, rng: np.random.Generator) -> list[float]:
    """Give true means whose labels differ by DIFFERENCE on average; rounding bends the scale."""
    if not world.steps:
        return [DIFFERENCE, 0.0]
    noise = np.sqrt(0.3**2 + world.case**2 + world.rater**2 + world.residual**2)
    z = noise * rng.normal(size=400_000)

    def mean(at: float) -> float:
        return float(np.clip(np.rint(at + z), 0, world.steps).mean())

    low, high, base = 1.0, 3.0, mean(1.0)
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if mean(middle) - base < DIFFERENCE else (low, middle)
    return [high, 1.0]


def simulate(world: World, studies: int = STUDIES) -> tuple[int, float, float, list[int]]:
    """Give the cases from the true components, their power, the power by pilots, their cases."""
    rng = np.random.default_rng([SEED, WORLDS.index(world)])
    truth = true_difference(world, rng)
    spread_of_truth = 0.3 * np.linspace(-1, 1, SYSTEMS) + truth[1]
    # A study of 20,000 cases stands for the truth.
    known = planned(world, draw(world, 20_000, truth, rng))[1] or 0
    hits = [found(world, draw(world, known, truth, rng), known) for _ in range(studies)]
    sizes, pilots = [], []
    for _ in range(studies):
        one = planned(world, draw(world, PILOT - PILOT % world.size, list(spread_of_truth), rng))[1]
        cases = min(one or 20_000, 20_000)
        sizes.append(cases)
        pilots.append(found(world, draw(world, cases, truth, rng), cases))
    return known, float(np.mean(hits)), float(np.mean(pilots)), sizes


def main() -> None:
    """Simulate all worlds and write the table into the page."""
    lines = [
        "| study | cases, known | power, known | cases, pilot (80 % range) | power, pilot |",
        "| :--- | ---: | ---: | ---: | ---: |",
    ]
    for world in WORLDS:
        known, power, piloted, sizes = simulate(world)
        low, middle, high = np.quantile(sizes, [0.1, 0.5, 0.9]).round().astype(int)
        lines.append(
            f"| {world.name} | {known} | {100 * power:.1f}% | {middle} ({low} to {high}) | "
            f"{100 * piloted:.1f}% |"
        )
        print(lines[-1])
    before, _, rest = PAGE.read_text(encoding="utf-8").partition("<!-- table -->\n")
    after = rest.partition("<!-- end -->")[2]
    text = f"{before}<!-- table -->\n" + "\n".join(lines) + f"\n<!-- end -->{after}"
    PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
