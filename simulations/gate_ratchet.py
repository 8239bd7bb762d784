"""What becomes of small losses, one pull request after another?

    python simulations/gate_ratchet.py

Each pull request is compared with the version merged last, and with the first one: in a gate of its
own, and in one verdict with the other, as `compare --baseline` has it.
All are scored on the same cases. A change of one answer's score is skewed with SD .12, as in
`gate_errors`, and lasts: the difference from the first version is the sum of the changes so far.
"""

from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from gate_errors import MARGIN, continuous
from page_table import percent, put_table

from medassay.stats import PairedGate, holm, paired_gates

ERROR: Final = 0.025
REQUESTS: Final = 10
CASES: Final = (50, 200, 1000)
LOSSES: Final = (0.0, 0.01)
SIMULATIONS: Final = 1000
AT_ONCE: Final = 100
SEED: Final = 16180
PAGE: Final = Path(__file__).parents[1] / "simulations" / "gate-ratchet.md"


class Shares(NamedTuple):
    """Shares of simulated series of pull requests.

    Attributes:
        all_pass: None is worse than the version before it.
        alarms: Pull requests of a hundred that are called worse than the one before.
        caught_at_last: The last one is worse than the first version, in a gate of its own.
        all_pass_both: None is worse than either, in one verdict.
        alarms_both: Pull requests of a hundred that are called worse in one verdict.
        last_not_worse: The last one is called metric not worse in one verdict.
    """

    all_pass: float
    alarms: float
    caught_at_last: float
    all_pass_both: float
    alarms_both: float
    last_not_worse: float


def shares(
    cases: int, loss: float, rng: np.random.Generator, simulations: int = SIMULATIONS
) -> Shares:
    """Simulate series of pull requests, each with this loss against the one before."""
    steps, sums, both = [], [], []
    for _ in range(simulations // AT_ONCE):
        drawn = continuous(rng, AT_ONCE * REQUESTS, cases, loss).reshape(AT_ONCE, REQUESTS, cases)
        before, first = _tests(drawn), _tests(drawn.cumsum(axis=1))
        shape = (AT_ONCE, REQUESTS)
        steps.append(np.array([_verdict([one]) for one in before]).reshape(shape))
        sums.append(np.array([_verdict([one]) for one in first]).reshape(shape))
        pairs = zip(before, first, strict=True)
        both.append(np.array([_verdict(list(pair)) for pair in pairs]).reshape(shape))
    step, total, joint = (np.concatenate(each) for each in (steps, sums, both))
    return Shares(
        float(1 - (step == "worse").any(axis=1).mean()),
        float((step == "worse").mean()),
        float((total[:, -1] == "worse").mean()),
        float(1 - (joint == "worse").any(axis=1).mean()),
        float((joint == "worse").mean()),
        float((joint[:, -1] == "metric not worse").mean()),
    )


def _tests(drawn: np.ndarray[tuple[int, int, int], np.dtype[np.float64]]) -> list[PairedGate]:
    return paired_gates(drawn.reshape(-1, drawn.shape[2]), margin=MARGIN)


def _verdict(rows: list[PairedGate]) -> str:
    """Take the verdict as `compare` does: a row within the margin beyond doubt is not worse."""
    worse = holm([1.0 if one.p_worse is None else one.p_worse for one in rows])
    fine = holm([1.0 if one.p_not_worse is None else one.p_not_worse for one in rows])
    said = [
        "metric not worse" if f <= ERROR else "worse" if w <= ERROR else "undecided"
        for w, f in zip(worse, fine, strict=True)
    ]
    if "worse" in said:
        return "worse"
    return "metric not worse" if set(said) == {"metric not worse"} else "undecided"


def table() -> list[str]:
    """Make the page's table."""
    lines = [
        (
            "| cases | loss each | all pass, last alone | alarms in 100 "
            "| tenth caught, first alone | all pass, both | alarms in 100, both "
            "| tenth metric not worse, both |"
        ),
        "| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    rng = np.random.default_rng(SEED)
    for cases in CASES:
        for loss in LOSSES:
            found = shares(cases, loss, rng)
            series, requests = SIMULATIONS, SIMULATIONS * REQUESTS
            of = (series, requests, series, series, requests, series)
            cells = [percent(share, n) for share, n in zip(found, of, strict=True)]
            lines.append(f"| {cases:,} | {loss:.2f} | {' | '.join(cells)} |")
            print(lines[-1], flush=True)
    return lines


if __name__ == "__main__":
    put_table(PAGE, table())
