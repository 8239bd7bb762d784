"""Which columns rank the systems as the raters do, laid out."""

from collections.abc import Sequence

from medassay.stats import holm
from medassay.study import results as r
from medassay.study.analysis.gathered import Column
from medassay.validity import Validity

__all__ = ["correlation_results"]


def correlation_results(
    columns: Sequence[Column], found: Sequence[Validity]
) -> list[r.CorrelationResult]:
    """Lay out the correlations; p is adjusted over the metrics and dimensions of one method."""
    of = {column.name: column for column in columns}
    adjusted: dict[tuple[str, str], float] = {}
    for method in dict.fromkeys(of[one.consensus].method for one in found):
        family = [
            one
            for one in found
            if of[one.consensus].method == method
            and not of[one.metric].control
            and one.p is not None
        ]
        values = holm([one.p for one in family if one.p is not None]).tolist()
        for one, value in zip(family, values, strict=True):
            adjusted[one.metric, one.consensus] = value
    return [_correlation(one, of[one.consensus], adjusted) for one in found]


def _correlation(
    one: Validity, consensus: Column, adjusted: dict[tuple[str, str], float]
) -> r.CorrelationResult:
    cases, systems, both = (
        [r.IntervalResult.of(part.interval) for part in one.intervals]
        if one.intervals
        else (None, None, None)
    )
    return r.CorrelationResult(
        metric=one.metric,
        consensus=one.consensus,
        dimension=consensus.dimension or "",
        method=consensus.method or "",
        tau=one.tau,
        reason=one.undefined,
        p=one.p,
        p_method=one.p_method or "",
        p_adjusted=adjusted.get((one.metric, one.consensus)),
        n_systems=one.n_systems,
        n_cases=one.n_cases,
        n_answers=one.n_answers,
        adjusted=one.adjusted,
        over_cases=cases,
        over_systems=systems,
        over_both=both,
        no_interval="; ".join(
            f"{part.estimand}: {part.undefined}" for part in one.intervals if part.undefined
        ),
        reliability_metric=one.metric_reliability.value,
        reliability_consensus=one.consensus_reliability.value,
    )
