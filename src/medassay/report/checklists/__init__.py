"""Reporting checklists, filled from what a run tells: what is reported, and where.

What enters: the results of a run, and the tables of its report. What leaves: a table a checklist,
in which each item is done (and where), not done, or not to be known from a study's files; as
Markdown, CSV, LaTeX, and a workbook. The items are data (`data/checklists`).
"""

from medassay.report.checklists.files import checklist_files
from medassay.report.checklists.items import Checklist, ChecklistItem, checklists

__all__ = ["Checklist", "ChecklistItem", "checklist_files", "checklists"]
