"""Filled checklists as files: Markdown, CSV, LaTeX and one workbook."""

from dataclasses import replace

from medassay.report.checklists.filled import filled
from medassay.report.checklists.items import checklists
from medassay.report.forms import Document, workbook
from medassay.report.latex import table_latex
from medassay.report.tables import table_csv, table_markdown

__all__ = ["checklist_files"]


def checklist_files(document: Document) -> dict[str, bytes]:
    """Fill every checklist from a run, in every form.

    Args:
        document: The run as a paper lays it out, with its tables.

    Returns:
        File, as seen from the run's folder, to what stands in it.
    """
    results = document.results
    known = (*document.tables, *document.files)
    tables = tuple(
        replace(filled(checklist, results, known), synthetic=results.study.synthetic)
        for checklist in checklists()
    )
    files = {"checklists/checklists.xlsx": workbook(replace(document, tables=tables, files=()))}
    for table in tables:
        files[f"checklists/{table.id}.md"] = table_markdown(table)
        files[f"checklists/{table.id}.csv"] = table_csv(table)
        files[f"checklists/{table.id}.tex"] = table_latex(table)
    return files
