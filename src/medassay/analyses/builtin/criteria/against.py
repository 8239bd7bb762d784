"""What answers do that no answer should: criteria with points below 0 that are met."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from medassay.analyses.builtin.criteria.record import AgainstCriteria
from medassay.cases import Cases
from medassay.judgements import About
from medassay.stats import clustered_share

if TYPE_CHECKING:
    import polars as pl

__all__ = ["against_of"]

_MOST: Final = 3
_HALF: Final = 0.5


def against_of(
    parts: "pl.DataFrame", cases: Cases, systems: Sequence[str], clusters: Mapping[str, str]
) -> Iterable[AgainstCriteria]:
    """Count for each system the cases where an answer meets a criterion with points below 0.

    An answer meets it where more than half of its raters say so.
    """
    import polars as pl

    bad = pl.DataFrame(
        [
            (case.case, About("criterion", criterion.id).written, criterion.points, criterion.text)
            for case in cases
            for criterion in case.criteria
            if criterion.points < 0
        ],
        schema={
            "case": pl.String(), "about": pl.String(), "points": pl.Float64(), "text": pl.String(),
        },
        orient="row",
    )  # fmt: skip
    if not bad.height:
        return
    judged = parts.drop_nulls("value").join(bad, on=["case", "about"])
    judged = judged.with_columns(met=pl.col("value") > _HALF)
    for system in systems:
        own = judged.filter(system=system)
        by_case = own.group_by("case").agg(pl.col("met").any()).sort("case")
        hits = by_case["met"].to_numpy()
        labels = [clusters.get(case, case) for case in by_case["case"]] if clusters else None
        interval, _ = clustered_share(hits, labels, estimand="cases like these")
        texts = own.filter("met").sort("points", "case", "about")["text"].to_list()
        yield AgainstCriteria(
            system=system,
            cases=by_case.height,
            met=int(hits.sum()),
            interval=interval,
            criteria=tuple(dict.fromkeys(texts))[:_MOST],
        )
