"""A run as one Markdown file: the page's answer, its tables in short, and where the rest is."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Final

from medassay.analyses.builtin.human_evaluation import human_evaluation, paper_sentence
from medassay.exhibits.claim import ReaderQuestion
from medassay.report.asked import asked_rates
from medassay.report.contents import Contents
from medassay.report.findings import findings
from medassay.report.forms.document import Document
from medassay.report.names import Names
from medassay.report.prose import Statement
from medassay.report.tables import SYNTHETIC, Table, as_markdown, table_markdown
from medassay.report.whose import Whose
from medassay.tables import text_bytes, visible

_MOST_ROWS: Final = 12
"""Of a longer table the first rows are printed; its file has all. The first table is never cut."""


def markdown(document: Document, held: Contents) -> bytes:
    """Write the answer, the page's tables in short, the methods, and what to cite.

    Args:
        document: The run.
        held: What the page shows of it.
    """
    results = document.results
    lines = [f"# {as_markdown(results.study.title)}", ""]
    if results.study.synthetic:
        lines += [f"> {SYNTHETIC}", ""]
    by_question = groupby(findings(results), key=lambda finding: finding.answers)
    further: list[str] = []
    for question, own in by_question:
        printed = [_sentence(document, Statement(finding.text, finding.basis)) for finding in own]
        if question is ReaderQuestion.FURTHER:
            further = [f"- {sentence}" for sentence in printed]
        else:
            lines += [f"**{question.heading}.** {' '.join(printed)}", ""]
    rates = asked_rates(results)
    lines += [as_markdown(rates), ""] if rates else []
    lines += [_short(table, whole=not at) for at, table in enumerate(held.shown) if table.rows]
    lines += [f"## {ReaderQuestion.FURTHER.heading}", "", *further, ""] if further else []
    lines += _for_the_paper(document)
    methods = " ".join(_sentence(document, statement) for statement in document.methods)
    lines += ["## Methods", "", methods, ""]
    lines += ["## In files", "", *_elsewhere(document), ""]
    lines += ["## References", ""]
    lines += [
        f"- [{reference.key}] {as_markdown(reference.text)}" for reference in document.references
    ]
    return text_bytes(visible("\n".join(lines) + "\n"))


def _for_the_paper(document: Document) -> list[str]:
    """Give the paragraph that the protocol's source wants in a paper, where it wants one."""
    paper = document.results.analyses.of(human_evaluation)
    if paper is None:
        return []
    text = Whose(document.results).text(paper_sentence(paper, Names(document.results)))
    statement = Statement(text, ("human-evaluation", "agreement"))
    return [f"## {human_evaluation.declared.title}", "", _sentence(document, statement), ""]


def _elsewhere(document: Document) -> Iterator[str]:
    """Name the files of the tables that are not printed, and what writes other forms."""
    filed = [table for table in document.tables if table.stands == "file"]
    for table in sorted((*filed, *document.files), key=lambda filed_table: filed_table.number):
        yield (
            f"- Table {table.number}. {as_markdown(table.title)}: {len(table.rows):,} rows, "
            f"tables/{table.id}.csv"
        )
    for table in document.empty:
        yield f"- Table {table.number}. {as_markdown(table.title)}: {as_markdown(table.empty)}"
    yield "- The signature of every score: tables/sources.csv"
    yield (
        "- Figures: figures/*.svg. `medassay report STUDY --to pdf,png` writes other forms of "
        "them, `--to tables,latex,xlsx` every table in print"
    )


def _sentence(document: Document, statement: Statement) -> str:
    numbers = [document.numbers[name] for name in document.cited(statement)]
    beside = f" (Table {', '.join(numbers)})" if numbers else ""
    text = as_markdown(statement.text)
    return f"{text[:-1]}{beside}." if text.endswith(".") else f"{text}{beside}"


def _short(table: Table, *, whole: bool) -> str:
    """Print a table with the first sentences of its caption; of a long one the first rows."""
    rows: Sequence[object] = table.rows
    cut = not whole and len(rows) > _MOST_ROWS
    shown = replace(table, caption=table.lead, rows=table.rows[:_MOST_ROWS] if cut else table.rows)
    written = table_markdown(shown).decode()
    if table.synthetic:
        written = written.replace(f"> {SYNTHETIC}\n\n", "", 1)
    if cut:
        written += f"\nThe first {_MOST_ROWS} of {len(rows):,} rows; all: tables/{table.id}.csv\n"
    return written.replace("**", f"**Table {table.number}. ", 1)
