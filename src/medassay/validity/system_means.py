"""The mean consensus of each system over its answers."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from medassay.consensus import join_units
from medassay.judgements import Units
from medassay.scores import Score
from medassay.stats import CaseAdjustment
from medassay.stats.randomness import stream

__all__ = ["SystemMeans", "system_means"]


@dataclass(frozen=True, slots=True, eq=False)
class SystemMeans:
    """One mean a system.

    Attributes:
        means: Shape (systems,); NaN where a system has no score.
        undefined: Why there is no mean at all, where cases do not link the systems; else empty.
    """

    means: NDArray[np.float64]
    undefined: str = ""


def system_means(units: Units, systems: list[str], method: str, seed: int) -> SystemMeans:
    """Join the labels, and give each system's mean.

    Where not every system has a score on every case, means are adjusted by case, so that nobody is
    ahead for having had the easy ones.

    Args:
        units: What the raters said.
        systems: The systems, in the order wanted.
        method: The consensus method.
        seed: Seeds what the method draws: the same for every part of a dimension's labels, so that
            results differ by the labels alone.
    """
    labelled, joined = join_units(units, method, rng=stream(seed, "s09", units.dimension))
    row = {system: i for i, system in enumerate(systems)}
    values = np.zeros((len(systems), len(labelled.cases)))
    known = np.zeros(values.shape, dtype=np.bool_)
    for (system, *_), case, score in zip(labelled.keys, labelled.case, joined.scores, strict=True):
        if isinstance(score, Score):
            values[row[system], case] = score.value
            known[row[system], case] = True
    means: NDArray[np.float64] = np.full(len(systems), np.nan)
    there = known.any(axis=1)
    adjustment = CaseAdjustment(known[there])
    means[there] = adjustment.means(values[None, there])[0]
    return SystemMeans(means, adjustment.undefined)
