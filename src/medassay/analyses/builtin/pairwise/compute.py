"""Agreement of every two raters, in one line a dimension: mean, least, greatest."""

from collections.abc import Iterable, Sequence
from itertools import combinations
from statistics import fmean
from typing import Final

import numpy as np

from medassay.agreement import Slice, cohen_kappa
from medassay.analyses.builtin.pairwise.record import DOCUMENTS, OverPairs
from medassay.judgements import Rubric
from medassay.study.contents.document_labels import DocumentLabel

__all__ = ["agreement_on_documents", "over_pairs"]

_SUMMED: Final = ("cohen", "cohen(weights=linear)")
"""Plain for labels without an order, linear for those with one; the others are in the parts."""
_ONE_LABEL: Final = "undefined here: both experts use one label only"
_APART: Final = "no document that both labelled"


def over_pairs(rubric: Rubric, parts: Iterable[Slice]) -> list[OverPairs]:
    """Sum up Cohen's kappa over pairs of raters; pairs without a value are counted, with why."""
    groups: dict[tuple[str, str, str], list[Slice]] = {}
    for part in parts:
        kappa = part.agreement
        ordered = rubric.dimension(kappa.dimension).scale != "nominal"
        summed = ("pair", "full", _SUMMED[ordered])
        if (part.by, kappa.mapping, kappa.coefficient) == summed:
            groups.setdefault((kappa.dimension, kappa.coefficient, kappa.title), []).append(part)
    return [
        _over(
            of,
            [pair.agreement.value for pair in some if pair.agreement.value is not None],
            [pair.agreement.reason for pair in some if pair.agreement.value is None],
        )
        for of, some in groups.items()
    ]


def agreement_on_documents(labels: Sequence[DocumentLabel]) -> list[OverPairs]:
    """Take Cohen's kappa of every two experts over the documents that both labelled."""
    by: dict[str, dict[tuple[str, str], int]] = {}
    for document_label in labels:
        by.setdefault(document_label.rater, {})[document_label.case, document_label.document] = (
            document_label.relevance
        )
    pairs = list(combinations(sorted(by), 2))
    if not pairs:
        return []
    values: list[float] = []
    reasons: list[str] = []
    for first, second in pairs:
        both = by[first].keys() & by[second].keys()
        table = np.zeros((2, 2))
        for key in both:
            table[by[first][key], by[second][key]] += 1
        value = float(cohen_kappa(table)) if both else float("nan")
        if np.isnan(value):
            reasons.append(_ONE_LABEL if both else _APART)
        else:
            values.append(value)
    return [_over((DOCUMENTS, "cohen", "Cohen's kappa"), values, reasons)]


def _over(of: tuple[str, str, str], values: Sequence[float], reasons: Sequence[str]) -> OverPairs:
    return OverPairs(
        *of,
        pairs=len(values) + len(reasons),
        without_value=len(reasons),
        mean=fmean(values) if values else None,
        least=min(values, default=None),
        most=max(values, default=None),
        reason="; ".join(sorted(set(reasons))),
    )
