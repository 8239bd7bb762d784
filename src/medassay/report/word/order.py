"""The order of CHART: which headings there are, and what of a report stands below each."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from medassay.analyses.sections import SECTIONS
from medassay.report.checklists import Checklist
from medassay.report.contents import Contents
from medassay.report.forms import Document
from medassay.report.parts import PanelPart
from medassay.report.prose import Statement


@dataclass(slots=True)
class Subchapter:
    """A heading with what stands below it.

    Attributes:
        title: Its heading; empty where the chapter's own is enough.
        items: Items of CHART, whole (`10a`) or by their number alone (`7`); empty for none.
        statements: Sentences.
        parts: Parts of the report with their notes, figures and tables.
    """

    title: str
    items: tuple[str, ...] = ()
    statements: list[Statement] = field(default_factory=list)
    parts: list[PanelPart] = field(default_factory=list)

    def asks(self, item: str) -> bool:
        """Say whether an item of CHART is answered here."""
        number = re.match(r"\d*", item)
        return item in self.items or (number is not None and number[0] in self.items)


@dataclass(frozen=True, slots=True)
class Chapter:
    """A chapter of CHART with its places."""

    title: str
    places: list[Subchapter]


_PERFORMANCE, _DEVIATIONS, _HARM, _SAMPLE, _STATISTICS = "10a", "10b", "10c", "8", "9a"
_OF_PARTS: Final[Mapping[str, str]] = {
    "clinical-options": _DEVIATIONS,
    "clinical-errors": _DEVIATIONS,
    "clinical-reasoning": _DEVIATIONS,
    "clinical-safety": _HARM,
    "panel-template": "7b",
    "panel-flow": "7bi",
    "panel-plan": _SAMPLE,
}
"""Part of a report to the item that it answers."""
_OF_SECTIONS: Final[Mapping[str, str]] = {
    "leaders": _PERFORMANCE,
    "clinical": _PERFORMANCE,
    "ratings": _PERFORMANCE,
    "preferences": _PERFORMANCE,
    "methods": _STATISTICS,
}
"""Section to the item that its other parts answer. What answers none has a heading of its own."""
_OF_TABLES: Final[Mapping[str, str]] = {
    "systems": "3a",
    "accuracy": _PERFORMANCE,
    "labels": _DEVIATIONS,
    "labels-by-system": _DEVIATIONS,
    "passages": _DEVIATIONS,
    "targets": _PERFORMANCE,
}
"""Tables that CHART asks for in two places, or in none by name."""


def _chapters(sections: Iterable[str]) -> list[Chapter]:
    return [
        Chapter("Title and abstract", [Subchapter("", ("1",))]),
        Chapter("Introduction", [Subchapter("", ("2",))]),
        Chapter(
            "Methods",
            [
                Subchapter("Models", ("3", "4")),
                Subchapter("Prompts and queries", ("5", "6")),
                Subchapter("Performance evaluation", ("7",)),
                Subchapter("Sample size", (_SAMPLE,)),
                Subchapter("Statistics", ("9",)),
            ],
        ),
        Chapter(
            "Results",
            [
                Subchapter("Performance", (_PERFORMANCE,)),
                Subchapter("Deviations", (_DEVIATIONS,)),
                Subchapter("Harm and bias", (_HARM,)),
                *(Subchapter(s.title, (s.id,)) for s in SECTIONS if s.id in sections),
            ],
        ),
        Chapter("Discussion", [Subchapter("", ("11",))]),
        Chapter("Open science", [Subchapter("", ("12",))]),
    ]


def in_order(document: Document, held: Contents, chart: Checklist) -> list[Chapter]:
    """Put every sentence, and every table and figure of the page, under what CHART calls it.

    Args:
        document: The run as paragraphs.
        held: What the page shows of it.
        chart: The checklist.
    """
    named = {table: item.number for item in reversed(chart.items) for table in item.tables}
    named |= _OF_TABLES
    chapters = _chapters({section.id for section in SECTIONS} - {*_OF_SECTIONS})
    places = [place for chapter in chapters for place in chapter.places]

    def at(item: str) -> Subchapter:
        return next(place for place in places if place.asks(item))

    of_table = {}
    for item, part in _parts(document, held):
        for table in part.tables:
            of_table[table.id] = at(named.get(table.id, item))
        _put(part, at(item), of_table)
    for section, tables in held.files.items():
        for table in tables:
            of_table.setdefault(table.id, at(named.get(table.id, _of(section, document))))
    for statement in (*document.methods, *document.found):
        known = (of_table[name] for name in statement.basis if name in of_table)
        place = at(statement.item) if statement.item else next(known, at(_PERFORMANCE))
        place.statements.append(statement)
    for chapter in chapters:
        chapter.places[:] = [
            place
            for place in chapter.places
            if place.statements or place.parts or not {*place.items} & _own()
        ]
    return chapters


def _own() -> set[str]:
    return {section.id for section in SECTIONS}


def _put(part: PanelPart, place: Subchapter, of_table: Mapping[str, Subchapter]) -> None:
    """Put a part where it belongs; a table that CHART wants elsewhere goes there, without it."""
    here = tuple(table for table in part.tables if of_table[table.id] is place)
    rest = PanelPart(part.id, part.title, part.lead, part.notes, part.pictures, here)
    if rest.notes or rest.pictures or rest.tables:
        place.parts.append(rest)
    for table in part.tables:
        if of_table[table.id] is not place:
            of_table[table.id].parts.append(PanelPart(table.id, "", "", tables=(table,)))


def _parts(document: Document, held: Contents) -> Iterator[tuple[str, PanelPart]]:
    """Give what the page shows, part by part in its order, each with the item that it answers."""
    for table in held.first:
        yield _PERFORMANCE, PanelPart(table.id, "", "", tables=(table,))
    first = {table.id for table in held.first}
    for section in SECTIONS:
        own = held.panel if section.id == "panel" else []
        for part in (*own, *held.asked[section.id]):
            tables = tuple(table for table in part.tables if table.id not in first)
            yield (
                _OF_PARTS.get(part.id) or _of(section.id, document),
                PanelPart(part.id, part.title, part.lead, part.notes, part.pictures, tables),
            )
    short = {table.id: table for table in document.tables}
    for name in ("systems", "rating-counts", *(table.id for table in held.sections["methods"])):
        if name in short:
            yield _STATISTICS, PanelPart(name, "", "", tables=(short[name],))


def _of(section: str, document: Document) -> str:
    """Say which item a section answers; of a panel that only describes, its objectives are all."""
    name = section.removeprefix("asked-")
    if document.results.study.descriptive and name == "panel":
        return _PERFORMANCE
    return _OF_SECTIONS.get(name, name)
