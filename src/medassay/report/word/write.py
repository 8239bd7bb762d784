"""The document: title, abstract, chapters, references, and what stands in files only."""

import io
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from medassay.exhibits.overview import Overview
from medassay.exhibits.table import SYNTHETIC, Cell, Column, Row, Table
from medassay.report.abstract import Abstract
from medassay.report.checklists import checklists, left_to_authors
from medassay.report.contents import Contents
from medassay.report.forms import Document
from medassay.report.parts import PanelPart
from medassay.report.prose import Statement
from medassay.report.word.order import Chapter, Subchapter, in_order
from medassay.report.word.parts import NOTE, TODO, Builder, plain
from medassay.tables import NO_MOMENT

_CHART: Final = "chart"
_LONGEST_TITLE: Final = 255
"""Letters that a property of a document may have."""


@dataclass(frozen=True, slots=True)
class WordFigure:
    """A figure as the document takes it in.

    Attributes:
        title: A few words.
        caption: Sentences that can stand alone.
        width: In millimetres.
        png: The picture.
    """

    title: str
    caption: str
    width: float
    png: bytes


def word_document(
    document: Document, held: Contents, abstract: Abstract, figures: Mapping[str, WordFigure]
) -> bytes:
    """Write a .docx; the same results give the same bytes.

    Args:
        document: The run as paragraphs and tables.
        held: What the page shows of it.
        abstract: What the document opens with.
        figures: Figure id to what is drawn; the first screen's is `overview`.
    """
    [chart] = [checklist for checklist in checklists() if checklist.id == _CHART]
    chapters = in_order(document, held, chart)
    writer = _Writer(document, abstract, figures, chapters)
    for chapter in chapters:
        writer.chapter(chapter)
    writer.end()
    return _sealed(writer.builder, document.results.study.title)


class _Writer:
    """Writes the chapters, with the numbers of their tables and figures."""

    def __init__(
        self,
        document: Document,
        abstract: Abstract,
        figures: Mapping[str, WordFigure],
        chapters: Sequence[Chapter],
    ) -> None:
        self.builder = Builder()
        self._document, self._abstract, self._figures = document, abstract, figures
        results = document.results
        self._open = list(left_to_authors(_CHART, results, (*document.tables, *document.files)))
        self._of_page = {t.id: t.number for t in (*document.tables, *document.files)}
        places = [place for chapter in chapters for place in chapter.places]
        self._overview = abstract.overview if "overview" in figures else None
        order = [*self._ids(places)]
        self._numbers = {name: at for at, name in enumerate(order, start=1)}
        self._drawn = 0
        self._title(results.study.title, synthetic=results.study.synthetic)

    def _ids(self, places: Sequence[Subchapter]) -> Iterator[str]:
        """Give the tables in their order; the figure's own numbers stand below it."""
        for place in places:
            if self._overview is not None and "10a" in place.items:
                yield "overview"
            yield from (table.id for part in place.parts for table in part.tables)

    def _title(self, title: str, *, synthetic: bool) -> None:
        self.builder.heading(title, 0)
        if synthetic:
            self.builder.paragraph(SYNTHETIC).runs[0].bold = True

    def chapter(self, chapter: Chapter) -> None:
        """Write one chapter."""
        self.builder.heading(chapter.title, 1)
        for place in chapter.places:
            self._place(place)

    def _place(self, place: Subchapter) -> None:
        if place.title:
            self.builder.heading(place.title, 2)
        if "1" in place.items:
            self._opens()
        self._statements([s for s in place.statements if s.text != SYNTHETIC])
        for item, text in self._open:
            if place.asks(item):
                self.builder.paragraph(text, TODO)
        if self._overview is not None and "10a" in place.items:
            self._figure("overview", self._overview.in_words)
            self._table(_numbers_of(self._overview, self._drawn))
        for part in place.parts:
            self._part(part)

    def _opens(self) -> None:
        """Write the structured abstract."""
        self.builder.paragraph(self._abstract.title).runs[0].bold = True
        for heading, said in self._abstract.parts:
            self.builder.paragraph(" ".join(said), lead=heading)
        self.builder.paragraph(" · ".join(self._abstract.facts), NOTE)

    def _statements(self, statements: Sequence[Statement]) -> None:
        for statement in statements:
            numbers = [self._numbers[name] for name in statement.basis if name in self._numbers]
            text = statement.text
            stop = "." if text.endswith(".") and numbers else ""
            made = self.builder.paragraph(text.removesuffix(stop))
            if numbers:
                made.add_run(" (")
                self.builder.refer(made, "Table", numbers)
                made.add_run(f"){stop}")

    def _part(self, part: PanelPart) -> None:
        if part.title:
            self.builder.heading(part.title, 3)
        for text in (part.lead, *part.notes):
            if text:
                self.builder.paragraph(text)
        for name in part.pictures:
            self._figure(name)
        for table in part.tables:
            self._table(table)

    def _figure(self, name: str, words: str = "") -> None:
        figure = self._figures[name]
        self._drawn += 1
        said = f"{figure.title}. {figure.caption}"
        self.builder.picture(figure.png, figure.width, f"{said} {words}".strip())
        self.builder.caption("Figure", self._drawn, said)

    def _table(self, table: Table) -> None:
        caption = f"{table.title}. {table.lead}".strip()
        self.builder.caption("Table", self._numbers[table.id], caption)
        self.builder.table(table)
        number = self._of_page.get(table.whole or table.id)
        file = (
            f"Table {number} of the report: tables/{table.whole or table.id}.csv." if number else ""
        )
        if note := f"{table.note} {file}".strip():
            self.builder.paragraph(note, NOTE)

    def end(self) -> None:
        """Write what to cite, and which tables are in files only."""
        document = self._document
        self.builder.heading("References", 1)
        for reference in document.references:
            self.builder.paragraph(f"[{reference.key}] {reference.text}")
        left = [
            table for table in (*document.tables, *document.files) if table.id not in self._numbers
        ]
        lines = [
            f"Table {table.number} of the report. {table.title}: {len(table.rows):,} rows, "
            f"tables/{table.id}.csv"
            for table in sorted(left, key=lambda table: table.number)
        ]
        lines += [f"{table.title}: {table.empty}" for table in document.empty]
        if lines:
            self.builder.heading("In files", 1)
        for line in lines:
            self.builder.paragraph(line, "List Bullet")


def _numbers_of(overview: Overview, number: int) -> Table:
    """Give what the figure shows as a table: its rows and lanes, in the same words."""
    columns = (
        Column(overview.rows_are, ("row",)),
        *(
            Column(lane.title, (f"lane_{at}",), numeric=lane.axis is not None)
            for at, lane in enumerate(overview.lanes)
        ),
    )
    rows = tuple(
        Row(
            (
                Cell(row.title, (row.title,)),
                *(
                    Cell(
                        spot.text, (spot.value,), aside=f"{spot.aside} {spot.verdict}".strip(),
                        detail=spot.why, missing=bool(spot.why) and not spot.drawn,
                    )
                    for spot in row.spots
                ),
            )
        )
        for row in overview.rows
    )  # fmt: skip
    return Table("overview", f"The numbers of Figure {number}", "", columns, rows)


def _sealed(builder: Builder, title: str) -> bytes:
    """Save the document with nothing of the moment and the machine that it was made on."""
    properties = builder.file.core_properties
    properties.title = plain(title)[:_LONGEST_TITLE]
    properties.author, properties.last_modified_by = "", ""
    properties.comments, properties.keywords, properties.subject = "", "", ""
    properties.created = properties.modified = NO_MOMENT
    properties.revision = 1
    package = builder.file.part.package
    for name, own in list(package.rels.items()):
        if own.reltype.endswith("/thumbnail"):
            del package.rels[name]  # the template's: a picture of an empty page
    written, out = io.BytesIO(), io.BytesIO()
    builder.file.save(written)
    with zipfile.ZipFile(written) as made, zipfile.ZipFile(out, "w") as sealed:
        for name in sorted(made.namelist(), key=lambda name: (name != "[Content_Types].xml", name)):
            entry = zipfile.ZipInfo(name, NO_MOMENT.timetuple()[:6])
            entry.compress_type = zipfile.ZIP_DEFLATED
            sealed.writestr(entry, made.read(name))
    return out.getvalue()
