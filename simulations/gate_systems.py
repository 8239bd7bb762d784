"""Can a loss of one system hide behind others?

    python simulations/gate_systems.py

Six systems on the same cases; differences normal with SD .12, .3 of the variance shared by the
systems of a case. By the mean over systems, as `compare` took it once, and by a row for each system
after Holm, as it takes it now.
"""

from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from gate_errors import ERROR, MARGIN, Differences
from page_table import percent, put_table

from medassay.stats import PairedGate, holm, paired_gates

SYSTEMS: Final = 6
SD: Final = 0.12
SHARED: Final = 0.3
CASES: Final = (50, 200, 1000)
LOSSES: Final = {
    "none loses": (0.0,) * SYSTEMS,
    "one loses .10, five gain .02": (0.1,) + (-0.02,) * (SYSTEMS - 1),
    "one loses .05": (0.05,) + (0.0,) * (SYSTEMS - 1),
    "one loses .02": (0.02,) + (0.0,) * (SYSTEMS - 1),
    "all lose .02": (0.02,) * SYSTEMS,
}
SIMULATIONS: Final = 2000
AT_ONCE: Final = 250
SEED: Final = 17320
PAGE: Final = Path(__file__).parents[1] / "simulations" / "gate-systems.md"


class Rates(NamedTuple):
    """Shares of simulated pairs of versions.

    Attributes:
        mean_worse: Worse by the mean over systems.
        mean_fine: Metric not worse by it.
        worse: Some system is worse.
        fine: Every system is not worse.
        wrong: A row says worse of a system that loses nothing, or metric not worse of one that
        loses the
            margin or more.
    """

    mean_worse: float
    mean_fine: float
    worse: float
    fine: float
    wrong: float


def draw(
    losses: tuple[float, ...], cases: int, simulations: int, rng: np.random.Generator
) -> Differences:
    """Draw differences, shape (simulations, systems, cases)."""
    shared = rng.normal(size=(simulations, 1, cases))
    own = rng.normal(size=(simulations, len(losses), cases))
    noise = SD * (np.sqrt(SHARED) * shared + np.sqrt(1 - SHARED) * own)
    return np.asarray(noise - np.array(losses)[None, :, None], dtype=np.float64)


def rates(
    losses: tuple[float, ...],
    cases: int,
    rng: np.random.Generator,
    simulations: int = SIMULATIONS,
) -> Rates:
    """Judge simulated pairs both ways."""
    by_mean, by_rows, wrong = [], [], 0
    for start in range(0, simulations, AT_ONCE):
        drawn = draw(losses, cases, min(AT_ONCE, simulations - start), rng)
        means = paired_gates(drawn.mean(axis=1), margin=MARGIN, span=1.0)
        by_mean += [_verdicts([one])[0] for one in means]
        rows = paired_gates(drawn.reshape(-1, cases), margin=MARGIN, span=1.0)
        for i in range(len(drawn)):
            said = _verdicts(rows[i * len(losses) : (i + 1) * len(losses)])
            by_rows.append(said)
            wrong += any(
                (word == "worse" and loss <= 0) or (word == "metric not worse" and loss >= MARGIN)
                for word, loss in zip(said, losses, strict=True)
            )
    return Rates(
        by_mean.count("worse") / simulations,
        by_mean.count("metric not worse") / simulations,
        sum("worse" in said for said in by_rows) / simulations,
        sum(set(said) == {"metric not worse"} for said in by_rows) / simulations,
        wrong / simulations,
    )


def _verdicts(rows: list[PairedGate]) -> list[str]:
    """Take the verdicts as `gate` does."""
    worse = holm([1.0 if one.p_worse is None else one.p_worse for one in rows])
    fine = holm([1.0 if one.p_not_worse is None else one.p_not_worse for one in rows])
    return [
        "metric not worse" if f <= ERROR else "worse" if w <= ERROR else "undecided"
        for w, f in zip(worse, fine, strict=True)
    ]


def table() -> list[str]:
    """Make the page's table."""
    lines = [
        "| systems | cases | mean worse | mean not worse | any worse | all not worse | wrong row |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    rng = np.random.default_rng(SEED)
    for title, losses in LOSSES.items():
        for cases in CASES:
            cells = [percent(share, SIMULATIONS) for share in rates(losses, cases, rng)]
            lines.append(f"| {title} | {cases:,} | {' | '.join(cells)} |")
            print(lines[-1], flush=True)
    return lines


if __name__ == "__main__":
    put_table(PAGE, table())
