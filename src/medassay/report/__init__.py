"""A run as a page, figures, tables, one JSON file, and in the forms of a paper.

What enters: `analyses.results.Results`. What leaves: bytes and files. Nothing is computed here
beyond rounding, sorting and counting rows, so page, table, figure and sentence say the same
number. No clock and no random order: the same results give the same bytes.
"""

from medassay.exhibits.claim import ReaderQuestion
from medassay.report.clinical_json import clinical_files
from medassay.report.contents import tables_of
from medassay.report.findings import Finding, findings
from medassay.report.paper import Item, write_paper
from medassay.report.plan_export import export_plan
from medassay.report.render import FORMS, STANDARD, Form, render
from medassay.report.store import RunSummary, read_results, read_summary

__all__ = [
    "FORMS",
    "STANDARD",
    "Finding",
    "Form",
    "Item",
    "ReaderQuestion",
    "RunSummary",
    "clinical_files",
    "export_plan",
    "findings",
    "read_results",
    "read_summary",
    "render",
    "tables_of",
    "write_paper",
]
