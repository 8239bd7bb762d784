"""Find response patterns of three raters that give a published study's margins and agreement.

    python tools/solve_synthetic_patterns.py

Prints the constants of src/medassay/study/demo.py. For each dimension an answer has
three labels, so there are ten patterns (how many raters gave each of three labels). Their counts
over 2,800 answers must give, exactly, the label totals and the majority counts of Table 2, and,
within rounding, the unanimous and pairwise agreement of Table 3, with three labels and with two.
Among all counts that do, those nearest to what raters of one common agreement would give are taken.
"""

from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.special import gammaln

ANSWERS, RATERS = 2800, 3
PATTERNS = [p for p in product(range(RATERS + 1), repeat=3) if sum(p) == RATERS]
HALF_OF_A_DIGIT = 0.0005

# Table 2: label totals, majority counts. Table 3: unanimous, pairwise; binary unanimous, pairwise;
# kappa. `yes` holds the labels that count as yes.
DIMENSIONS: dict[str, dict[str, Any]] = {
    "answers-question": {
        "labels": (3824, 2634, 1942), "majority": (1286, 767, 580),
        "full": (0.402, 0.581), "binary": (0.757, 0.838), "kappa": 0.347, "yes": (0, 1),
    },
    "uses-evidence": {
        "labels": (6941, 844, 615), "majority": (2472, 159, 101),
        "full": (0.660, 0.765), "binary": (0.671, 0.781), "kappa": 0.222, "yes": (0,),
    },
    "uses-knowledge": {
        "labels": (2291, 5790, 319), "majority": (583, 2087, 40),
        "full": (0.450, 0.622), "binary": (0.492, 0.661), "kappa": 0.159, "yes": (0,),
    },
}  # fmt: skip


def expected(labels: tuple[int, ...], kappa: float) -> NDArray[np.float64]:
    """Give the pattern counts of raters whose labels follow a Dirichlet-multinomial."""
    alpha = np.array(labels) / sum(labels) * (1 - kappa) / kappa
    logs = [
        gammaln(RATERS + 1)
        + gammaln(alpha.sum())
        - gammaln(RATERS + alpha.sum())
        + sum(gammaln(n + a) - gammaln(a) - gammaln(n + 1) for n, a in zip(p, alpha, strict=True))
        for p in PATTERNS
    ]
    return ANSWERS * np.exp(logs)


def pairwise(counts: tuple[int, ...]) -> float:
    """Give the share of the three pairs of raters that agree."""
    return sum(n * (n - 1) for n in counts) / (RATERS * (RATERS - 1))


def solve(facts: dict[str, Any]) -> dict[tuple[int, ...], int]:
    """Solve for the counts: integers, as near to the expected ones as the constraints let them."""
    rows, low, high = [], [], []

    def require(row: list[float], least: float, most: float) -> None:
        rows.append(row)
        low.append(least)
        high.append(most)

    for k in range(3):
        require([p[k] for p in PATTERNS], facts["labels"][k], facts["labels"][k])
        majority = facts["majority"][k]
        require([float(p[k] * 2 > RATERS) for p in PATTERNS], majority, majority)
    yes = [sum(p[k] for k in facts["yes"]) for p in PATTERNS]
    binary = [(n, RATERS - n) for n in yes]
    for patterns, (unanimous, agreeing) in (
        (PATTERNS, facts["full"]),
        (binary, facts["binary"]),
    ):
        near = HALF_OF_A_DIGIT * ANSWERS
        require([float(max(p) == RATERS) for p in patterns],
                unanimous * ANSWERS - near, unanimous * ANSWERS + near)  # fmt: skip
        require([pairwise(p) for p in patterns],
                agreeing * ANSWERS - near, agreeing * ANSWERS + near)  # fmt: skip
    size, target = len(PATTERNS), expected(facts["labels"], facts["kappa"])
    # Distance to the target: one slack a pattern, n - slack <= target and n + slack >= target.
    identity = np.eye(size)
    weights = 1 / np.sqrt(target)
    found = milp(
        np.concatenate([np.zeros(size), weights]),
        constraints=[
            LinearConstraint(np.hstack([rows, np.zeros((len(rows), size))]), low, high),
            LinearConstraint(np.hstack([identity, -identity]), -np.inf, target),
            LinearConstraint(np.hstack([identity, identity]), target, np.inf),
        ],
        integrality=np.concatenate([np.ones(size), np.zeros(size)]),
        bounds=Bounds(0, np.inf),
    )
    return dict(zip(PATTERNS, np.round(found.x[:size]).astype(int).tolist(), strict=True))


if __name__ == "__main__":
    for name, known in DIMENSIONS.items():
        print(f'"{name}": {solve(known)},')
