"""What declared analyses show: their tables, figures and sentences, wherever a report has them."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from medassay.analyses.registry import analyses
from medassay.analyses.results import Results
from medassay.analyses.sections import SECTIONS, Section
from medassay.exhibits.finding import Finding
from medassay.exhibits.picture import Picture
from medassay.exhibits.table import Table
from medassay.report.names import Names

__all__ = ["AskedPart", "asked_findings", "asked_parts", "asked_pictures", "asked_tables"]


@dataclass(frozen=True, slots=True)
class AskedPart:
    """One analysis as a section of the page shows it.

    Attributes:
        id: Its place on the page.
        title: Its heading; empty where it is the section's own.
        question: What it answers.
        pictures: Ids of its figures.
        tables: Its tables.
    """

    id: str
    title: str
    question: str
    pictures: tuple[str, ...]
    tables: tuple[Table, ...]


def asked_parts(results: Results) -> dict[str, list[AskedPart]]:
    """Lay out each section's analyses; one that shows nothing is left out.

    An analysis whose title is that of its section needs no heading of its own.
    """
    parts: dict[str, list[AskedPart]] = {section.id: [] for section in SECTIONS}
    titles = {section.id: section.title for section in SECTIONS}
    for one, record in _answered(results):
        told = one.declared
        shown = AskedPart(
            f"asked-{one.id}",
            "" if told.title == titles[told.section] else told.title,
            told.question,
            tuple(_pictures(one, record, results)),
            tuple(_tables(one, record, results)),
        )
        if shown.pictures or shown.tables:
            parts[told.section].append(shown)
    return parts


def asked_tables(results: Results, section: Section | None = None) -> list[Table]:
    """Give the tables of all analyses, or of one section's, in the order of the page."""
    return [
        table
        for one, record in _answered(results)
        if section is None or one.declared.section == section.id
        for table in _tables(one, record, results)
    ]


def asked_pictures(results: Results) -> dict[str, Picture]:
    """Draw the figures of all analyses."""
    drawn: dict[str, Picture] = {}
    for one, record in _answered(results):
        drawn |= _pictures(one, record, results)
    return drawn


def asked_findings(results: Results) -> Iterator[Finding]:
    """Say what the analyses found."""
    names = Names(results)
    for one, record in _answered(results):
        said = one.declared.finding(record, names) if one.declared.finding else None
        if said is not None:
            yield said


def _answered(results: Results) -> Iterable[tuple[Any, Any]]:
    found = ((one, results.analyses.of(one)) for one in analyses())
    return ((one, record) for one, record in found if record is not None)


def _tables(one: Any, record: Any, results: Results) -> list[Table]:  # noqa: ANN401 - of any record
    made = one.declared.tables(record, Names(results)) if one.declared.tables else ()
    return [replace(table, synthetic=results.study.synthetic) for table in made]


def _pictures(one: Any, record: Any, results: Results) -> Mapping[str, Picture]:  # noqa: ANN401 - as above
    return one.declared.pictures(record, Names(results)) if one.declared.pictures else {}
