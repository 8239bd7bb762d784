"""The page of a panel that describes only: a part for each of the protocol's five objectives."""

from collections.abc import Mapping

from medassay.report import tables
from medassay.report.panel import PanelPart
from medassay.report.pictures import Shown
from medassay.report.tables import Table
from medassay.study.results import Results

__all__ = ["INTENDED", "objective_parts", "objective_tables"]

_RETRIEVAL = "precision_returned@"
INTENDED = (
    "These results describe how the method worked on these queries with these experts: whether it "
    "can be done, followed and inspected. They are no measure of how well it predicts anything, no "
    "evidence that it may support decisions, and nothing here was tested or estimated for other "
    "queries or other experts. The method is to support expert judgement, not to replace it."
)
"""What the source asks readers to take the results as."""


def objective_parts(results: Results, figures: Mapping[str, Shown]) -> list[PanelPart]:
    """Lay out the five objectives in the source's order, whatever is known of each."""
    known = {table.id: table for table in objective_tables(results)}

    def have(*starts: str) -> tuple[Table, ...]:
        return tuple(table for name, table in known.items() if name.startswith(starts))

    return [
        PanelPart(
            "objective-retrieval",
            "1. Is relevant literature retrieved?",
            "",
            tables=have("summary-precision", "returned"),
        ),
        PanelPart(
            "objective-factuality",
            "2. Are the summaries consistent with what they cite?",
            "",
            tables=have("summary-factuality"),
        ),
        PanelPart(
            "objective-interpretability",
            "3. Can experts follow and inspect the answers?",
            "",
            pictures=tuple(name for name in ("labels",) if name in figures),
            tables=(*have("summary-interpretability"), *have("labels")),
        ),
        PanelPart(
            "objective-confidence",
            "4. Is the system's confidence that of the experts?",
            "Kappa here means that system and experts use the words alike. It says nothing of "
            "accuracy, and the levels are no probabilities.",
            notes=tuple(dict.fromkeys(one.note for one in results.alignment if one.note)),
            tables=have("alignment", "side-by-side"),
        ),
        PanelPart(
            "objective-agreement",
            "5. Do the experts agree?",
            "Agreement is of labels given independently. It puts the ratings into context.",
            tables=have("pairwise", "agreement", "raters"),
        ),
    ]


def objective_tables(results: Results) -> list[Table]:
    """Give the tables of the five objectives."""
    retrieval = [one.name for one in results.sources if one.name.startswith(_RETRIEVAL)]
    described = list(dict.fromkeys(one.name for one in results.summaries))
    systems = list(dict.fromkeys(one.system for one in results.alignment))
    return [
        *(tables.returned(results, source) for source in retrieval),
        *(tables.summaries(results, name) for name in described),
        tables.labels(results),
        tables.alignment(results),
        *(tables.side_by_side(results, system) for system in systems),
        tables.pairwise(results),
        tables.agreement(results),
        *(table for table in tables.panel_tables(results) if table.id == "raters"),
    ]
