"""The competence of each rater by a fitted MACE, with its interval over cases."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import numpy as np

from medassay.consensus import ConsensusDetails, fit_mace, mace_settings
from medassay.stats import Interval, bootstrap_counts, percentile_interval

__all__ = ["competences"]

_RESTARTS: Final = 2
"""Of each resample: enough, since only the parts that resampling moves are wanted."""


def competences(
    fitted: ConsensusDetails, rng: np.random.Generator, replicates: int, level: float
) -> Iterator[tuple[str, float | None, Interval | None, int, str]]:
    """Give each rater's competence, its interval, labels, and why there is no interval.

    The competence is that of the fit itself. For the interval cases are resampled as weights of
    their answers, and the same model, with its parameters, control items and priors, is fitted
    anew each time. Where labels do not show how often a rater knows there is neither, and a reason.
    Of a method that is no MACE, or that had nothing to fit, nothing is given.
    """
    settings, model, read = mace_settings(fitted.method), fitted.joined.model, fitted.units
    if settings is None or model is None:
        return
    weights = bootstrap_counts(len(read.cases), replicates, rng)[:, read.case]
    few = replace(settings, restarts=min(settings.restarts, _RESTARTS))
    known = {key: label for key, label in zip(read.keys, model.known, strict=True) if label}
    drawn = np.array(
        [
            fit_mace(
                read, rng=rng, settings=few, known=known, priors=model.priors, weights=row
            ).competence
            for row in weights
        ]
    )
    labels_by = np.bincount(read.rater, minlength=len(read.raters))
    for j, rater in enumerate(read.raters):
        if model.unknown[j]:
            yield rater, None, None, int(labels_by[j]), model.unknown[j]
            continue
        # Where none of a rater's answers was drawn, the fit knows the prior alone.
        there = weights[:, read.unit[read.rater == j]].sum(axis=1) > 0
        values = drawn[there, j]
        interval, why = None, "every resample has the same competence"
        if values.size and np.ptp(values) > 0:
            interval = percentile_interval(values, estimand="this rater, new cases", level=level)
            why = ""
        yield rater, fitted.joined.quality[j], interval, int(labels_by[j]), why
