"""The other side of bench/agreement.py: krippendorff and scikit-learn, in their own environment."""

import sys
from collections.abc import Callable
from itertools import combinations

import numpy as np
from measure import measure

LABELS = 5


def alpha(ratings: np.ndarray) -> tuple[Callable[[], object], str]:
    """Krippendorff on its matrix of raters x units."""
    import krippendorff

    matrix = np.ascontiguousarray(ratings.T, dtype=np.float64)
    said = "krippendorff.alpha(reliability_data=, value_domain=, level_of_measurement='ordinal')"
    return lambda: float(
        krippendorff.alpha(
            reliability_data=matrix,
            value_domain=np.arange(LABELS),
            level_of_measurement="ordinal",
        )
    ), said


def counts(ratings: np.ndarray) -> tuple[Callable[[], object], str]:
    """Krippendorff on counts made beforehand, its fastest way."""
    import krippendorff

    table = (ratings[:, :, None] == np.arange(LABELS)).sum(axis=1)
    said = "krippendorff.alpha(value_counts=, level_of_measurement='ordinal')"
    return lambda: float(
        krippendorff.alpha(value_counts=table, level_of_measurement="ordinal")
    ), said


def kappa(
    panel: np.ndarray, case: np.ndarray, weights: np.ndarray
) -> tuple[Callable[[], object], str]:
    """scikit-learn for each replicate and pair, each answer weighing as often as it was drawn."""
    from sklearn.metrics import cohen_kappa_score

    pairs = list(combinations(range(panel.shape[1]), 2))

    def call() -> object:
        return [
            float(
                np.mean(
                    [
                        cohen_kappa_score(
                            panel[:, i],
                            panel[:, j],
                            weights="quadratic",
                            labels=[0, 1, 2],
                            sample_weight=drawn[case],
                        )
                        for i, j in pairs
                    ]
                )
            )
            for drawn in weights
        ]

    return call, "cohen_kappa_score(weights='quadratic', labels=, sample_weight=), in a loop"


def main(task: str, path: str) -> None:
    """Measure one task."""
    data = np.load(path)
    if task == "kappa":
        call, said = kappa(data["panel"], data["case"], data["weights"])
        measure(call, runs=1, peer=said)
        return
    call, said = {"alpha": alpha, "counts": counts}[task](data["ratings"])
    measure(call, runs=3, peer=said)


if __name__ == "__main__":
    main(*sys.argv[1:])
