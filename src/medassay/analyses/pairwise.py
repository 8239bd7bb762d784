"""Agreement of every two raters, in one line a dimension: mean, least, greatest."""

from collections.abc import Sequence
from statistics import fmean
from typing import Final

from medassay.agreement import Slice
from medassay.analyses.results.summary import PairwiseResult
from medassay.study.folder import Study

__all__ = ["pairwise_results"]


_SUMMED: Final = ("cohen", "cohen(weights=linear)")
"""Plain for labels without an order, linear for those with one; the others are in the parts."""


def pairwise_results(study: Study, parts: Sequence[Slice]) -> list[PairwiseResult]:
    """Sum up Cohen's kappa over pairs of raters; pairs without a value are counted, with why."""
    groups: dict[tuple[str, str, str], list[Slice]] = {}
    for part in parts:
        agreement = part.agreement
        ordered = study.rubric.dimension(agreement.dimension).scale != "nominal"
        if (part.by, agreement.mapping, agreement.coefficient) == (
            "pair",
            "full",
            _SUMMED[ordered],
        ):
            groups.setdefault(
                (agreement.dimension, agreement.coefficient, agreement.title), []
            ).append(part)
    pairwises = []
    for (dimension, coefficient, title), some in groups.items():
        values = [part.agreement.value for part in some if part.agreement.value is not None]
        reasons = {part.agreement.reason for part in some if part.agreement.value is None}
        pairwises.append(
            PairwiseResult(
                dimension=dimension,
                coefficient=coefficient,
                title=title,
                pairs=len(some),
                without_value=len(some) - len(values),
                mean=fmean(values) if values else None,
                least=min(values, default=None),
                most=max(values, default=None),
                reason="; ".join(sorted(reasons)),
            )
        )
    return pairwises
