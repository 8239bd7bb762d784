"""How often a model of the raters settles on each label."""

from collections import Counter
from typing import Final

from medassay.analyses import results as r
from medassay.analyses.gathered import Gathered
from medassay.study.folder import Study

__all__ = ["reconciled_counts"]

_SETTLE: Final = ("mace", "dawid_skene")
"""Their score of an answer is the score of the label that they settle on."""


def reconciled_counts(study: Study, gathered: Gathered) -> list[r.LabelCount]:
    """Count the labels that MACE or Dawid-Skene settle on, where each label has a score its own."""
    counts = []
    dimensions = {one.id: one for one in study.rubric.dimensions}
    for column in gathered.columns:
        if column.method not in _SETTLE or column.dimension is None:
            continue
        dimension = dimensions[column.dimension]
        scored = {label.score: label.label for label in dimension.labels if label.score is not None}
        if len(scored) != len(dimension.labels):
            continue
        values = gathered.table.select(column.name)["value"].drop_nulls().to_list()
        settled = Counter(scored.get(value, "") for value in values)
        if "" in settled:
            continue
        counts += [
            r.LabelCount(
                dimension=column.dimension,
                scope=column.method,
                label=label,
                count=settled[label],
                share=settled[label] / len(values) if values else None,
                is_reason=False,
            )
            for label in scored.values()
        ]
    return counts
