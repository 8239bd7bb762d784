"""What the raters said, and how much there is of it."""

from typing import Final

from medassay.analyses.results import LabelCount, Results
from medassay.exhibits.cells import (
    count,
    missing,
    named,
    no_such,
)
from medassay.exhibits.names import slug
from medassay.exhibits.numbers import PROPORTION
from medassay.exhibits.table import Bar, Cell, Column, Row, Table
from medassay.report.names import Names

__all__ = ["labels", "rating_counts"]


_SCOPES: Final = {"mace": "MACE", "dawid_skene": "Dawid-Skene"}


def rating_counts(results: Results) -> Table:
    """Count the judgements of each dimension and how they overlap."""
    names = Names(results)
    return Table(
        "rating-counts",
        "How much was judged",
        "Judgements of each dimension, how many gave a reason instead of a label, and how many "
        "answers were judged at all and by two raters or more.",
        (
            Column("Dimension", ("dimension",)),
            Column("Judgements", ("judgements",), numeric=True),
            Column("Without label", ("without_label",), numeric=True),
            Column("Answers judged", ("answers_judged",), numeric=True),
            Column("Judged twice or more", ("answers_judged_twice",), numeric=True),
            Column("Raters", ("raters",), numeric=True),
        ),
        tuple(
            Row(
                (
                    named(names.of_dimension(c.dimension), c.dimension),
                    count(c.judgements),
                    count(c.without_label),
                    count(c.answers_judged),
                    count(c.answers_judged_twice),
                    count(c.raters),
                )
            )
            for c in results.rating_counts
        ),
        empty="There are no judgements.",
        synthetic=results.study.synthetic,
    )


def labels(results: Results, only: str | None = None) -> Table:
    """Show how often each label was given, by judgements and by each consensus method.

    Args:
        results: All of a run.
        only: One dimension; all if not given.
    """
    names = Names(results)
    scopes = list(dict.fromkeys(c.scope for c in results.label_counts))
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
    found = {(c.dimension, c.scope, c.label): c for c in results.label_counts}
    about = {d.id: d.question for d in results.dimensions}
    meaning = {(d.id, i.label): i.description for d in results.dimensions for i in d.labels}
    known = dict.fromkeys(c.dimension for c in results.label_counts)
    dimensions = [name for name in known if only in (None, name)]
    rows = []
    for dimension in dimensions:
        own = [c for c in results.label_counts if c.dimension == dimension]
        ordered = sorted({c.label: c.is_reason for c in own}.items(), key=lambda item: item[1])
        for label, is_reason in ordered:
            cells = [
                Cell(
                    label,
                    (label, not is_reason),
                    aside="no label" if is_reason else "",
                    detail=meaning.get((dimension, label), ""),
                )
            ]
            for scope in scopes:
                cells += _label_cells(found.get((dimension, scope, label)))
            rows.append(Row(tuple(cells), names.of_dimension(dimension), about.get(dimension, "")))
    return Table(
        "labels" if only is None else f"labels-{slug(only)}",
        "Labels given" if only is None else f"{names.of_dimension(only)}, labels given",
        "How often each label was given. Shares are of everything in their column, answers without "
        "a label and ties included."
        + (f" {results.study.wording}" if results.study.wording else ""),
        tuple(columns),
        tuple(rows),
        group_field="dimension",
        empty="There are no judgements.",
        synthetic=results.study.synthetic,
        figure="labels" if only is None else "",
    )


def _label_cells(found: LabelCount | None) -> list[Cell]:
    if found is None:
        return [no_such(), no_such()]
    share = missing("Nothing was counted.")
    if found.share is not None:
        share = Cell(PROPORTION(found.share), (found.share,), draw=Bar(found.share))
    return [count(found.count), share]
