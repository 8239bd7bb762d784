"""Rows of design/verdicts.md about all that a report claims at once."""

from typing import Final

from tools.verdict import Verdict

__all__ = ["OF_REPORTS"]

_DESIGN: Final = ("reports in which", "systems", "cases", "raters")
OF_REPORTS: Final = (
    Verdict(
        "two systems are set apart on the primary question",
        "they are equal, or the other leads",
        5,
        "report-budget",
        "now",
        _DESIGN,
        studies=200,
        mark="primary",
        missed="by an exact level, and of few studies",
    ),
    Verdict(
        "any other claim of a report",
        "systems are equal there, or metrics are useless",
        5,
        "report-budget",
        "now",
        _DESIGN,
        studies=200,
        mark="claims",
        missed="by the level that all of them share, and of few studies",
    ),
    Verdict(
        "any claim of a report",
        "as in the two rows above",
        10,
        "report-budget",
        "now",
        _DESIGN,
        studies=200,
        mark="report",
        missed="the two rates of 5 together; the report's line names both",
    ),
)
