"""The one side of bench/agreement.py: medassay. Arguments: the task, the file of ratings."""

import sys
from collections.abc import Callable
from importlib import import_module

import numpy as np
from measure import measure

from medassay.agreement import (
    Prepared,
    agree_on_units,
    coincidences,
    find_coefficient,
    krippendorff_alpha,
)
from medassay.judgements import Units

LABELS = ("1", "2", "3", "4", "5")


def fresh(units: Units) -> Units:
    """Give the same units without anything that was computed from them before."""
    return Units(**{name: getattr(units, name) for name in Units.__dataclass_fields__})


def alpha(ratings: np.ndarray) -> Callable[[], object]:
    """Krippendorff's alpha as `agree` gives it."""
    units = Units.from_codes(ratings, LABELS, scale="ordinal")

    def call() -> object:
        (row,) = agree_on_units(fresh(units), coefficient_names=["krippendorff(level=ordinal)"])
        return row.value

    return call


def counts(ratings: np.ndarray) -> Callable[[], object]:
    """The same from a table of counts."""
    table = Units.from_codes(ratings, LABELS).counts
    return lambda: float(krippendorff_alpha(coincidences(table), "ordinal"))


def kappa(panel: np.ndarray, case: np.ndarray, weights: np.ndarray) -> Callable[[], object]:
    """The mean over rater pairs of quadratic kappa, in every replicate."""
    keys = [(f"{i:04}", f"{of:03}") for i, of in enumerate(case.tolist())]
    units = Units.from_codes(panel, LABELS[:3], keys=keys, scale="ordinal")
    found = find_coefficient("mean_cohen")[0]
    drawn = weights.astype(np.float64)

    def call() -> object:
        prepared = found.prepare(fresh(units), weights="quadratic")
        if not isinstance(prepared, Prepared):
            raise SystemExit(str(prepared))
        return prepared.at(drawn).tolist()

    return call


def warm() -> None:
    """Load what is loaded on first use, as a study has done long before it comes to agreement."""
    agree_on_units(Units.from_codes([[0, 1], [1, 1]], LABELS), coefficient_names=["krippendorff"])
    import_module("polars")


def main(task: str, path: str) -> None:
    """Measure one task."""
    warm()
    data = np.load(path)
    if task == "kappa":
        measure(kappa(data["panel"], data["case"], data["weights"]), runs=3)
    else:
        measure({"alpha": alpha, "counts": counts}[task](data["ratings"]), runs=3)


if __name__ == "__main__":
    main(*sys.argv[1:])
