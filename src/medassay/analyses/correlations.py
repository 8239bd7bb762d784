"""Which columns rank the systems as the raters do, with p adjusted over either family of tests."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace

from medassay.analyses.score_columns import Column
from medassay.stats import holm
from medassay.validity import Primary, Validity

__all__ = ["adjusted_validities"]

_Pair = tuple[str, str]


def adjusted_validities(
    columns: Sequence[Column], validities: Sequence[Validity], primary: Primary
) -> tuple[Validity, ...]:
    """Say of each whose dimension it is, with p adjusted over either family of tests.

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
    return tuple(
        replace(
            validity,
            dimension=of[validity.consensus].dimension or "",
            method=of[validity.consensus].method or "",
            control=of[validity.metric].control,
            p_adjusted=here.get((validity.metric, validity.consensus)),
            p_adjusted_everywhere=everywhere.get((validity.metric, validity.consensus)),
        )
        for validity in validities
    )


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
