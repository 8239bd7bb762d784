"""What the raters said, how much there is of it, and how far they agree."""

from typing import Final

from medassay.report.names import Names
from medassay.report.numbers import PROPORTION
from medassay.report.tables.cells import (
    count,
    estimate,
    estimate_fields,
    how,
    missing,
    named,
    no_such,
    text,
)
from medassay.report.tables.model import Bar, Cell, Column, Row, Table
from medassay.study.results import AgreementResult, LabelCount, Results

__all__ = ["agreement", "labels", "main_agreement", "rating_counts", "told_first"]


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


def labels(results: Results) -> Table:
    """Show how often each label was given, by judgements and by each consensus method."""
    names = Names(results)
    scopes = list(dict.fromkeys(c.scope for c in results.label_counts))
    columns = [Column("Label", ("label", "is_label"))]
    for scope in scopes:
        columns += [
            Column("n", (f"{scope}_n",), numeric=True, group=scope.capitalize()),
            Column("Share", (f"{scope}_share",), numeric=True, group=scope.capitalize()),
        ]
    found = {(c.dimension, c.scope, c.label): c for c in results.label_counts}
    about = {d.id: d.question for d in results.dimensions}
    meaning = {(d.id, i.label): i.description for d in results.dimensions for i in d.labels}
    dimensions = list(dict.fromkeys(c.dimension for c in results.label_counts))
    rows = []
    for dimension in dimensions:
        own = [c for c in results.label_counts if c.dimension == dimension]
        known = sorted({c.label: c.is_reason for c in own}.items(), key=lambda item: item[1])
        for label, is_reason in known:
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
        "labels",
        "Labels given",
        "How often each label was given. Shares are of everything in their column, answers without "
        "a label and ties included.",
        tuple(columns),
        tuple(rows),
        group_field="dimension",
        empty="There are no judgements.",
        synthetic=results.study.synthetic,
        figure="labels",
    )


def _label_cells(found: LabelCount | None) -> list[Cell]:
    if found is None:
        return [no_such(), no_such()]
    share = missing("Nothing was counted.")
    if found.share is not None:
        share = Cell(PROPORTION(found.share), (found.share,), draw=Bar(found.share))
    return [count(found.count), share]


_FEW: Final = 30
# The first of these with a value is told: those that correct for chance before the others.
_TOLD: Final = ("fleiss", "cohen", "krippendorff", "mean_pairwise", "unanimous")
_RAW: Final = ("mean_pairwise", "unanimous")


def told_first(known: list[AgreementResult]) -> list[AgreementResult]:
    """Choose one coefficient: the first in order that has a value anywhere."""
    place = {base: i for i, base in enumerate(_TOLD)}
    names = sorted(
        dict.fromkeys(a.coefficient for a in known),
        key=lambda name: (place.get(name.split("(")[0], len(place)), "(" in name),
    )
    of = {name: [a for a in known if a.coefficient == name] for name in names}
    valued = (own for own in of.values() if any(a.value is not None for a in own))
    return next(valued, next(iter(of.values()), []))


def main_agreement(results: Results) -> Table:
    """Give each dimension one coefficient that corrects for chance, and the plain agreement."""
    chosen: list[AgreementResult] = []
    for dimension in dict.fromkeys(a.dimension for a in results.agreement):
        own = [a for a in results.agreement if a.dimension == dimension]
        own = [a for a in own if a.mapping == "full"] or own
        main = told_first(own)
        raw = next((name for name in _RAW if any(a.coefficient == name for a in own)), "")
        beside = [a for a in own if a.coefficient == raw and a not in main]
        chosen += [*main, *beside]
    return _agreement(
        results, chosen, "agreement-main", "Agreement of the raters", "Other coefficients: below."
    )


def agreement(results: Results) -> Table:
    """Put the coefficients of all cases beside those of the ranking cases."""
    return _agreement(results, results.agreement, "agreement", "Every coefficient of agreement")


def _agreement(
    results: Results, known: list[AgreementResult], table_id: str, title: str, more: str = ""
) -> Table:
    names = Names(results)
    subsets = list(dict.fromkeys(a.subset for a in known))
    rows_of: dict[tuple[str, str, str], dict[str, AgreementResult]] = {}
    for a in known:
        rows_of.setdefault((a.dimension, a.mapping, a.coefficient), {})[a.subset] = a
    columns = [
        Column("Coefficient", ("coefficient",)),
        Column("Labels", ("labels",)),
    ]
    for subset in subsets:
        field = subset.replace(" ", "_")
        columns += [
            Column("Value", estimate_fields(field), numeric=True, group=subset.capitalize()),
            Column(
                "Answers",
                (f"{field}_answers", f"{field}_raters"),
                numeric=True,
                group=subset.capitalize(),
            ),
        ]
    rows = []
    for (dimension, mapping, _), found in rows_of.items():
        one = next(iter(found.values()))
        notes = " ".join(dict.fromkeys(a.note for a in found.values() if a.note))
        cells = [Cell(one.title, (one.coefficient,), detail=notes), text(mapping)]
        for subset in subsets:
            cells += _agreement_cells(found.get(subset))
        rows.append(Row(tuple(cells), names.of_dimension(dimension)))
    return Table(
        table_id,
        title,
        f"{_agreement_caption(known)} {more}".strip(),
        tuple(columns),
        tuple(rows),
        group_field="dimension",
        empty="No answer was judged by two raters, so agreement cannot be measured.",
        synthetic=results.study.synthetic,
    )


def _agreement_cells(found: AgreementResult | None) -> list[Cell]:
    if found is None:
        reason = "Not computed for these cases."
        return [missing(reason, 4), missing(reason, 2)]
    value = estimate(found.value, found.interval, found.reason)
    return [value, Cell(str(found.n_units), (found.n_units, found.n_raters))]


def _agreement_caption(found: list[AgreementResult]) -> str:
    parts = ["Only answers judged by two raters or more count."]
    parts.append("1 is perfect agreement; 0 is chance, for the coefficients that correct for it.")
    units = [a.n_units for a in found]
    if units and min(units) < _FEW:
        largest, smallest = max(units), min(units)
        span = str(smallest) if smallest == largest else f"{smallest} to {largest}"
        parts.append(f"These are few answers ({span}): read the interval, not the value alone.")
    parts.append(how(a.interval for a in found))
    return " ".join(part for part in parts if part)
