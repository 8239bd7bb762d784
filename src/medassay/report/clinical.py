"""The clinical part of the page: what was chosen, and why answers are wrong."""

from collections.abc import Mapping
from typing import Final

from medassay.analyses.results import Results
from medassay.analyses.sections import section_of
from medassay.report.parts import PanelPart
from medassay.report.pictures import Shown
from medassay.report.reasoning_safety import reasoning_and_safety
from medassay.report.tables import choice_tables, error_tables

__all__ = ["clinical_parts"]

_ERRORS: Final = (
    "error-causes",
    "retrieval-failures",
    "error-groups",
    "condition-errors",
    "condition-pairs",
    "confident-errors",
)
_SHOWN: Final = {
    "clinical-accuracy": ("performance_summary", ("accuracy", "mcnemar")),
    "clinical-options": ("confusion_matrix", ("option-figures", "options", "option-confusion")),
    "clinical-errors": ("error_analysis", _ERRORS),
}
"""Part to its figure and its tables."""


def clinical_parts(results: Results, figures: Mapping[str, Shown]) -> list[PanelPart]:
    """Lay out what is known of choices; parts without anything are left out."""
    every = (*choice_tables(results), *error_tables(results))
    known = {table.id: table for table in every}
    parts = [
        PanelPart(
            part.id,
            part.title,
            part.lead,
            pictures=tuple(name for name in figures if name == picture),
            tables=tuple(known[one] for one in tables if one in known),
        )
        for part in section_of("clinical").parts
        for picture, tables in ([_SHOWN[part.id]] if part.id in _SHOWN else [])
    ]
    parts += reasoning_and_safety(results)
    return [part for part in parts if part.tables or part.pictures]
