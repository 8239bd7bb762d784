"""Write repeated.json: what k of n answers do together, by going through every subset.

Knows nothing of medassay. `humaneval` is the published function of HumanEval (Chen et al. 2021,
figure 3), a product where ours is a quotient of binomial coefficients.
"""

import json
from itertools import combinations
from pathlib import Path

import numpy as np

_KEPT = Path(__file__).with_name("repeated.json")


def pass_at_k(n: int, c: int, k: int) -> float:
    """Give pass@k as HumanEval's figure 3 prints it."""
    if n - c < k:
        return 1.0
    return float(1.0 - np.prod(1.0 - k / np.arange(n - c + 1, n + 1)))


def main() -> None:
    """Enumerate all n to 10."""
    passes = []
    for n in range(1, 11):
        for c in range(n + 1):
            samples = [1] * c + [0] * (n - c)
            for k in range(1, n + 1):
                subsets = list(combinations(samples, k))
                passes.append(
                    {
                        "n": n,
                        "c": c,
                        "k": k,
                        "all": sum(map(all, subsets)) / len(subsets),
                        "any": sum(map(any, subsets)) / len(subsets),
                        "humaneval": pass_at_k(n, c, k),
                    }
                )
    rng = np.random.default_rng(41)
    graded = []
    for n in range(2, 11):
        scores = rng.choice([0.0, 0.25, 0.5, 0.75, 1.0], size=n).tolist()
        for k in range(1, n + 1):
            subsets = list(combinations(scores, k))
            worst = sum(map(min, subsets)) / len(subsets)
            graded.append({"scores": scores, "k": k, "worst": worst})
    _KEPT.write_text(json.dumps({"passes": passes, "graded": graded}) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
