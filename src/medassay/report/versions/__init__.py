"""What comparing two versions found, in words and as a comment under a pull request.

A `VersionComparison` enters; sentences, rows of text and Markdown leave.
"""

from medassay.report.versions.markdown import comparison_markdown, no_verdict_markdown
from medassay.report.versions.texts import worst_texts
from medassay.report.versions.words import (
    comparisons,
    false_alarm_words,
    harm_words,
    headline,
    missing_words,
    of_choices,
)

__all__ = [
    "comparison_markdown",
    "comparisons",
    "false_alarm_words",
    "harm_words",
    "headline",
    "missing_words",
    "no_verdict_markdown",
    "of_choices",
    "worst_texts",
]
