"""How often each label was given, as a table."""

from collections.abc import Sequence
from typing import Final

from medassay.analyses.builtin.label_counts.record import LabelCount
from medassay.exhibits import Names
from medassay.exhibits.cells import count, missing, no_such
from medassay.exhibits.names import slug
from medassay.exhibits.numbers import PROPORTION
from medassay.exhibits.table import Bar, Cell, Column, Row, Table

__all__ = ["labels_table"]

_SCOPES: Final = {"mace": "MACE", "dawid_skene": "Dawid-Skene"}


def labels_table(counts: Sequence[LabelCount], names: Names, only: str | None = None) -> Table:
    """Show how often each label was given, by judgements and by each consensus method.

    Args:
        counts: How often each was given.
        names: What things are called.
        only: One dimension; all if not given.
    """
    scopes = list(dict.fromkeys(c.scope for c in counts))
    columns = [Column("Label", ("label", "is_label"))]
    for scope in scopes:
        columns += [
            Column(
                "n", (f"{scope}_n",), numeric=True, group=_SCOPES.get(scope, scope.capitalize())
            ),
            Column(
                "Share",
                (f"{scope}_share",),
                numeric=True,
                group=_SCOPES.get(scope, scope.capitalize()),
            ),
        ]
    label_counts = {(c.dimension, c.scope, c.label): c for c in counts}
    known = dict.fromkeys(c.dimension for c in counts)
    dimensions = [name for name in known if only in (None, name)]
    rows = []
    for dimension in dimensions:
        own = [c for c in counts if c.dimension == dimension]
        ordered = sorted({c.label: c.is_reason for c in own}.items(), key=lambda item: item[1])
        for label, is_reason in ordered:
            cells = [
                Cell(
                    label,
                    (label, not is_reason),
                    aside="no label" if is_reason else "",
                    detail=names.meaning_of(dimension, label),
                )
            ]
            for scope in scopes:
                cells += _label_cells(label_counts.get((dimension, scope, label)))
            rows.append(
                Row(tuple(cells), names.of_dimension(dimension), names.question_of(dimension))
            )
    return Table(
        "labels" if only is None else f"labels-{slug(only)}",
        "Labels given" if only is None else f"{names.of_dimension(only)}, labels given",
        "How often each label was given. Shares are of everything in their column, answers without "
        "a label and ties included." + (f" {names.wording}" if names.wording else ""),
        tuple(columns),
        tuple(rows),
        group_field="dimension",
        empty="There are no judgements.",
        synthetic=names.synthetic,
        figure="labels" if only is None else "",
        stands="file" if only is None else "page",
    )


def _label_cells(label_count: LabelCount | None) -> list[Cell]:
    if label_count is None:
        return [no_such(), no_such()]
    share = missing("Nothing was counted.")
    if label_count.share is not None:
        share = Cell(
            PROPORTION(label_count.share), (label_count.share,), draw=Bar(label_count.share)
        )
    return [count(label_count.count), share]
