"""Which columns rank the systems as the raters do, laid out."""

from collections.abc import Callable, Hashable, Sequence

from medassay.analyses import results as r
from medassay.analyses.score_columns import Column
from medassay.stats import holm
from medassay.validity import Primary, Validity

__all__ = ["correlation_results"]

_Pair = tuple[str, str]


def correlation_results(
    columns: Sequence[Column], validities: Sequence[Validity], primary: Primary
) -> list[r.CorrelationResult]:
    """Lay out the correlations, with p adjusted over either family of tests.

    The one family is the metrics of one dimension, as in the trust table: who asks what a metric
    may be used for there reads no other dimension. The other is all metrics and dimensions of one
    consensus method: who looks over the whole table and picks from it has tried them all. What is
    not primary belongs to neither, and has no adjusted p.
    """
    of = {column.name: column for column in columns}
    tested = [
        validity
        for validity in validities
        if not of[validity.metric].control and primary.holds(validity.metric, validity.consensus)
    ]
    here = _holm(tested, lambda validity: validity.consensus)
    everywhere = _holm(tested, lambda validity: of[validity.consensus].method)
    return [
        _correlation(
            validity,
            of[validity.consensus],
            here.get((validity.metric, validity.consensus)),
            everywhere.get((validity.metric, validity.consensus)),
        )
        for validity in validities
    ]


def _holm(
    validities: Sequence[Validity], family: Callable[[Validity], Hashable]
) -> dict[_Pair, float]:
    families: dict[Hashable, dict[_Pair, float]] = {}
    for validity in validities:
        if validity.p is not None:
            families.setdefault(family(validity), {})[validity.metric, validity.consensus] = (
                validity.p
            )
    return {
        pair: p
        for own in families.values()
        for pair, p in zip(own, holm(list(own.values())).tolist(), strict=True)
    }


def _correlation(
    validity: Validity, consensus: Column, p_here: float | None, p_everywhere: float | None
) -> r.CorrelationResult:
    cases, systems, both = (
        [part.interval for part in validity.intervals] if validity.intervals else (None, None, None)
    )
    return r.CorrelationResult(
        metric=validity.metric,
        consensus=validity.consensus,
        dimension=consensus.dimension or "",
        method=consensus.method or "",
        tau=validity.tau,
        reason=validity.undefined,
        p=validity.p,
        p_method=validity.p_method or "",
        p_adjusted=p_here,
        p_adjusted_everywhere=p_everywhere,
        n_systems=validity.n_systems,
        n_cases=validity.n_cases,
        n_answers=validity.n_answers,
        adjusted=validity.adjusted,
        pairs_alike=validity.pairs_alike,
        pairs_reversed=validity.pairs_reversed,
        over_cases=cases,
        over_systems=systems,
        over_both=both,
        no_interval="; ".join(
            f"{part.estimand}: {part.undefined}" for part in validity.intervals if part.undefined
        ),
        reliability_metric=validity.metric_reliability.value,
        reliability_consensus=validity.consensus_reliability.value,
    )
