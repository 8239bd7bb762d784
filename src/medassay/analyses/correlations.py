"""Which columns rank the systems as the raters do, laid out."""

from collections.abc import Callable, Hashable, Sequence

from medassay.analyses import results as r
from medassay.analyses.gathered import Column
from medassay.stats import holm
from medassay.validity import Validity

__all__ = ["correlation_results"]

_Pair = tuple[str, str]


def correlation_results(
    columns: Sequence[Column], found: Sequence[Validity]
) -> list[r.CorrelationResult]:
    """Lay out the correlations, with p adjusted over either family of tests.

    The one family is the metrics of one dimension, as in the trust table: who asks what a metric
    may be used for there reads no other dimension. The other is all metrics and dimensions of one
    consensus method: who looks over the whole table and picks from it has tried them all.
    """
    of = {column.name: column for column in columns}
    tested = [one for one in found if not of[one.metric].control]
    here = _holm(tested, lambda one: one.consensus)
    everywhere = _holm(tested, lambda one: of[one.consensus].method)
    return [
        _correlation(
            one,
            of[one.consensus],
            here.get((one.metric, one.consensus)),
            everywhere.get((one.metric, one.consensus)),
        )
        for one in found
    ]


def _holm(found: Sequence[Validity], family: Callable[[Validity], Hashable]) -> dict[_Pair, float]:
    families: dict[Hashable, dict[_Pair, float]] = {}
    for one in found:
        if one.p is not None:
            families.setdefault(family(one), {})[one.metric, one.consensus] = one.p
    return {
        pair: p
        for own in families.values()
        for pair, p in zip(own, holm(list(own.values())).tolist(), strict=True)
    }


def _correlation(
    one: Validity, consensus: Column, p_here: float | None, p_everywhere: float | None
) -> r.CorrelationResult:
    cases, systems, both = (
        [part.interval for part in one.intervals] if one.intervals else (None, None, None)
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
        p_adjusted=p_here,
        p_adjusted_everywhere=p_everywhere,
        n_systems=one.n_systems,
        n_cases=one.n_cases,
        n_answers=one.n_answers,
        adjusted=one.adjusted,
        pairs_alike=one.pairs_alike,
        pairs_reversed=one.pairs_reversed,
        over_cases=cases,
        over_systems=systems,
        over_both=both,
        no_interval="; ".join(
            f"{part.estimand}: {part.undefined}" for part in one.intervals if part.undefined
        ),
        reliability_metric=one.metric_reliability.value,
        reliability_consensus=one.consensus_reliability.value,
    )
