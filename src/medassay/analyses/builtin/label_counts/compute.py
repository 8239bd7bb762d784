"""Labels counted over judgements, and over answers by each way that settles on a label."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from medassay.analyses.builtin.label_counts.record import LabelCount, SystemLabels
from medassay.analyses.inputs.study_columns import StudyColumns
from medassay.consensus import label_distribution
from medassay.judgements import Dimension, Judgements, Rubric, units

__all__ = ["given_counts", "reconciled_counts", "system_counts"]

_SETTLE: Final = ("mace", "dawid_skene")
"""Their score of an answer is the score of the label that they settle on."""


def given_counts(rubric: Rubric, judgements: Judgements) -> list[LabelCount]:
    """Count labels over judgements, and leading labels over answers; reasons and ties apart."""
    import polars as pl

    judged = judgements.counted
    counts: list[LabelCount] = []
    for name in rubric.ids:
        rows = judged.filter(pl.col("dimension") == name)
        if not rows.height or not rubric.dimension(name).labels:
            continue
        spread = label_distribution(units(judgements, name))
        reasons = rows.drop_nulls("reason").group_by("reason").len().sort("reason")
        counts += _scope(
            name,
            "judgements",
            list(zip(spread.labels, spread.judgements, strict=True)),
            [(reason.replace("_", " "), n) for reason, n in reasons.iter_rows()],
        )
        extra = [("tie", spread.ties)] if spread.ties else []
        extra += [("no label", spread.unlabelled)] if spread.unlabelled else []
        leading = list(zip(spread.labels, spread.majority, strict=True))
        counts += _scope(name, "majority", leading, extra)
    return counts


def system_counts(
    rubric: Rubric, judgements: Judgements, systems: Sequence[str]
) -> list[SystemLabels]:
    """Count labels over judgements of each system; labels with scores stand worst first.

    Labels of criteria are left out: whether meeting one is good depends on its points.
    """
    judged = judgements.counted
    times = {
        (str(dimension), str(system), label): int(n)
        for dimension, system, label, n in judged.group_by("dimension", "system", "label")
        .len()
        .iter_rows()
    }
    return [
        SystemLabels(
            dimension=dimension.id,
            system=system,
            labels=labels,
            counts=tuple(times.get((dimension.id, system, label), 0) for label in labels),
            without=times.get((dimension.id, system, None), 0),
        )
        for dimension in rubric.dimensions
        if dimension.labels and dimension.about != "criterion"
        for labels in [_worst_first(dimension)]
        for system in systems
        if any(key[:2] == (dimension.id, system) for key in times)
    ]


def _worst_first(dimension: Dimension) -> tuple[str, ...]:
    labels = [label.label for label in dimension.labels]
    scores = {label.label: label.score for label in dimension.labels if label.score is not None}
    if len(scores) < len(labels):
        return tuple(labels)
    return tuple(sorted(labels, key=scores.__getitem__, reverse=dimension.better == "lower"))


def reconciled_counts(rubric: Rubric, score_columns: StudyColumns) -> list[LabelCount]:
    """Count the labels that MACE or Dawid-Skene settle on, where each label has a score its own."""
    counts = []
    dimensions = {of_rubric.id: of_rubric for of_rubric in rubric.dimensions}
    for column in score_columns.columns:
        if column.method not in _SETTLE or column.dimension is None:
            continue
        dimension = dimensions[column.dimension]
        scored = {label.score: label.label for label in dimension.labels if label.score is not None}
        if len(scored) != len(dimension.labels):
            continue
        values = score_columns.table.select(column.name)["value"].drop_nulls().to_list()
        settled = Counter(scored.get(value, "") for value in values)
        if "" in settled:
            continue
        counts += [
            LabelCount(
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


def _scope(
    dimension: str, scope: str, labels: list[tuple[str, int]], extra: list[tuple[str, int]]
) -> list[LabelCount]:
    total = sum(count for _, count in [*labels, *extra])
    return [
        LabelCount(
            dimension=dimension,
            scope=scope,
            label=label,
            count=count,
            share=count / total if total else None,
            is_reason=is_reason,
        )
        for is_reason, rows in ((False, labels), (True, extra))
        for label, count in rows
    ]
