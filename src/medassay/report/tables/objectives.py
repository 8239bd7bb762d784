"""Tables of a panel that describes only: what was returned, and how far each two experts agree."""

from collections.abc import Sequence

from medassay.analyses.builtin.agreement import parts_in
from medassay.analyses.builtin.pairwise import over_pairs_in
from medassay.analyses.results import Results
from medassay.exhibits.cells import count, missing, named, text
from medassay.exhibits.natural_order import natural_order
from medassay.exhibits.numbers import PROPORTION
from medassay.exhibits.table import Bar, Cell, Column, Row, Table
from medassay.report.names import Names

__all__ = ["each_pair", "returned"]


def returned(results: Results, sources: Sequence[str]) -> Table:
    """Show metrics of retrieval query by query, a column each."""
    names = Names(results)
    rows = [
        Row((
            text(case.case, aside=case.tags.get("pollutant", "")),
            named(names.of_system(answer.system), answer.system),
            *(
                missing(score.reason) if score.value is None else Cell(
                    PROPORTION(score.value), (score.value,), draw=Bar(score.value))
                for score in scores
            ),
        ))
        for case in sorted(results.cases, key=lambda case_result: natural_order(case_result.case))
        for answer in case.answers
        for of in [{score.source: score for score in answer.scores}]
        for scores in [[of[source] for source in sources if source in of]]
        if len(scores) == len(sources)
    ]  # fmt: skip
    read = [
        f"{_HEADING['labels=mean' in source]}: {_JOINED['labels=mean' in source]}"
        for source in sources
    ]
    return Table(
        "returned",
        f"{names.of_source(sources[0])}, query by query",
        "The share of the first documents returned that the experts find relevant. Where several "
        f"labelled a document: {' '.join(read)}",
        (
            Column("Query", ("case",)),
            Column("System", ("system",)),
            *(
                Column(_HEADING["labels=mean" in source], (_FIELD["labels=mean" in source],),
                       numeric=True)
                for source in sources
            ),
        ),
        tuple(rows),
        empty="No document that was returned has a label.",
        synthetic=results.study.synthetic,
    )  # fmt: skip


_JOINED = {
    True: "its label is the mean of theirs.",
    False: "its label is what most of them say; a document on which as many say the one as the "
    "other is left out, as is one without a label.",
}
"""How labels are joined, by whether the metric's name asks for their mean."""
_HEADING = {True: "Precision, mean of labels", False: "Precision"}
_FIELD = {True: "precision_mean_of_labels", False: "precision"}


def each_pair(results: Results) -> Table:
    """Show the kappa of every two raters that `pairwise` sums up."""
    names = Names(results)
    summed = {(pairs.dimension, pairs.coefficient) for pairs in over_pairs_in(results.analyses)}
    rows = [
        Row((
            text(part.group),
            missing(part.agreement.reason) if part.agreement.value is None else Cell(
                PROPORTION(part.agreement.value), (part.agreement.value,)),
            count(part.agreement.n_units),
        ), names.of_dimension(part.agreement.dimension))
        for part in parts_in(results.analyses)
        if part.by == "pair" and part.agreement.mapping == "full"
        and (part.agreement.dimension, part.agreement.coefficient) in summed
    ]  # fmt: skip
    return Table(
        "pairwise-each",
        "Kappa of each pair of experts",
        "Over the answers that both labelled.",
        (
            Column("Experts", ("pair",)),
            Column("Kappa", ("kappa",), numeric=True),
            Column("Answers", ("answers",), numeric=True),
        ),
        tuple(rows),
        group_field="dimension",
        empty="No two experts rated the same answers.",
        synthetic=results.study.synthetic,
    )
