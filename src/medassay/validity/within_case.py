"""Whether a metric tells the better answer to one case, with its replicates."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.stats import Interval, percentile_interval, tau_within
from medassay.validity.block import Block
from medassay.validity.draws import Draws

__all__ = ["WithinCase", "within_case"]

_FEWEST_CASES: Final = 5

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class WithinCase:
    """Mean tau-b within cases.

    Attributes:
        mean: Over the cases that have one; None where none has.
        cases: How many have one.
        replicates: The mean over each resample of the cases; NaN where it holds no such case.
    """

    mean: float | None
    cases: int
    replicates: Floats

    def interval(self, level: float) -> Interval | None:
        """Give the percentile interval; a mean over cases is not biased by resampling them."""
        if self.mean is None or self.cases < _FEWEST_CASES:
            return None
        estimand = "these systems, new cases"
        made = percentile_interval(self.replicates, estimand=estimand, level=level)
        return made if made.low < made.high else None


def within_case(block: Block, draws: Draws) -> list[list[WithinCase]]:
    """Hold every metric of a block against every consensus, case by case."""
    split = len(block.metrics)
    by_case, _ = draws.of(block)
    by_metric = []
    for human in block.values[split:]:
        taus = tau_within(block.values[:split], human, block.known)
        known = ~np.isnan(taus)
        sums = by_case @ np.where(known, taus, 0.0).T
        with np.errstate(invalid="ignore", divide="ignore"):  # 0/0 is what NaN marks here
            replicates = sums / (by_case @ known.T.astype(np.float64))
        means = [
            float(row[have].mean()) if have.any() else None
            for row, have in zip(taus, known, strict=True)
        ]
        by_metric.append(
            [
                WithinCase(mean, int(have.sum()), column)
                for mean, have, column in zip(means, known, replicates.T, strict=True)
            ]
        )
    return [list(row) for row in zip(*by_metric, strict=True)]
