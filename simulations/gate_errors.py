"""How often does the gate say what? Seeded simulations.

    python simulations/gate_errors.py

Four kinds of pairs of versions, each with a true loss of 0, 2 and 5 points, on 50, 200 and 1,000
cases. `WORLDS` says what each is. The verdicts are those of `medassay compare`: the same tests and
the same adjustment over metrics, of versions whose answers are not the same.
"""

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from page_table import put_table

from medassay.stats import holm, paired_gates

SIZES: Final = (50, 200, 1000)
LOSSES: Final = (0.0, 0.02, 0.05)
DISCORDANT: Final = 0.10
MARGIN: Final = 0.02
ERROR: Final = 0.025
SIMULATIONS: Final = 4000
AT_ONCE: Final = 250
SEED: Final = 31415
PER_CLUSTER: Final = 5
METRICS: Final = 5
PAGE: Final = Path(__file__).parents[1] / "simulations" / "gate-errors.md"

Differences = NDArray[np.float64]
Draw = Callable[[np.random.Generator, int, int, float], Differences]


class World(NamedTuple):
    """A way in which two versions differ.

    Attributes:
        title: Its name in the table.
        draw: Makes differences, shape (simulations, metrics, cases).
        span: The score's range.
        clustered: Whether every PER_CLUSTER cases are one cluster.
    """

    title: str
    draw: Draw
    span: float = 1.0
    clustered: bool = False


def right_or_wrong(
    rng: np.random.Generator, simulations: int, n: int, loss: float, discordant: float = DISCORDANT
) -> Differences:
    """Draw -1, 0 and 1: the versions differ on a share of the cases, more often for the worse."""
    u = rng.random((simulations, 1, n))
    worse, better = (discordant + loss) / 2, (discordant - loss) / 2
    return (u > 1 - better).astype(float) - (u < worse)


def seldom(rng: np.random.Generator, simulations: int, n: int, loss: float) -> Differences:
    """Draw as `right_or_wrong`, on as few cases as the loss allows, and at least 3%."""
    return right_or_wrong(rng, simulations, n, loss, max(0.03, loss))


def continuous(rng: np.random.Generator, simulations: int, n: int, loss: float) -> Differences:
    """Draw what a metric like ROUGE does: SD 0.12, skewed, since a few answers change a lot."""
    skewed = (rng.gamma(2.0, 1.0, (simulations, 1, n)) - 2.0) / np.sqrt(2.0)
    return np.asarray(np.clip(-0.12 * skewed - loss, -1, 1), dtype=np.float64)


def clustered(rng: np.random.Generator, simulations: int, n: int, loss: float) -> Differences:
    """Draw continuous differences of which half the variance is shared within a cluster of five."""
    shared = rng.normal(size=(simulations, 1, n // PER_CLUSTER)).repeat(PER_CLUSTER, axis=2)
    own = rng.normal(size=(simulations, 1, n))
    return np.asarray(0.12 * np.sqrt(0.5) * (shared + own) - loss, dtype=np.float64)


def five_metrics(rng: np.random.Generator, simulations: int, n: int, loss: float) -> Differences:
    """Draw five metrics correlated at 0.5; the first has the loss, the others have none."""
    shared = rng.normal(size=(simulations, 1, n))
    own = rng.normal(size=(simulations, METRICS, n))
    found = 0.12 * np.sqrt(0.5) * (shared + own)
    found[:, 0] -= loss
    return np.asarray(found, dtype=np.float64)


WORLDS: Final = (
    World("right or wrong, 10% differ", right_or_wrong),
    World("right or wrong, few differ", seldom),
    World("continuous, SD 0.12, skewed", continuous),
    World("continuous, clusters of 5", clustered, clustered=True),
    World("five metrics, Holm", five_metrics),
)


def simulate(
    world: World, n: int, loss: float, simulations: int = SIMULATIONS
) -> tuple[Counter[str], int]:
    """Count the verdicts on the first metric, and the runs with a wrong verdict on any metric.

    Wrong is "worse" where there is no loss, and "metric not worse" where the loss is the margin or
    more.
    """
    rng = np.random.default_rng([SEED, WORLDS.index(world), n, round(1000 * loss)])
    verdicts: Counter[str] = Counter()
    wrong = 0
    for start in range(0, simulations, AT_ONCE):
        drawn = world.draw(rng, min(AT_ONCE, simulations - start), n, loss)
        for said in verdicts_of(drawn, world):
            verdicts[said[0]] += 1
            wrong += any(
                one == ("worse" if true == 0 else "metric not worse")
                for one, true in zip(said, [loss] + [0.0] * (len(said) - 1), strict=True)
                if true == 0 or true >= MARGIN
            )
    return verdicts, wrong


def verdicts_of(drawn: Differences, world: World) -> list[list[str]]:
    """Judge every metric of every simulation as the gate does."""
    simulations, metrics, n = drawn.shape
    clusters = [i // PER_CLUSTER for i in range(n)] if world.clustered else None
    found = paired_gates(drawn.reshape(-1, n), margin=MARGIN, span=world.span, clusters=clusters)
    judged = []
    for i in range(simulations):
        of = found[i * metrics : (i + 1) * metrics]
        worse = holm([1.0 if one.p_worse is None else one.p_worse for one in of])
        fine = holm([1.0 if one.p_not_worse is None else one.p_not_worse for one in of])
        judged.append([_verdict(*pair) for pair in zip(worse, fine, strict=True)])
    return judged


def _verdict(p_worse: float, p_fine: float) -> str:
    if p_fine <= ERROR:
        return "metric not worse"
    return "worse" if p_worse <= ERROR else "undecided"


def main() -> dict[str, dict[str, float]]:
    """Simulate every cell, print the table and put it into the page."""
    lines = [
        (
            "| versions | cases | true loss | worse | metric not worse | undecided "
            "| wrong, any metric |"
        ),
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    measured: dict[str, dict[str, float]] = {}
    for world in WORLDS:
        for n in SIZES:
            for loss in LOSSES:
                verdicts, wrong = simulate(world, n, loss)
                shares = {
                    word: verdicts[word] / SIMULATIONS
                    for word in ("worse", "metric not worse", "undecided")
                }
                shares["wrong"] = wrong / SIMULATIONS
                measured[f"{world.title}, {n} cases, loss {loss}"] = shares
                cells = " | ".join(f"{100 * share:.1f}" for share in shares.values())
                lines.append(f"| {world.title} | {n:,} | {loss:.2f} | {cells} |")
                print(lines[-1], flush=True)
    put_table(PAGE, lines)
    return measured


if __name__ == "__main__":
    main()
