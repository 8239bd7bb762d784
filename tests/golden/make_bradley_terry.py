"""Fit Davidson's model to the preferences of the Cochrane set with statsmodels.

The model is a Poisson log-linear one: of each pair the three counts (i wins, j wins, tie) have
means exp(α_pair + λ_i), exp(α_pair + λ_j) and exp(α_pair + δ + (λ_i + λ_j) / 2). Run in an
environment with numpy and statsmodels:

    python tests/golden/make_bradley_terry.py > tests/golden/bradley_terry.json
"""

import csv
import json
from collections import Counter
from itertools import combinations
from pathlib import Path

import numpy as np
import statsmodels
import statsmodels.api as sm

PAIRWISE = Path(__file__).parents[1] / "data" / "mslr_cochrane" / "pairwise.csv"


def main() -> None:
    """Print strengths with mean 0, and the weight of ties."""
    counts: Counter[tuple[str, str, str]] = Counter()
    with PAIRWISE.open(encoding="utf-8", newline="") as file:
        for cells in csv.DictReader(file):
            a, b = cells["system_a"], cells["system_b"]
            winner = {"A": a, "B": b}.get(cells["choice"], "tie")
            counts[min(a, b), max(a, b), winner] += 1
    systems = sorted({name for key in counts for name in key[:2]})
    pairs = [
        pair for pair in combinations(systems, 2) if any(counts[(*pair, w)] for w in (*pair, "tie"))
    ]
    columns = len(pairs) + len(systems)  # α of each pair, λ of all systems but the first, δ
    rows, observed = [], []
    for p, (i, j) in enumerate(pairs):
        for winner, shares in ((i, {i: 1.0}), (j, {j: 1.0}), ("tie", {i: 0.5, j: 0.5})):
            row = np.zeros(columns)
            row[p] = 1.0
            for name, share in shares.items():
                if name != systems[0]:
                    row[len(pairs) + systems.index(name) - 1] = share
            row[-1] = winner == "tie"
            rows.append(row)
            observed.append(counts[i, j, winner])
    model = sm.GLM(np.array(observed), np.array(rows), family=sm.families.Poisson())
    found = model.fit(tol=1e-14, maxiter=200).params
    strength = np.array([0.0, *found[len(pairs) : -1]])
    strength -= strength.mean()
    made = {
        "tool": f"statsmodels {statsmodels.__version__}, GLM, Poisson",
        "log_strength": dict(zip(systems, strength.tolist(), strict=True)),
        "tie": float(np.exp(found[-1])),
    }
    print(json.dumps(made, indent=2))  # noqa: T201 - a generator prints what it made


if __name__ == "__main__":
    main()
