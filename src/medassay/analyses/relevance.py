"""What the experts jointly say of the documents that were returned, and how far they agree."""

from itertools import combinations
from statistics import fmean
from typing import Final

import numpy as np

from medassay.agreement import cohen_kappa
from medassay.analyses.results.relevance import DOCUMENTS, RelevanceResult
from medassay.analyses.results.summary import PairwiseResult
from medassay.study.document_labels import joint_labels
from medassay.study.folder import Study

__all__ = ["document_agreement", "relevance_results"]

_ONE_LABEL: Final = "undefined here: both experts use one label only"
_APART: Final = "no document that both labelled"


def relevance_results(study: Study) -> list[RelevanceResult]:
    """Count each document's labels, in the order of the cases and of their rankings.

    The consensus is what most experts say; an even split is a tie and no label. It is the same
    that metrics of retrieval read.
    """
    if not study.relevance:
        return []
    joint = joint_labels(study.relevance)
    ranks = {
        (answer.case, retrieved.document): rank
        for answer in study.answers
        for rank, retrieved in enumerate(answer.retrieved or ())
    }
    order = {case: place for place, case in enumerate(study.cases.ids)}
    keys = sorted(joint, key=lambda key: (order[key[0]], ranks.get(key, len(ranks)), key[1]))
    relevances = []
    for case, document in keys:
        label = joint[case, document]
        relevances.append(
            RelevanceResult(
                case=case,
                document=document,
                labels=label.labels,
                relevant=label.relevant,
                share=label.share,
                consensus=None if label.grade is None else int(label.grade),
            )
        )
    return relevances


def document_agreement(study: Study) -> list[PairwiseResult]:
    """Take Cohen's kappa of every two experts over the documents that both labelled."""
    by: dict[str, dict[tuple[str, str], int]] = {}
    for document_label in study.relevance:
        by.setdefault(document_label.rater, {})[document_label.case, document_label.document] = (
            document_label.relevance
        )
    pairs = list(combinations(sorted(by), 2))
    if not pairs:
        return []
    values, reasons = [], set()
    for first, second in pairs:
        both = by[first].keys() & by[second].keys()
        table = np.zeros((2, 2))
        for key in both:
            table[by[first][key], by[second][key]] += 1
        value = float(cohen_kappa(table)) if both else float("nan")
        if np.isnan(value):
            reasons.add(_ONE_LABEL if both else _APART)
        else:
            values.append(value)
    return [
        PairwiseResult(
            dimension=DOCUMENTS,
            coefficient="cohen",
            title="Cohen's kappa",
            pairs=len(pairs),
            without_value=len(pairs) - len(values),
            mean=fmean(values) if values else None,
            least=min(values, default=None),
            most=max(values, default=None),
            reason="; ".join(sorted(reasons)),
        )
    ]
