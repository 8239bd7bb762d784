"""MACE's competence of each rater, with its interval over cases."""

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from medassay.consensus import MaceSettings, fit_mace
from medassay.judgements import Judgements, units
from medassay.stats import Interval, bootstrap_counts, percentile_interval

__all__ = ["competences"]

_RESTARTS: Final = 2
"""Of each resample: enough, since only the parts that resampling moves are wanted."""


def competences(
    judgements: Judgements,
    dimension: str,
    phases: Sequence[str],
    rng: np.random.Generator,
    replicates: int,
    level: float,
) -> Iterator[tuple[str, float | None, Interval | None, int, str]]:
    """Give each rater's competence, its interval, labels, and why there is none.

    Cases are resampled as weights of their answers, and the model is fitted anew each time.
    """
    read = units(judgements, dimension, phases=phases).with_labels(1)
    found = fit_mace(read, rng=rng)
    weights = bootstrap_counts(len(read.cases), replicates, rng)[:, read.case]
    few = MaceSettings(restarts=_RESTARTS)
    drawn = np.array(
        [fit_mace(read, rng=rng, settings=few, weights=row).competence for row in weights]
    )
    said = np.bincount(read.rater, minlength=len(read.raters))
    for j, rater in enumerate(read.raters):
        # Where none of a rater's answers was drawn, the fit knows the prior alone.
        there = weights[:, read.unit[read.rater == j]].sum(axis=1) > 0
        values = drawn[there, j]
        interval, why = None, "every resample has the same competence"
        if values.size and np.ptp(values) > 0:
            interval = percentile_interval(values, estimand="this rater, new cases", level=level)
            why = ""
        yield rater, found.competence[j], interval, int(said[j]), why
