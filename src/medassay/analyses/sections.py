"""The sections of a report, in their one order."""

from dataclasses import dataclass
from typing import Final

__all__ = ["SECTIONS", "Section"]


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a report.

    Attributes:
        id: Names it in declarations, and its place on the page.
        title: Its heading.
        short: What the page's contents call it.
    """

    id: str
    title: str
    short: str


SECTIONS: Final = (
    Section("leaders", "Leaderboard", "Leaderboard"),
    Section("clinical", "Choices, reasoning and safety", "Choices, reasoning and safety"),
    Section("ratings", "People's ratings", "People's ratings"),
    Section("panel", "The panel", "The panel"),
    Section("preferences", "Preferences", "Preferences"),
    Section("validity", "Which metrics the raters bear out", "Metrics and raters"),
    Section("judges", "The model judges", "The model judges"),
    Section("difficulty", "How hard the cases are", "Difficulty"),
)
"""Every section of analyses; page, tables, files, LaTeX, workbook and Markdown follow this order.

What was evaluated stands before them, single cases and methods behind.
"""
