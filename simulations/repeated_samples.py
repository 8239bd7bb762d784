"""Is what k answers do together estimated without bias? To simulations/repeated-samples.md.

    python simulations/repeated_samples.py [STUDIES]

Each case has its own chance to be answered rightly; n answers to it are drawn. *Bias*: the mean of
the estimates less the true value, in points, ours and that of (c/n)^k. *Held*: percent of nominal
95% intervals that hold the true value.
"""

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
from page_table import percent, put_table

from medassay.validity import Together, repeated_samples

if TYPE_CHECKING:
    from numpy.typing import NDArray

STUDIES: Final = 1000
SEED: Final = 41_300
PAGE: Final = Path(__file__).parents[1] / "simulations" / "repeated-samples.md"
ENDS: Final = (0.0, 1.0)
MIXES: Final = {"even": (1.0, 1.0), "seldom wrong": (9.0, 1.0), "sure": (0.3, 0.3)}
"""How cases' chances lie: Beta distributions."""
DESIGNS: Final = tuple(
    (mix, cases, n, k)
    for mix, cases, n, k in (
        ("even", 20, 3, 2), ("even", 20, 3, 3), ("even", 50, 5, 3), ("even", 50, 6, 4),
        ("even", 50, 10, 5), ("even", 200, 10, 10), ("seldom wrong", 20, 3, 3),
        ("seldom wrong", 50, 5, 5), ("seldom wrong", 50, 7, 7), ("seldom wrong", 50, 10, 10),
        ("sure", 50, 4, 4), ("sure", 100, 8, 5), ("sure", 100, 9, 6),
    )
)  # fmt: skip


def row(mix: str, cases: int, n: int, k: int, studies: int) -> list[str]:
    """Simulate one row of the table."""
    rng = np.random.default_rng([SEED, list(MIXES).index(mix), cases, n, k])
    large = rng.beta(*MIXES[mix], size=1_000_000)
    graded = np.sort(rng.beta(*MIXES[mix], size=(200_000, 1)) * rng.random((200_000, k)), axis=1)
    truths = {
        "all pass": float((large**k).mean()),
        "one passes": float((1 - (1 - large) ** k).mean()),
        "worst": float(graded[:, 0].mean()),
    }
    errors: dict[Together, list[float]] = {"all pass": [], "one passes": [], "worst": []}
    held = dict.fromkeys(errors, 0)
    naive = []
    for _ in range(studies):
        chance = rng.beta(*MIXES[mix], size=(cases, 1))
        right = (rng.random((cases, n)) < chance).astype(float)
        scores = chance * rng.random((cases, n))
        naive.append(float((right.mean(axis=1) ** k).mean()) - truths["all pass"])
        seen: dict[Together, NDArray[np.float64]] = {
            "all pass": right,
            "one passes": right,
            "worst": scores,
        }
        for of, values in seen.items():
            samples = {f"{case:03}": own.tolist() for case, own in enumerate(values)}
            found = repeated_samples("A", "m", samples, of, k, rng=rng, ends=ENDS)
            errors[of].append((found.value or 0.0) - truths[of])
            around = found.interval
            held[of] += around is not None and around.low <= truths[of] <= around.high
    bias = [f"{100 * float(np.mean(own)):+.1f}" for own in (*errors.values(), naive)]
    text = [one.replace("-", "−") for one in bias]
    return [mix, *map(str, (cases, n, k)), *text,
            *(percent(count / studies, studies) for count in held.values())]  # fmt: skip


def main() -> None:
    """Write the table between the page's marks."""
    studies = int(sys.argv[1]) if len(sys.argv) > 1 else STUDIES
    head = ["cases' chances", "cases", "answers to a case", "k", "bias of pass^k", "of pass@k"]
    head += ["of the worst", "of (c/n)^k", "held, pass^k", "held, pass@k", "held, the worst"]
    lines = [f"| {' | '.join(head)} |", f"| {' | '.join(['---'] * len(head))} |"]
    for design in DESIGNS:
        lines.append(f"| {' | '.join(row(*design, studies))} |")
        print(lines[-1], flush=True)
    if studies >= STUDIES:
        put_table(PAGE, lines)


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    main()
