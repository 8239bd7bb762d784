"""How often was each label given?"""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from medassay.analyses.declaration import Declaration, analysis
from medassay.analyses.inputs.readable import Columns, Design
from medassay.analyses.inputs.study_columns import StudyColumns
from medassay.annotations import DesignName, SystemName, record
from medassay.consensus import label_distribution
from medassay.exhibits import Names
from medassay.exhibits.columns import (
    Shown,
    celled,
    count,
    counted,
    missing,
    no_such,
    system_column,
    table_of,
)
from medassay.exhibits.drawing import ACCENT, LINE, SOFT, WIDE, Picture, bare, new_figure
from medassay.exhibits.names import slug
from medassay.exhibits.numbers import PROPORTION
from medassay.exhibits.table import Bar, Cell, Stack, StackPart, Table
from medassay.judgements import Dimension, Judgements, Rubric, units

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@record(infers=False)
class LabelCount:
    """How often a label was given.

    Attributes:
        dimension: The dimension.
        scope: `judgements`, or a consensus method such as `majority`.
        label: The label.
        count: How often it was given.
        share: Of all judgements (or answers) in the scope, ties and reasons included.
        is_reason: True for 'cannot judge', 'not applicable', 'tie': rows that are no label of the
            scale.
    """

    dimension: DesignName
    scope: DesignName
    label: DesignName
    count: int
    share: float | None
    is_reason: bool


@record(infers=False)
class SystemLabels:
    """Which labels a system's answers were given on one dimension.

    Attributes:
        dimension: The dimension.
        system: The system.
        labels: The labels of the scale, worst first where they have scores.
        counts: How often each was given, label by label.
        without: Judgements without a label, such as 'cannot judge'.
    """

    dimension: DesignName
    system: SystemName
    labels: tuple[DesignName, ...]
    counts: tuple[int, ...]
    without: int


@record(infers=False)
class LabelCounts:
    """How often each label was given.

    Attributes:
        counts: By dimension and scope.
        by_system: By dimension and system, over judgements.
    """

    counts: tuple[LabelCount, ...]
    by_system: tuple[SystemLabels, ...] = ()


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


def labels_by_system(by_system: Sequence[SystemLabels], names: Names) -> Table:
    """Draw how often each label was given to each system, worst label first."""
    without = any(own.without for own in by_system)
    return table_of(
        [(names.of_dimension(own.dimension), own) for own in by_system],
        (
            system_column(names),
            celled("Labels", "labels", _stack),
            counted("Given", lambda own: sum(own.counts), file="given"),
            *([counted("No label", "without")] if without else []),
        ),
        id="labels-by-system",
        title="Labels by system",
        caption="The worst label is on the left, in the strongest colour."
        + (f" {names.wording}" if names.wording else ""),
        grouped_by="dimension",
        about=lambda own: " · ".join(own.labels),
        synthetic=names.synthetic,
        stands="first",
    )


def _stack(own: SystemLabels) -> Cell:
    total = sum(own.counts)
    pairs = [(label, n) for label, n in zip(own.labels, own.counts, strict=True) if n]
    text = ", ".join(f"{label}: {n:,}" for label, n in pairs) or "none"
    depth = {label: place for place, label in enumerate(own.labels)}
    last = max(len(own.labels) - 1, 1)
    parts = tuple(StackPart(label, n, n / total, 1 - depth[label] / last) for label, n in pairs)
    return Cell(text, (text,), draw=Stack(parts))


_SCOPES: Final = {"mace": "MACE", "dawid_skene": "Dawid-Skene"}


def labels_table(counts: Sequence[LabelCount], names: Names, only: str | None = None) -> Table:
    """Show how often each label was given, by judgements and by each consensus method.

    Args:
        counts: How often each was given.
        names: What things are called.
        only: One dimension; all if not given.
    """
    scopes = list(dict.fromkeys(c.scope for c in counts))
    label_counts = {(c.dimension, c.scope, c.label): c for c in counts}
    known = dict.fromkeys(c.dimension for c in counts)
    rows = []
    for dimension in (name for name in known if only in (None, name)):
        own = {c.label: c.is_reason for c in counts if c.dimension == dimension}
        for label, is_reason in sorted(own.items(), key=lambda item: item[1]):
            row = _Given(dimension, label, is_reason, names.meaning_of(dimension, label))
            rows.append((names.of_dimension(dimension), row))

    def given(scope: str) -> Callable[[_Given], LabelCount | None]:
        return lambda row: label_counts.get((row.dimension, scope, row.label))

    return table_of(
        rows,
        (
            celled("Label", ("label", "is_label"), _label),
            *(column for scope in scopes for column in _scope_columns(scope, given(scope))),
        ),
        id="labels" if only is None else f"labels-{slug(only)}",
        title="Labels given" if only is None else f"{names.of_dimension(only)}, labels given",
        caption="Shares of the whole column, with ties and answers without a label."
        + (f" {names.wording}" if names.wording and only is None else ""),
        grouped_by="dimension",
        about=lambda row: names.question_of(row.dimension),
        empty="There are no judgements.",
        synthetic=names.synthetic,
        figure="labels" if only is None else "",
        stands="file" if only is None else "page",
    )


class _Given(NamedTuple):
    """One label of one dimension."""

    dimension: str
    label: str
    is_reason: bool
    meaning: str


def _label(row: _Given) -> Cell:
    aside = "no label" if row.is_reason else ""
    return Cell(row.label, (row.label, not row.is_reason), aside=aside, detail=row.meaning)


def _scope_columns(
    scope: str, given: Callable[[_Given], LabelCount | None]
) -> tuple[Shown[_Given], ...]:
    def times(row: _Given) -> Cell:
        found = given(row)
        return no_such() if found is None else count(found.count)

    def share(row: _Given) -> Cell:
        found = given(row)
        if found is None:
            return no_such()
        if found.share is None:
            return missing("Nothing was counted.")
        return Cell(PROPORTION(found.share), (found.share,), draw=Bar(found.share))

    group = _SCOPES.get(scope, scope.capitalize())
    return (
        celled("n", f"{scope}_n", times, numeric=True, group=group),
        celled("Share", f"{scope}_share", share, numeric=True, group=group),
    )


_PANELS_A_ROW = 3


def label_pictures(counts: Sequence[LabelCount], names: Names) -> dict[str, Picture]:
    """Draw the labels; the table beside them says the same."""
    figure = _label_shares(counts, names)
    return {} if figure is None else {"labels": Picture("Labels given", figure)}


def _label_shares(counts: Sequence[LabelCount], names: Names) -> "Figure | None":
    """Draw the shares of all judgements, labels in the order of their scale, reasons last."""
    counted = [c for c in counts if c.scope == "judgements" and c.share is not None]
    dimensions = list(dict.fromkeys(c.dimension for c in counted))
    if not dimensions:
        return None
    down = -(-len(dimensions) // _PANELS_A_ROW)
    across = min(len(dimensions), _PANELS_A_ROW)
    most = max(sum(c.dimension == d for c in counted) for d in dimensions)
    figure = new_figure(WIDE, down * (18 + 5 * most) + 4, synthetic=names.synthetic)
    panels = figure.subplots(down, across, squeeze=False)
    for place, axes in enumerate(panels.flat):
        if place >= len(dimensions):
            axes.set_axis_off()
            continue
        own = sorted(
            (c for c in counted if c.dimension == dimensions[place]), key=lambda c: c.is_reason
        )
        shares = [c.share if c.share is not None else 0.0 for c in own]
        bare(axes, "left")
        axes.barh(
            range(len(own)),
            shares,
            height=0.62,
            color=["white" if c.is_reason else ACCENT for c in own],
            edgecolor=[SOFT if c.is_reason else ACCENT for c in own],
            linewidth=0.6,
        )
        for row, (share, label_count) in enumerate(zip(shares, own, strict=True)):
            axes.text(
                share + 0.02,
                row,
                f"{PROPORTION(share)}  ({label_count.count})",
                va="center_baseline",
            )
        axes.set_yticks(range(len(own)), [c.label for c in own])
        axes.set_ylim(most - 0.4, -0.6)
        axes.set_xlim(0, 1.3)
        axes.set_xticks([])
        axes.spines["left"].set_color(LINE)
        axes.spines["left"].set_bounds(-0.5, len(own) - 0.5)
        total = sum(c.count for c in own)
        title = f"{names.of_dimension(dimensions[place])}\nn = {total}"
        axes.set_title(title, fontsize=8, fontweight="bold", loc="left")
    return figure


@analysis(
    Declaration(
        id="label_counts",
        title="Labels given",
        question="How often was each label given, and how often is it the consensus?",
        section="ratings",
        part="ratings-given",
        infers=False,
        reader="clinician",
        place=1,
        tables=lambda record, names: [
            *([labels_by_system(record.by_system, names)] if record.by_system else []),
            labels_table(record.counts, names),
        ],
        pictures=lambda record, names: label_pictures(record.counts, names),
    )
)
def label_counts(
    rubric: Rubric, judgements: Judgements, columns: Columns, design: Design
) -> LabelCounts:
    """Count labels over judgements, and over answers by each method that settles on a label."""
    counts = [*given_counts(rubric, judgements), *reconciled_counts(rubric, columns.score_columns)]
    by_system = system_counts(rubric, judgements, design.systems)
    return LabelCounts(tuple(counts), tuple(by_system))
