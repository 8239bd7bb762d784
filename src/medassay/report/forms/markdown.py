"""A run as one Markdown file."""

from collections.abc import Sequence

from medassay.report.forms.document import Document, Drawn
from medassay.report.prose import Statement
from medassay.report.tables import SYNTHETIC, Table, table_markdown
from medassay.report.tables.files import as_markdown
from medassay.tables import visible

__all__ = ["markdown"]


def markdown(document: Document, figures: Sequence[Drawn]) -> bytes:
    """Write the methods, the results, every table that fits on paper, and what to cite.

    Args:
        document: The run.
        figures: Every figure.
    """
    results = document.results
    lines = [f"# {as_markdown(results.study.title)}", ""]
    if results.study.synthetic:
        lines += [f"> {SYNTHETIC}", ""]
    lines += ["## Methods", "", _paragraph(document, document.methods), ""]
    lines += ["## Results", "", _paragraph(document, document.found), ""]
    for number, drawn in enumerate(figures, start=1):
        lines += [f"![Figure {number}]({drawn.path})", ""]
        text = " ".join(as_markdown(part) for part in (f"{drawn.title}.", drawn.caption) if part)
        lines += [f"**Figure {number}.** {text}", ""]
    if document.tables:
        lines += ["## Tables", "", *map(_numbered, document.tables)]
    if document.files or document.empty:
        lines += ["## Not printed here", ""]
        lines += [
            f"- Table {table.number}. {as_markdown(table.title)}: {len(table.rows)} rows, "
            f"in tables/{table.id}.csv"
            for table in document.files
        ]
        lines += [
            f"- Table {table.number}. {as_markdown(table.title)}: {as_markdown(table.empty)}"
            for table in document.empty
        ]
        lines += [""]
    lines += ["## References", ""]
    lines += [
        f"- [{reference.key}] {as_markdown(reference.text)}" for reference in document.references
    ]
    lines += ["", "## Signatures", ""]
    lines += [f"- `{signature.replace('`', '')}`" for _, signature in document.signatures]
    return visible("\n".join(lines) + "\n").encode()


def _paragraph(document: Document, statements: Sequence[Statement]) -> str:
    lines = []
    for statement in statements:
        numbers = [document.numbers[name] for name in document.cited(statement)]
        beside = f" (Table {', '.join(numbers)})" if numbers else ""
        text = as_markdown(statement.text)
        lines.append(f"{text[:-1]}{beside}." if text.endswith(".") else f"{text}{beside}")
    return " ".join(lines)


def _numbered(table: Table) -> str:
    written = table_markdown(table).decode()
    if table.synthetic:
        written = written.replace(f"> {SYNTHETIC}\n\n", "", 1)
    return written.replace("**", f"**Table {table.number}. ", 1)
