"""How often does a rater's drift make a leader of equal systems, by the order of judging?

    python simulations/judging_order.py [STUDIES]

Four equal systems, three raters who judge every answer of 60 cases, labels from 1 to 5. Each rater
grows milder evenly from the first answer to the last by so many points, or not. *False leader*: a
pair of systems stands after Holm at .05. *Now*: and the board is not stopped since systems were
judged in blocks. The table is written into simulations/judging-order.md.
"""

import sys
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray
from page_table import percent, put_table

from medassay.stats import compare_all_pairs, holm
from medassay.validity import judging_order

STUDIES: Final = 1000
SEED: Final = 31_607
SYSTEMS, RATERS, CASES = 4, 3, 60
PERMUTATIONS: Final = 1000
LEVEL: Final = 0.05
PAGE: Final = Path(__file__).parents[1] / "simulations" / "judging-order.md"
ORDERS: Final = (
    "all answers mixed",
    "case by case",
    "one system after another, alike for all",
    "one system after another, each rater's order",
    "two systems, then the other two",
    "one system last, the others mixed",
    "nine answers of ten mixed",
)
UNMIXED: Final = 0.1
DRIFTS: Final = (0.0, 0.5, 1.0)

Places = NDArray[np.int64]


def places(order: str, rng: np.random.Generator) -> Places:
    """Give each answer's place for one rater, shape (systems, cases)."""
    luck = rng.random((SYSTEMS, CASES))
    system = np.arange(SYSTEMS)[:, None]
    key = {
        "all answers mixed": luck,
        "case by case": rng.permutation(CASES)[None] + luck,
        "one system after another, alike for all": system + luck,
        "one system after another, each rater's order": rng.permutation(SYSTEMS)[:, None] + luck,
        "two systems, then the other two": system // 2 + luck,
        "one system last, the others mixed": system // (SYSTEMS - 1) + luck,
        "nine answers of ten mixed": np.where(
            rng.random(luck.shape) < UNMIXED, system, luck * SYSTEMS
        ),
    }[order]
    return key.ravel().argsort().argsort().reshape(luck.shape)


def study(order: str, drift: float, rng: np.random.Generator) -> tuple[bool, bool]:
    """Say whether any two systems are told apart, and whether the board is stopped."""
    at = np.array([places(order, rng) for _ in range(RATERS)])
    worth = 0.7 * rng.normal(size=(1, CASES)) + 0.7 * rng.normal(size=(SYSTEMS, CASES))
    heard = worth + 0.6 * rng.normal(size=at.shape) + drift * (at / at[0].size - 0.5)
    means = np.clip(np.rint(3 + heard), 1, 5).mean(axis=0)
    known = np.ones(means.shape, dtype=np.bool_)
    pairs = compare_all_pairs(means, known, rng=rng, permutations=PERMUTATIONS)
    apart = bool((holm([1.0 if pair.p is None else pair.p for pair in pairs]) <= LEVEL).any())
    rater, system, _ = np.indices(at.shape)
    found = judging_order(
        rater.ravel().tolist(), [str(i) for i in system.ravel()], at.ravel().tolist()
    )
    return apart, found.kind == "blocks"


def main(studies: int) -> None:
    """Write the table."""
    lines = [
        "| order | drift, points | false leader, before | now | stopped |",
        "| --- | ---: | ---: | ---: | ---: |",
    ]
    for number, order in enumerate(ORDERS):
        for drift in DRIFTS:
            rng = np.random.default_rng([SEED, number, int(10 * drift)])
            found = np.array([study(order, drift, rng) for _ in range(studies)])
            apart, stopped = found.T
            shares = (apart.mean(), (apart & ~stopped).mean(), stopped.mean())
            cells = " | ".join(percent(float(share), studies) for share in shares)
            lines.append(f"| {order} | {drift} | {cells} |")
            print(lines[-1], flush=True)
    put_table(PAGE, lines)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else STUDIES)
