"""The clinical part of the page: what was chosen, and how far the confidence can be believed."""

from collections.abc import Mapping

from medassay.report.panel import PanelPart
from medassay.report.pictures import Shown
from medassay.report.tables import choice_tables
from medassay.study.results import Results

__all__ = ["clinical_parts"]


def clinical_parts(results: Results, figures: Mapping[str, Shown]) -> list[PanelPart]:
    """Lay out what is known of choices; parts without anything are left out."""
    known = {table.id: table for table in choice_tables(results)}
    parts = [
        PanelPart(
            "clinical-accuracy",
            "How often the right option is chosen",
            "",
            tables=tuple(known[one] for one in ("accuracy", "mcnemar") if one in known),
        ),
        PanelPart(
            "clinical-options",
            "Which options are taken for others",
            "A system that prefers one letter shows here: much recall and little precision.",
            pictures=tuple(name for name in figures if name == "confusion_matrix"),
            tables=tuple(
                known[one]
                for one in ("option-figures", "options", "option-confusion")
                if one in known
            ),
        ),
    ]
    return [part for part in parts if part.tables or part.pictures]
