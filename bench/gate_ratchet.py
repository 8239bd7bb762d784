"""What becomes of small losses, one pull request after another? Written to design/.

    python bench/gate_ratchet.py

Each pull request is compared with the version merged last, and, beside that, with the first one.
All are scored on the same cases. A change of one answer's score is skewed with SD .12, as in
`gate_errors`, and lasts: the difference from the first version is the sum of the changes so far.
"""

from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from gate_errors import MARGIN, continuous
from page_table import percent, put_table

from medassay.stats import PairedGate, paired_gates

ERROR: Final = 0.025
REQUESTS: Final = 10
CASES: Final = (50, 200, 1000)
LOSSES: Final = (0.0, 0.01)
SIMULATIONS: Final = 1000
AT_ONCE: Final = 100
SEED: Final = 16180
PAGE: Final = Path(__file__).parents[1] / "design" / "gate-ratchet.md"


class Shares(NamedTuple):
    """Shares of simulated series of pull requests.

    Attributes:
        all_pass: None is worse than the version before it.
        caught_at_last: The last one is worse than the first version.
        ever_caught: Any one is worse than the first version.
        alarms: Pull requests of a hundred that are called worse than the one before.
    """

    all_pass: float
    caught_at_last: float
    ever_caught: float
    alarms: float


def shares(
    cases: int, loss: float, rng: np.random.Generator, simulations: int = SIMULATIONS
) -> Shares:
    """Simulate series of pull requests, each with this loss against the one before."""
    steps, sums = [], []
    for _ in range(simulations // AT_ONCE):
        drawn = continuous(rng, AT_ONCE * REQUESTS, cases, loss).reshape(AT_ONCE, REQUESTS, cases)
        steps.append(_worse(drawn))
        sums.append(_worse(drawn.cumsum(axis=1)))
    step, total = np.concatenate(steps), np.concatenate(sums)
    return Shares(
        float(1 - step.any(axis=1).mean()),
        float(total[:, -1].mean()),
        float(total.any(axis=1).mean()),
        float(step.mean()),
    )


def _worse(drawn: np.ndarray[tuple[int, int, int], np.dtype[np.float64]]) -> np.ndarray:
    found = paired_gates(drawn.reshape(-1, drawn.shape[2]), margin=MARGIN)
    return np.array([_called_worse(one) for one in found]).reshape(drawn.shape[:2])


def _called_worse(one: PairedGate) -> bool:
    """Take the verdict as `compare` does: within the margin beyond doubt goes first."""
    fine = one.p_not_worse is not None and one.p_not_worse <= ERROR
    return not fine and one.p_worse is not None and one.p_worse <= ERROR


def table() -> list[str]:
    """Make the page's table."""
    lines = [
        "| cases | loss each | all pass | alarms in 100 | tenth is caught | any is caught |",
        "| ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    rng = np.random.default_rng(SEED)
    for cases in CASES:
        for loss in LOSSES:
            found = shares(cases, loss, rng)
            cells = [
                percent(found.all_pass, SIMULATIONS),
                percent(found.alarms, SIMULATIONS * REQUESTS),
                percent(found.caught_at_last, SIMULATIONS),
                percent(found.ever_caught, SIMULATIONS),
            ]
            lines.append(f"| {cases:,} | {loss:.2f} | {' | '.join(cells)} |")
    return lines


if __name__ == "__main__":
    put_table(PAGE, table())
