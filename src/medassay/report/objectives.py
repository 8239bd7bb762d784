"""The page of a panel that describes only: a part for each of the protocol's five objectives."""

from medassay.analyses.builtin.agreement import agreement
from medassay.analyses.builtin.alignment import alignment
from medassay.analyses.builtin.document_relevance import document_relevance
from medassay.analyses.builtin.label_counts import LabelCount, label_counts, labels_table
from medassay.analyses.builtin.label_order import label_order
from medassay.analyses.builtin.pairwise import pairwise
from medassay.analyses.builtin.rater_flow import rater_flow
from medassay.analyses.builtin.rating_counts import rating_counts
from medassay.analyses.builtin.summaries import summaries, summaries_in
from medassay.analyses.results import Results
from medassay.exhibits.names import slug
from medassay.report import tables
from medassay.report.asked import asked_notes, asked_tables
from medassay.report.names import Names
from medassay.report.parts import PanelPart
from medassay.report.tables import Table

RETRIEVAL = "precision_returned@"
ITS_OWN = frozenset(
    analysis.id
    for analysis in (
        agreement, alignment, document_relevance, label_counts, label_order, pairwise, rater_flow,
        rating_counts, summaries,
    )
)  # fmt: skip
"""Analyses that the page of the objectives lays out itself."""
INTENDED = (
    "These results describe how the method worked on these queries with these experts: whether it "
    "can be done, followed and inspected. They are no measure of how well it predicts anything, no "
    "evidence that it may support decisions, and nothing here was tested or estimated for other "
    "queries or other experts. The method is to support expert judgement, not to replace it."
)
"""What the source asks readers to take the results as."""


def objective_parts(results: Results) -> list[PanelPart]:
    """Lay out the five objectives in the source's order, whatever is known of each."""
    known = objective_tables(results)

    def have(*starts: str) -> tuple[Table, ...]:
        return tuple(table for table in known if table.id.startswith(starts))

    return [
        PanelPart(
            "objective-retrieval",
            "1. Is relevant literature retrieved?",
            "",
            tables=have("summary-precision", "returned", "relevance"),
        ),
        PanelPart(
            "objective-factuality",
            "2. Are the summaries consistent with what they cite?",
            "",
            tables=have("summary-factuality", "labels-factuality"),
        ),
        PanelPart(
            "objective-interpretability",
            "3. Can experts follow and inspect the answers?",
            "",
            tables=have("summary-interpretability", "labels-interpretability"),
        ),
        PanelPart(
            "objective-confidence",
            "4. Does the system's confidence match the experts'?",
            "Kappa here means that system and experts use the words alike. It says nothing of "
            "accuracy, and the levels are no probabilities.",
            notes=tuple(asked_notes(results, (label_order.id, alignment.id))),
            tables=have("labels-expert-confidence", "alignment", "side-by-side"),
        ),
        PanelPart(
            "objective-agreement",
            "5. Do the experts agree?",
            "Labels were given independently.",
            tables=have("pairwise", "raters"),
        ),
    ]


def objective_tables(results: Results) -> list[Table]:
    """Give the tables of the five objectives."""
    retrieval = [
        source_result.name
        for source_result in results.sources
        if source_result.name.startswith(RETRIEVAL)
    ]
    asked = {table.id: table for table in asked_tables(results)}
    described = list(dict.fromkeys(summary.name for summary in summaries_in(results.analyses)))
    judged = dict.fromkeys(count.dimension for count in _counts(results))
    of_names = [
        table
        for name in dict.fromkeys([*described, *judged])
        for table in (asked.get(f"summary-{slug(name)}"), *_labels(results, name))
        if table
    ]

    def of(*starts: str) -> list[Table]:
        return [table for name, table in asked.items() if name.startswith(starts)]

    return [
        *([tables.returned(results, retrieval)] if retrieval else []),
        *of("relevance"),
        *of_names,
        *of("alignment"),
        *of("side-by-side"),
        *of("pairwise"),
        *([tables.each_pair(results)] if pairwise.id in results.analyses else []),
        *(table for table in asked.values() if table.id == "raters"),
    ]


def described_tables(results: Results) -> list[Table]:
    """Give every table of a panel that describes only, in the order of the page."""
    return [
        *objective_tables(results),
        *asked_tables(results, but=ITS_OWN),
        tables.answers(results),
        tables.systems(results),
        tables.sources(results),
        *([tables.left_out(results)] if results.left_out else []),
        tables.unscored(results),
        tables.inputs(results),
    ]


def _labels(results: Results, name: str) -> list[Table]:
    """Count the labels of a dimension; a metric has none."""
    counts = _counts(results)
    judged = {count.dimension for count in counts}
    return [labels_table(counts, Names(results), name)] if name in judged else []


def _counts(results: Results) -> tuple[LabelCount, ...]:
    counts = results.analyses.of(label_counts)
    return counts.counts if counts else ()
