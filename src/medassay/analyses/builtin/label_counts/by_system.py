"""Labels by system, as stacked bars with their counts."""

from collections.abc import Sequence

from medassay.analyses.builtin.label_counts.record import SystemLabels
from medassay.exhibits import Names
from medassay.exhibits.cells import count, named
from medassay.exhibits.table import Cell, Column, Row, Stack, StackPart, Table

__all__ = ["labels_by_system"]


def labels_by_system(by_system: Sequence[SystemLabels], names: Names) -> Table:
    """Draw how often each label was given to each system, worst label first."""
    without = any(own.without for own in by_system)
    rows = tuple(
        Row(
            (
                named(names.of_system(own.system), own.system),
                _stack(own),
                count(sum(own.counts)),
                *([count(own.without)] if without else []),
            ),
            names.of_dimension(own.dimension),
            " · ".join(own.labels),
        )
        for own in by_system
    )
    return Table(
        "labels-by-system",
        "Labels by system",
        "How often raters gave each label; the worst stands left, in the strongest colour."
        + (f" {names.wording}" if names.wording else ""),
        (
            Column("System", ("system",)),
            Column("Labels", ("labels",)),
            Column("Given", ("given",), numeric=True),
            *([Column("No label", ("without",), numeric=True)] if without else []),
        ),
        rows,
        group_field="dimension",
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
