"""Try an analysis on a study, as a report would."""

import re
from pathlib import Path
from typing import Any, Final

from pydantic import TypeAdapter

from medassay.analyses.declaration import API, Analysis, Declaration, UndeclaredVerdict
from medassay.analyses.inputs.readable import Inputs, check_reads
from medassay.analyses.inputs.study_columns import collect_columns
from medassay.analyses.registry import fits_part
from medassay.analyses.sections import SECTIONS
from medassay.annotations import Audience, Describing, pruned
from medassay.exhibits import Finding, Names
from medassay.exhibits.table import Table
from medassay.report.tables import table_csv, table_markdown
from medassay.study import Study
from medassay.study.scoring.score_study import score_study

_ID: Final = re.compile(r"[a-z][a-z0-9_]*\Z")


def check_analysis(analysis: Analysis[Any], study: Path | str) -> str:
    """Does an analysis hold to what every analysis of a report holds to?

    It is run twice on the study, written as JSON and read back, stripped as `[privacy] texts` and a
    protocol that describes only would strip it, and its tables are written as CSV and Markdown.
    A sentence with a verdict must be claimed, so that the report can say how often it is wrong.

    Args:
        analysis: What `analysis` made.
        study: A study's folder that the analysis has something to say of.

    Returns:
        Its tables as Markdown, and its sentence: what a report would show.

    Raises:
        AssertionError: What is wrong, in a sentence.
        InvalidInput: The study cannot be opened.
    """
    declaration = analysis.declared
    _must(declaration.api == API, f"be written for version {API} of analyses", declaration.api)
    _must(_ID.match(analysis.id), "have an id of small letters, digits and _", analysis.id)
    sections = [section.id for section in SECTIONS]
    _must(
        declaration.section in sections,
        f"name a section ({', '.join(sections)})",
        declaration.section,
    )
    _must(fits_part(declaration), "name a part of its section, or none", declaration.part)
    for name in ("title", "question"):
        _must(getattr(declaration, name).strip(), f"have a {name}", "none")
    lacks = check_reads(analysis)
    _must(not lacks, "read what a study has", lacks)
    opened = Study.open(study)
    record, again = _run(analysis, opened), _run(analysis, opened)
    _must(record not in (None, ()), "have something to say of this study", "None")
    adapter = TypeAdapter(analysis.record)
    written = adapter.dump_json(record)
    _must(written == adapter.dump_json(again), "say the same twice: pass randomness in", "another")
    read = adapter.validate_json(written)
    _must(adapter.dump_json(read) == written, "be read back from JSON as it was", "another record")
    names = Names()
    for shown in (record, *_stripped(analysis, record)):
        _tables(analysis, shown, names)
    parts = [table_markdown(table).decode() for table in _tables(analysis, record, names)]
    for finding in _findings(declaration, record, names):
        _must(finding.text.strip(), "say something in its finding", "nothing")
        known = {table.id for table in _tables(analysis, record, names)}
        _must(set(finding.basis) <= known, "name tables of its own in its finding", finding.basis)
        parts.append(f"{finding.text}\n")
    return "\n".join(parts)


def _findings(declaration: Declaration, record: object, names: Names) -> tuple[Finding, ...]:
    """Give its sentences, each verdict of which must be claimed at a declared rate."""
    try:
        return declaration.findings(record, names)
    except UndeclaredVerdict as error:
        raise AssertionError(str(error)) from error


def _run(analysis: Analysis[Any], study: Study) -> Any:  # noqa: ANN401 - a record of any type
    score_columns = collect_columns(study, score_study(study, ()))
    return analysis.compute(**Inputs(study, score_columns).of(analysis))


def _stripped(analysis: Analysis[Any], record: Any) -> list[Any]:  # noqa: ANN401 - as above
    """Give the record as readers get it who may see less."""
    stripped = [pruned(record, Audience(texts, (), frozenset())) for texts in ("ids", "none")]
    return stripped if analysis.infers else [*stripped, pruned(record, Describing())]


def _tables(analysis: Analysis[Any], record: Any, names: Names) -> list[Table]:  # noqa: ANN401 - as above
    tables = list(analysis.declared.tables(record, names)) if analysis.declared.tables else []
    ids = [table.id for table in tables]
    _must(len(ids) == len(set(ids)), "give each table an id of its own", ids)
    for table in tables:
        _must(table.caption.strip(), "say in each caption how to read the table", table.id)
        _must(table.rows or table.empty, "say what stands in place of an empty table", table.id)
        for row in table.rows:
            raw = [len(cell.raw) for cell in row.cells]
            fields = [len(column.fields) for column in table.columns]
            _must(raw == fields, f"have as many values as headings in {table.id}", raw)
        table_csv(table)
    return tables


def _must(holds: object, must: str, got: object) -> None:
    if not holds:
        message = f"an analysis must {must}; got {got}"
        raise AssertionError(message)
