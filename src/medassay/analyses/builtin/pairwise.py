"""How far does every expert agree with every other?"""

from collections.abc import Iterable, Sequence
from itertools import combinations
from statistics import fmean
from typing import Final

import numpy as np

from medassay.agreement import Slice, cohen_kappa
from medassay.analyses.declaration import Declaration, analysis
from medassay.analyses.inputs.rater_agreement import Agreed
from medassay.analyses.inputs.readable import DocumentLabels
from medassay.analyses.results.whole import Records
from medassay.annotations import DesignName, Words, record
from medassay.exhibits import Names
from medassay.exhibits.columns import celled, count, counted, missing, named, shown, table_of
from medassay.exhibits.numbers import PROPORTION
from medassay.exhibits.table import Cell, Table
from medassay.judgements import Rubric
from medassay.study.contents.document_labels import DocumentLabel

DOCUMENTS: Final = "relevance"
"""What stands in the place of a dimension where experts label documents, not answers."""


@record(infers=False)
class OverPairs:
    """A coefficient of agreement over every two raters.

    Attributes:
        dimension: The dimension, or `DOCUMENTS`.
        coefficient: Its canonical name.
        title: What a table calls it.
        pairs: How many pairs of raters.
        without_value: How many of them have no value.
        mean: Over the others, as are the ends; None where there are none.
        reason: Why pairs have no value.
    """

    dimension: DesignName
    coefficient: DesignName
    title: Words
    pairs: int
    without_value: int
    mean: float | None
    least: float | None
    most: float | None
    reason: Words


@record(infers=False)
class Pairwise:
    """Each dimension over all pairs of raters."""

    dimensions: tuple[OverPairs, ...]


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


def pairwise_table(dimensions: Sequence[OverPairs], names: Names) -> Table:
    """Show agreement over every two raters, a line a dimension."""
    return table_of(
        dimensions,
        (
            celled(
                "Dimension",
                "dimension",
                lambda row: named(judged_title(row.dimension, names), row.dimension),
            ),
            celled("Coefficient", "coefficient", lambda row: named(row.title, row.coefficient)),
            counted("Pairs", "pairs"),
            celled(
                "Without value",
                "without_value",
                lambda row: count(row.without_value, detail=row.reason),
                numeric=True,
            ),
            shown("Mean", "mean", PROPORTION, why_not="reason"),
            celled("Range", ("least", "most"), _range, numeric=True),
        ),
        id="pairwise",
        title="Agreement of every two experts",
        caption="Over all pairs of experts; pairs without a value are counted beside it.",
        empty="No two experts rated the same answers.",
    )


def _range(pairs: OverPairs) -> Cell:
    if pairs.least is None or pairs.most is None:
        return missing(pairs.reason, 2)
    ends = f"{PROPORTION(pairs.least)} to {PROPORTION(pairs.most)}"
    return Cell(ends, (pairs.least, pairs.most))


def judged_title(dimension: str, names: Names) -> str:
    """Name what two experts agree on: a dimension, or which documents are relevant."""
    return "Relevance of documents" if dimension == DOCUMENTS else names.of_dimension(dimension)


@analysis(
    Declaration(
        id="pairwise",
        title="Agreement of every two experts",
        question="How far does every expert agree with every other?",
        section="panel",
        part="panel-agreement",
        infers=False,
        reader="organiser",
        place=21,
        shown_in="described",
        tables=lambda pairwise, names: [pairwise_table(pairwise.dimensions, names)],
    )
)
def pairwise(rubric: Rubric, agreed: Agreed, document_labels: DocumentLabels) -> Pairwise | None:
    """Sum up kappa over every two raters of answers, and of documents."""
    over = (*agreement_on_documents(document_labels.labels), *over_pairs(rubric, agreed.parts))
    return Pairwise(over) if over or agreed.judgements else None


def over_pairs_in(records: Records) -> tuple[OverPairs, ...]:
    """Give what a run says of every two raters; nothing where it was not asked."""
    record = records.of(pairwise)
    return record.dimensions if record else ()
