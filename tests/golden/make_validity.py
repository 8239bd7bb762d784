"""Golden values of scipy and of mt-metrics-eval for the measures of validity.

mt-metrics-eval is not on the package index: clone google-research/mt-metrics-eval at commit
68a481aea1a787392d55af8f76ac8ef40c5f4664, and in an environment with numpy and scipy run

    PYTHONPATH=path/to/the/clone python tests/golden/make_validity.py > tests/golden/validity.json

Only values that it gets right are taken: soft pairwise accuracy on continuous scores (it breaks
ties by the order of the systems), and PERM-BOTH's difference with both tails counted (its p is
one-sided, drawn from the global generator, and can be 0).
"""

import json

import numpy as np
import scipy
from mt_metrics_eval import pce, stats
from scipy.stats import kendalltau, pearsonr, spearmanr

SEED = 20_26


def main() -> None:
    """Print all of it."""
    rng = np.random.default_rng(SEED)
    columns = []
    for likert in (False, True):
        x = rng.integers(0, 4, 15).astype(float) if likert else rng.normal(size=15)
        y = np.round(x + rng.normal(size=15), 0 if likert else 6)
        columns.append(
            {
                "x": x.tolist(),
                "y": y.tolist(),
                "pearson": float(pearsonr(x, y)[0]),
                "spearman": float(spearmanr(x, y)[0]),
            }
        )
    soft = []
    for spread in (0.0, 0.4):
        truth = spread * rng.normal(size=(6, 1))
        metric, human = np.round(truth + rng.normal(size=(2, 6, 25)), 6)
        p = [
            pce.compute_pairwise_p_values(side, num_permutations=20_000) for side in (metric, human)
        ]
        soft.append(
            {
                "metric": metric.tolist(),
                "human": human.tolist(),
                "spa": float(pce.compute_one_minus_pce(p[1], p[0])),
            }
        )
    made = {
        "tools": f"scipy {scipy.__version__}; mt-metrics-eval 68a481a",
        "columns": columns,
        "soft": soft,
        "perm_both": _swaps(rng),
    }
    print(json.dumps(made))  # noqa: T201 - a generator prints what it made


def _swaps(rng: np.random.Generator) -> dict[str, object]:
    """Swap two metrics answer by answer 4,000 times, at the level of systems."""
    truth = 0.5 * rng.normal(size=(8, 1))
    human, first = np.round(truth + rng.normal(size=(2, 8, 20)), 6)
    second = np.round(0.4 * truth + rng.normal(size=(8, 20)), 6)

    def of_means(gold: "np.typing.ArrayLike", metric: "np.typing.ArrayLike") -> tuple[float]:
        shaped = [np.asarray(side).reshape(8, 20).mean(axis=1) for side in (gold, metric)]
        return (float(kendalltau(*shaped).statistic),)

    np.random.seed(SEED)  # noqa: NPY002 - it draws from the global generator
    correlations = [
        stats.Correlation(8, human.ravel().tolist(), side.ravel().tolist())
        for side in (second, first)
    ]
    params = stats.PermutationSigDiffParams(block_size=10**9)
    _, delta, _, drawn = stats.PermutationSigDiff(*correlations, of_means, k=4000, params=params)
    apart = np.abs([a - b for a, b in drawn])
    return {
        "first": first.tolist(),
        "second": second.tolist(),
        "human": human.tolist(),
        "difference": delta,
        "two_sided_p": float((1 + (apart >= abs(delta) - 1e-12).sum()) / 4001),
    }


if __name__ == "__main__":
    main()
