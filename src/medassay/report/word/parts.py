"""Parts of a Word document: styles, captions that count, tables, pictures, cross-references."""
# ruff: noqa: SLF001 - python-docx has no public words for fields, bookmarks and heads of tables

import io
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

from medassay.exhibits.drawing import INK, SOFT
from medassay.report.latex import longest_word, width
from medassay.report.tables import Cell, Table
from medassay.tables import visible

if TYPE_CHECKING:
    from docx.document import Document as WordFile
    from docx.table import Table as WordTable
    from docx.table import _Cell, _Row
    from docx.text.paragraph import Paragraph

CELL, NUMBER, NOTE, TODO = "Table text", "Table number", "Table note", "For the authors"
FIGURE, TABLE, ASIDE = "Figure", "Report table", "Table interval"
_TYPE: Final = "Arial"
"""Every machine has it, or one as wide."""
_LINE: Final = 170.0
"""Millimetres of a line of A4."""
_HIGH: Final = 200.0
"""Millimetres of a page that a figure may take: its caption has the rest."""
_EM: Final = 3.3
"""Millimetres of an em of a table's type, taken wide: the type that a machine has may be."""
_BOLD: Final = 1.1
_PADDING: Final = 2.4
_TWIPS: Final = 56.7
"""Twentieths of a point of a millimetre."""
_MOST: Final = 26.0
"""A column of words breaks its lines from so many em on."""


class Builder:
    """Writes into a Word document, and counts its tables and figures."""

    def __init__(self) -> None:
        import docx

        self.file: WordFile = docx.Document()
        self._marks = 0
        _set_page(self.file)
        _set_styles(self.file)

    def heading(self, text: str, level: int) -> None:
        """Write a heading of Word's own style."""
        self.file.add_heading(plain(text), level)

    def paragraph(self, text: str, style: str | None = None, *, lead: str = "") -> "Paragraph":
        """Write a paragraph; what leads it is bold."""
        made = self.file.add_paragraph(style=style)
        if lead:
            made.add_run(f"{plain(lead)}. ").bold = True
        made.add_run(plain(text))
        return made

    def caption(self, kind: str, number: int, text: str) -> None:
        """Write a caption whose number Word counts anew when a table is moved."""
        made = self.file.add_paragraph(style="Caption")
        made.add_run(f"{kind} ")
        self._marks += 1
        start, end = _element("bookmarkStart"), _element("bookmarkEnd")
        for mark in (start, end):
            _set(mark, "id", str(self._marks))
        _set(start, "name", bookmark(kind, number))
        made._p.append(start)
        _field(made, f"SEQ {kind} \\* ARABIC", str(number))
        made._p.append(end)
        made.add_run(f". {plain(text)}")
        made.paragraph_format.keep_with_next = kind == "Table"

    def table(self, table: Table) -> None:
        """Write a table of Word's own: its head again on each page, numbers on the right."""
        heads = [1, 1] if table.column_groups else [1]
        bands = [group for group in table.groups if group[0]]
        many = len(heads) + len(table.rows) + len(bands)
        made = self.file.add_table(many, len(table.columns), style=TABLE)
        made.autofit = False
        rows = iter(made.rows)
        if table.column_groups:
            _group_heads(next(rows), table)
        head = next(rows)
        for cell, column in zip(head.cells, table.columns, strict=True):
            _write(cell, column.title, numeric=column.numeric)
        for row in made.rows[: len(heads)]:
            _repeated(row)
        for group, about, own in table.groups:
            if group:
                band = next(rows)
                whole = band.cells[0].merge(band.cells[-1])
                _write(whole, group, about)
                whole.paragraphs[0].runs[0].italic = True
                whole.paragraphs[0].paragraph_format.keep_with_next = True
            for row in own:
                word = next(rows)
                for cell, shown, column in zip(word.cells, row.cells, table.columns, strict=True):
                    _write(cell, *_parts(shown), numeric=column.numeric)
        for row in made.rows:
            _whole(row)
        _set_widths(made, _widths(table))

    def picture(self, png: bytes, millimetres: float, words: str) -> None:
        """Put in a picture with the text that is read where it is not seen."""
        from docx.shared import Emu, Mm

        made = self.file.add_paragraph(style=FIGURE)
        shape = made.add_run().add_picture(io.BytesIO(png), Mm(millimetres))
        smaller = min(1.0, Mm(_LINE) / shape.width, Mm(_HIGH) / shape.height)
        shape.width, shape.height = (
            Emu(round(side * smaller)) for side in (shape.width, shape.height)
        )
        shape._inline.docPr.set("descr", plain(words))

    def refer(self, paragraph: "Paragraph", kind: str, numbers: Sequence[int]) -> None:
        """Refer to tables or figures, by the numbers that Word counts."""
        for place, number in enumerate(numbers):
            paragraph.add_run(f"{kind} " if not place else ", ")
            _field(paragraph, f"REF {bookmark(kind, number)} \\h", str(number))


def bookmark(kind: str, number: int) -> str:
    """Name the place of a number; Word does not list what begins with a line."""
    return f"_Ref_{kind}_{number}"


def plain(text: str) -> str:
    """Write a text as XML can hold it, in one line."""
    return " ".join(visible(text).split())


def _element(name: str) -> Any:  # noqa: ANN401 - an element of lxml
    from docx.oxml import OxmlElement

    return OxmlElement(f"w:{name}")


def _set(element: Any, name: str, value: str) -> None:  # noqa: ANN401 - as above
    from docx.oxml.ns import qn

    element.set(qn(f"w:{name}"), value)


def _child(parent: Any, name: str, **values: str) -> Any:  # noqa: ANN401 - as above
    child = _element(name)
    for key, value in values.items():
        _set(child, key, value)
    parent.append(child)
    return child


def _field(paragraph: "Paragraph", code: str, shown: str) -> None:
    """Write a field with what it shows until Word counts anew."""
    field = _child(paragraph._p, "fldSimple", instr=f" {code} ")
    run = _child(field, "r")
    _child(run, "t").text = shown


def _parts(cell: Cell) -> list[str]:
    detail = f"({cell.detail})" if cell.missing and cell.detail else ""
    return [cell.text, cell.aside, detail]


def _write(cell: "_Cell", text: str, *more: str, numeric: bool = False) -> None:
    """Write a text, and smaller what stands beside it."""
    paragraph = cell.paragraphs[0]
    # By its id: to look a style up takes longer than all else that is done with a cell.
    paragraph._p.style = _id_of(NUMBER if numeric else CELL)
    paragraph.add_run(plain(text))
    for aside in filter(None, more):
        paragraph.add_run(" ")
        paragraph.add_run(plain(aside))._r.style = _id_of(ASIDE)


def _id_of(style: str) -> str:
    return style.replace(" ", "")


def _group_heads(row: "_Row", table: Table) -> None:
    """Write headings over several columns."""
    cells, at = row.cells, 0
    for title, many in table.column_groups:
        whole = cells[at].merge(cells[at + many - 1]) if many > 1 else cells[at]
        _write(whole, title)
        at += many


def _repeated(row: "_Row") -> None:
    _child(row._tr.get_or_add_trPr(), "tblHeader")


def _whole(row: "_Row") -> None:
    """Let no row go on over the end of a page."""
    properties = row._tr.get_or_add_trPr()
    properties.insert(0, _element("cantSplit"))


def _widths(table: Table) -> list[float]:
    """Share the line among the columns, in millimetres: what needs no more has no more."""
    least, natural = [], []
    for place, column in enumerate(table.columns):
        cells = [" ".join(filter(None, _parts(row.cells[place]))) for row in table.rows]
        own = [_BOLD * longest_word(column.title), *map(longest_word, cells)]
        least.append(max(own) * _EM + _PADDING)
        full = min(_MOST, max(map(width, cells), default=0.0))
        natural.append(max(full * _EM + _PADDING, least[-1]))
    wanted = max([1.0, *(own / have for own, have in _headings(table, natural))])
    natural = [own * min(wanted, max(1.0, _LINE / sum(natural))) for own in natural]
    if sum(natural) <= _LINE + 1e-9:
        return natural
    if sum(least) >= _LINE:
        return [_LINE * own / sum(least) for own in least]
    room = (_LINE - sum(least)) / (sum(natural) - sum(least))
    return [low + room * (full - low) for low, full in zip(least, natural, strict=True)]


def _headings(table: Table, columns: Sequence[float]) -> Iterator[tuple[float, float]]:
    """Give the width of what stands over several columns, and of these columns."""
    at = 0
    for title, many in table.column_groups:
        yield _BOLD * width(title) * _EM + _PADDING, sum(columns[at : at + many])
        at += many
    for group, about, _ in table.groups:
        yield width(f"{group} {about}") * _EM + _PADDING, sum(columns)


def _set_widths(made: "WordTable", widths: Sequence[float]) -> None:
    from docx.shared import Mm

    twips = [str(round(own * _TWIPS)) for own in widths]
    for column, own in zip(made._tbl.tblGrid.gridCol_lst, twips, strict=True):
        _set(column, "w", own)
    for row in made._tbl.tr_lst:
        at = 0
        for cell in row.tc_lst:
            span = cell.grid_span
            cell.width = Mm(sum(widths[at : at + span]))
            at += span


def _set_page(file: "WordFile") -> None:
    from docx.shared import Mm

    section = file.sections[0]
    section.page_width, section.page_height = Mm(210), Mm(297)
    section.left_margin = section.right_margin = Mm(20)
    section.top_margin = section.bottom_margin = Mm(20)


def _set_styles(file: "WordFile") -> None:
    """Give Word's styles the report's type, and add those of tables and of what is left open."""
    from docx.enum.style import WD_STYLE_TYPE
    from docx.enum.text import WD_ALIGN_PARAGRAPH
    from docx.shared import Pt, RGBColor

    ink, soft = (RGBColor.from_string(colour[1:].upper()) for colour in (INK, SOFT))
    styles: Any = file.styles
    for name, size in (("Normal", 10.5), ("Title", 20), ("Caption", 9)):
        _typed(styles[name], size, ink, Pt)
    for level, size in enumerate((15, 12.5, 11), start=1):
        _typed(styles[f"Heading {level}"], size, ink, Pt)
    styles["Normal"].paragraph_format.space_after = Pt(6)
    styles["Caption"].font.bold = False
    styles["Caption"].paragraph_format.space_before = Pt(10)
    for name, size, colour in (
        (CELL, 8, ink), (NUMBER, 8, ink), (NOTE, 8, soft), (TODO, 10, soft), (FIGURE, 8, ink),
    ):  # fmt: skip
        style = styles.add_style(name, WD_STYLE_TYPE.PARAGRAPH)
        style.base_style = styles["Normal"]
        _typed(style, size, colour, Pt)
    for name in (CELL, NUMBER):
        styles[name].paragraph_format.space_after = Pt(0)
    aside = styles.add_style(ASIDE, WD_STYLE_TYPE.CHARACTER)
    aside.font.size = Pt(7)
    styles[NUMBER].paragraph_format.alignment = WD_ALIGN_PARAGRAPH.RIGHT
    styles[NOTE].paragraph_format.space_before = Pt(3)
    styles[NOTE].paragraph_format.space_after = Pt(12)
    styles[TODO].font.italic = True
    styles[FIGURE].paragraph_format.keep_with_next = True
    _table_style(styles.add_style(TABLE, WD_STYLE_TYPE.TABLE).element)


def _typed(style: Any, size: float, colour: Any, points: Any) -> None:  # noqa: ANN401 - a style
    style.font.name = _TYPE
    # The template's headings take their type from its theme, which goes before a name.
    for font in style.element.xpath("w:rPr/w:rFonts"):
        for name in list(font.attrib):
            if "heme" in name:
                del font.attrib[name]
    style.font.size = points(size)
    style.font.color.rgb = colour


def _table_style(style: Any) -> None:  # noqa: ANN401 - an element
    """Draw three lines, as journals do: above the head, below it, and below the last row."""
    properties = _child(style, "tblPr")
    borders = _child(properties, "tblBorders")
    for side in ("top", "bottom"):
        _child(borders, side, val="single", sz="8", space="0", color="auto")
    margins = _child(properties, "tblCellMar")
    for side in ("left", "right"):
        _child(margins, side, w="60", type="dxa")
    head = _child(style, "tblStylePr", type="firstRow")
    _child(_child(head, "rPr"), "b")
    below = _child(_child(head, "tcPr"), "tcBorders")
    _child(below, "bottom", val="single", sz="4", space="0", color="auto")
