"""The same resamples of cases and systems for every block of sources."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from medassay.scores import Grid
from medassay.stats import bootstrap_counts
from medassay.stats.clusters import group_labels
from medassay.stats.randomness import stream
from medassay.validity.block import Block
from medassay.validity.source import in_canonical_order
from medassay.validity.tau_interval import (
    FEWEST_CASES,
    FEWEST_FAMILIES,
    Resampling,
    too_few,
)

__all__ = ["Draws", "draw"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Draws:
    """How often each case and each system is drawn in each resample.

    Drawn once over all systems and cases of the study, so that resamples stay paired between
    metrics that know different answers.
    """

    systems: dict[str, int]
    cases: dict[str, int]
    by_system: Floats
    by_case: Floats
    how: Resampling

    def of(self, block: Block) -> tuple[Floats, Floats]:
        """Give the counts of the block's cases and of its systems."""
        return (
            self.by_case[:, [self.cases[case] for case in block.cases]],
            self.by_system[:, [self.systems[system] for system in block.systems]],
        )

    def too_few(self, block: Block) -> str:
        """Say why the block cannot be resampled; nothing where it can."""
        cases = len(set(group_labels(block.cases, self.how.clusters)))
        systems = len(set(group_labels(block.systems, self.how.families)))
        return too_few(cases, FEWEST_CASES, "case", self.how.clusters) or too_few(
            systems, FEWEST_FAMILIES, "system", self.how.families
        )


def draw(grid: Grid, how: Resampling) -> Draws:
    """Draw whole clusters of cases and whole families of systems, with replacement."""
    layout = in_canonical_order(grid)
    of_case = group_labels(layout.cases, how.clusters)
    of_system = group_labels(layout.systems, how.families)
    cases = stream(how.seed, "s15", *layout.cases)
    systems = stream(how.seed, "s16", *layout.systems)
    by_system = bootstrap_counts(len(layout.systems), how.replicates, systems, of_system)
    by_case = bootstrap_counts(len(layout.cases), how.replicates, cases, of_case)
    return Draws(
        {name: i for i, name in enumerate(layout.systems)},
        {name: i for i, name in enumerate(layout.cases)},
        by_system,
        by_case,
        how,
    )
