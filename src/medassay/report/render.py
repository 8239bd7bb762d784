"""A run written out: the page, the JSON, the figures and the tables."""

from collections.abc import Sequence
from pathlib import Path

from medassay.report.clinical_json import clinical_files
from medassay.report.figures import FORMATS, draw, figure_bytes
from medassay.report.objectives import described_tables
from medassay.report.page import page
from medassay.report.pictures import Shown
from medassay.report.privacy import guarded
from medassay.report.store import report_json
from medassay.report.tables import all_tables, table_csv, table_markdown
from medassay.study.results import Results
from medassay.tables import write_atomically

__all__ = ["render"]


def render(results: Results, into: Path, formats: Sequence[str] = FORMATS) -> list[Path]:
    """Write report.html, report.json, figures/ and tables/, and clinical/ where there are choices.

    Each file is written whole or not at all; the same results give the same bytes.

    Args:
        results: All of a run.
        into: The folder; it is made where there is none. Other files in it are left alone.
        formats: Forms of the figures, out of `svg`, `pdf` and `png`.

    Returns:
        The files, the page first.

    Raises:
        InvalidInput: The folder cannot be written.
    """
    results = guarded(results)
    drawn = draw(results)
    shown = {
        name: Shown(one.title, one.caption, figure_bytes(one.figure, "svg", one.title).decode())
        for name, one in drawn.items()
    }
    files = {"report.html": page(results, shown), "report.json": report_json(results)}
    for name, one in drawn.items():
        for form in formats:
            svg = shown[name].svg.encode()
            own = svg if form == "svg" else figure_bytes(one.figure, form, one.title)
            files[f"figures/{name}.{form}"] = own
    files |= clinical_files(results)
    for table in described_tables(results) if results.study.descriptive else all_tables(results):
        files[f"tables/{table.id}.csv"] = table_csv(table)
        files[f"tables/{table.id}.md"] = table_markdown(table)
    for name, content in files.items():
        write_atomically(into / name, content)
    return [into / name for name in files]
