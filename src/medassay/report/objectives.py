"""The page of a panel that describes only: a part for each of the protocol's five objectives."""

from medassay.analyses.builtin.agreement import agreement
from medassay.analyses.builtin.label_counts import label_counts
from medassay.analyses.builtin.label_counts.record import LabelCount
from medassay.analyses.builtin.label_counts.table import labels_table
from medassay.analyses.builtin.rater_flow import rater_flow
from medassay.analyses.builtin.rating_counts import rating_counts
from medassay.analyses.results import Results
from medassay.report import tables
from medassay.report.asked import asked_tables
from medassay.report.names import Names
from medassay.report.parts import PanelPart
from medassay.report.tables import Table
from medassay.text import count_of

__all__ = [
    "INTENDED",
    "ITS_OWN",
    "RETRIEVAL",
    "described_tables",
    "objective_parts",
    "objective_tables",
]

RETRIEVAL = "precision_returned@"
ITS_OWN = frozenset({agreement.id, label_counts.id, rating_counts.id, rater_flow.id})
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
    known = {table.id: table for table in objective_tables(results)}

    def have(*starts: str) -> tuple[Table, ...]:
        return tuple(table for name, table in known.items() if name.startswith(starts))

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
            "4. Is the system's confidence that of the experts?",
            "Kappa here means that system and experts use the words alike. It says nothing of "
            "accuracy, and the levels are no probabilities.",
            notes=(
                *filter(None, [_order(results)]),
                *dict.fromkeys(alignment.note for alignment in results.alignment if alignment.note),
            ),
            tables=have("labels-expert-confidence", "alignment", "side-by-side"),
        ),
        PanelPart(
            "objective-agreement",
            "5. Do the experts agree?",
            "Agreement is of labels given independently. It puts the ratings into context.",
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
    described = list(dict.fromkeys(summary.name for summary in results.summaries))
    judged = dict.fromkeys(count.dimension for count in _counts(results))
    rest = [name for name in judged if name not in described]
    systems = list(dict.fromkeys(alignment.system for alignment in results.alignment))
    return [
        *(tables.returned(results, source) for source in retrieval),
        *([tables.relevance(results)] if results.relevance else []),
        *(
            table
            for name in described
            for table in (tables.summaries(results, name), *_labels(results, name))
        ),
        *(table for name in rest for table in _labels(results, name)),
        tables.alignment(results),
        *(tables.side_by_side(results, system) for system in systems),
        tables.pairwise(results),
        tables.each_pair(results),
        *(table for table in asked_tables(results) if table.id == "raters"),
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


def _order(results: Results) -> str:
    """Say whether experts gave their confidence before they saw the system's."""
    order = results.label_order
    if order is None or not order.before + order.after + order.unknown:
        return ""
    total = order.before + order.after + order.unknown
    if order.before == total:
        return (
            f"{'All ' * (total > 1)}{count_of(total, 'rating')} of confidence "
            f"{'was' if total == 1 else 'were'} given before the system's level was shown: "
            "the order of the questions is stored with each rating."
        )
    if order.unknown == total:
        return (
            "The order of the questions was not stored: nothing shows that experts gave their "
            "confidence before they saw the system's."
        )
    return (
        f"Of {count_of(total, 'rating')} of confidence {order.before} "
        f"{'was' if order.before == 1 else 'were'} given before the system's level "
        f"was shown, {order.after} after it, and of {order.unknown} the order was not stored."
    )


def _labels(results: Results, name: str) -> list[Table]:
    """Count the labels of a dimension; a metric has none."""
    counts = _counts(results)
    judged = {count.dimension for count in counts}
    return [labels_table(counts, Names(results), name)] if name in judged else []


def _counts(results: Results) -> tuple[LabelCount, ...]:
    counts = results.analyses.of(label_counts)
    return counts.counts if counts else ()
