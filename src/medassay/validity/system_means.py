"""The mean consensus of each system over its answers."""

import numpy as np
from numpy.typing import NDArray

from medassay.consensus import join_units
from medassay.judgements import Units
from medassay.scores import Score
from medassay.stats.streams import stream

__all__ = ["system_means"]


def system_means(units: Units, systems: list[str], method: str, seed: int) -> NDArray[np.float64]:
    """Join the labels, and give each system's mean; NaN where it has no score.

    Args:
        units: What the raters said.
        systems: The systems, in the order wanted.
        method: The consensus method.
        seed: Seeds what the method draws: the same for every part of a dimension's labels, so that
            results differ by the labels alone.
    """
    labelled, joined = join_units(units, method, rng=stream(seed, "s09", units.dimension))
    row = {system: i for i, system in enumerate(systems)}
    total, count = np.zeros((2, len(systems)))
    for (system, _), score in zip(labelled.keys, joined.scores, strict=True):
        if isinstance(score, Score):
            total[row[system]] += score.value
            count[row[system]] += 1
    means: NDArray[np.float64] = np.full(len(systems), np.nan)
    np.divide(total, count, out=means, where=count > 0)
    return means
