"""A run as a page, figures, tables and one JSON file.

What enters: `study.results.Results`. What leaves: bytes and files. Nothing is computed here beyond
rounding, sorting and counting rows, so page, table, figure and sentence say the same number. No
clock and no random order: the same results give the same bytes.
"""

from medassay.report.export import export_trust
from medassay.report.findings import Finding, findings
from medassay.report.render import render
from medassay.report.store import Summary, read_results, read_summary

__all__ = [
    "Finding",
    "Summary",
    "export_trust",
    "findings",
    "read_results",
    "read_summary",
    "render",
]
