"""A cell is read as the value that a spreadsheet shows, whoever wrote the workbook."""

import json
import re
import warnings
from io import BytesIO
from pathlib import Path
from typing import Final

import pytest
import xlsxwriter
from hypothesis import given
from hypothesis import strategies as st
from openpyxl import load_workbook
from tools.plain_workbook import STRICT, cell, excel, open_document, row

from medassay.errors import InvalidInput
from medassay.tables.workbooks import Page, open_workbook

GOLDEN: Final = Path(__file__).parents[2] / "golden"
FOUND: Final = json.loads((GOLDEN / "workbook_cells.json").read_text(encoding="utf-8"))


def page(content: bytes) -> Page:
    [found] = open_workbook(content, "a.xlsx")
    return found


def only(content: bytes) -> str:
    cells = page(content).cells
    return cells[0][0] if cells else ""


def ids(pairs: list[list[object]]) -> list[str]:
    return [str(value) for value, _ in pairs]


@pytest.mark.parametrize(("value", "text"), FOUND["numbers"], ids=ids(FOUND["numbers"]))
def test_a_number_is_read_as_another_reader_has_it(value: str, text: str) -> None:
    assert only(excel(row(1, cell("A1", value)))) == text


@pytest.mark.parametrize(
    ("kind", "number_format", "from_1904"),
    [("dates", 14, False), ("dates from 1904", 14, True), ("spans", 46, False)],
)
def test_a_moment_is_read_as_another_reader_has_it(
    kind: str, number_format: int, *, from_1904: bool
) -> None:
    read = {
        value: only(
            excel(row(1, cell("A1", value, 's="1"')), formats=[number_format], from_1904=from_1904)
        )
        for value, _ in FOUND[kind]
    }
    assert read == dict(FOUND[kind])


@pytest.mark.parametrize("kind", ["built-in formats", "own formats"])
def test_which_formats_show_dates_is_as_another_reader_has_it(kind: str) -> None:
    value = "45000.5" if kind == "built-in formats" else "1.5"
    read = [
        [code, only(excel(row(1, cell("A1", value, 's="1"')), formats=[code]))]
        for code, _ in FOUND[kind]
    ]
    assert read == FOUND[kind]


@pytest.mark.parametrize(("text", "value"), FOUND["texts"], ids=ids(FOUND["texts"]))
def test_a_text_is_read_as_another_reader_has_it_shared_or_in_its_cell(
    text: str, value: str
) -> None:
    inline = f'<c r="A1" t="inlineStr"><is>{text}</is></c>'
    assert only(excel(row(1, cell("A1", "0", 't="s"')), shared=[text])) == value
    assert only(excel(row(1, inline))) == value


def test_truths_are_read_as_another_reader_has_them() -> None:
    read = [
        [value, only(excel(row(1, cell("A1", value, 't="b"'))))] for value, _ in FOUND["truths"]
    ]
    assert read == FOUND["truths"]


def test_old_workbooks_are_read_as_another_reader_has_them() -> None:
    ratings, empty, other = open_workbook((GOLDEN / "old_workbook.xls").read_bytes(), "a.xls")
    assert ratings.cells == FOUND["old"]
    assert ratings.formulas == {"C5"}
    assert ratings.merged == {"B6": "A6", "A7": "A6", "B7": "A6"}
    assert (empty.title, empty.cells) == ("Empty", [])
    # Another reader gives these as empty.
    assert other.errors == {"A3": "#N/A", "B3": "#DIV/0!"}
    assert other.cells == [["", ""], ["", "b2"]]


ROWS: Final = row(1, cell("A1", "1"), cell("B1", "0", 't="s"')) + row(3, cell("C3", "2.5"))
SHARED: Final = ["<t>two</t>"]
READ: Final = [["1", "two", ""], ["", "", ""], ["", "", "2.5"]]


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(excel(ROWS, shared=SHARED), id="as Excel writes it"),
        pytest.param(excel(ROWS, shared=SHARED, prefix="x"), id="tags with a prefix"),
        pytest.param(excel(ROWS, shared=SHARED, flavour=STRICT), id="strict"),
        pytest.param(excel(ROWS.replace('"', "'"), shared=SHARED), id="single quotes"),
        pytest.param(excel(ROWS, shared=SHARED, dimension="A1:A1"), id="size too small"),
        pytest.param(excel(ROWS, shared=SHARED, dimension="A1:XFD1048576"), id="size too large"),
        pytest.param(
            excel(row(3, cell("C3", "2.5")) + row(1, cell("B1", "0", 't="s"'), cell("A1", "1")),
                  shared=SHARED),
            id="in another order",
        ),
        pytest.param(
            excel('<row><c><v>1</v></c><c t="s"><v>0</v></c></row><row/><row><c/><c/>'
                  "<c><v>2.5</v></c></row>", shared=SHARED),
            id="cells without a name",
        ),
        pytest.param(
            excel(ROWS, shared=SHARED, parts={"xl/styles.xml": "<s><fills><fill/></fills></s>"}),
            id="a look that no library knows",
        ),
    ],
)  # fmt: skip
def test_one_sheet_written_in_many_ways_is_one_page(content: bytes) -> None:
    assert page(content).cells == READ


def test_errors_formulas_and_merges_are_seen_however_a_cell_is_written() -> None:
    found = page(
        excel(
            row(
                1,
                "<c t='e' r='A1'><v>#N/A</v></c>",
                '<c s="0" r="B1" t="e"/>',
                cell("C1", "2", formula="1+1"),
                '<c r="D1"><f>NOW()</f></c>',
                '<c r="E1" t="str"><f>""</f><v></v></c>',
            ),
            prefix="x",
            after='<mergeCells><mergeCell ref="B2:C3"/></mergeCells>',
        )
    )
    assert found.errors == {"A1": "#N/A", "B1": ""}
    assert found.formulas == {"C1", "D1", "E1"}
    assert found.uncomputed == {"D1"}
    assert found.cells == [["", "", "2"]]
    assert found.merged == {"C2": "B2", "B3": "B2", "C3": "B2"}


OPEN: Final = """
<c office:value-type="string"><p> a<text:s text:c="2"/>b  c<text:tab/><text:span>d</text:span></p>
<p>e</p><office:annotation><p>no cell</p></office:annotation></c>
<c office:value-type="float" office:value="4.0"><p>4,0</p></c>
|
<c office:value-type="date" office:date-value="2024-05-01"/>
<c office:value-type="time" office:time-value="PT10H30M00S"/>
|
<c table:formula="of:=NA()" office:value-type="string" office:string-value=""
 calcext:value-type="error"><p>#N/A</p></c>
<c table:formula="of:=1/0" office:value-type="float" office:value="0"><p>#DIV/0!</p></c>
|
<c table:number-columns-spanned="2" table:number-rows-spanned="2" office:value-type="string">
<p>#1 of four</p></c><table:covered-table-cell/>
|
<table:covered-table-cell table:number-columns-repeated="2"/>
|
<c table:number-columns-repeated="2" office:value-type="boolean" office:boolean-value="true"/>
<c table:number-columns-repeated="16382"/>
"""


def test_open_documents_are_read_with_their_errors() -> None:
    rows = re.sub(r"<(/?)c\b", r"<\1table:table-cell", OPEN).split("|")
    rows = [re.sub(r"<(/?)p>", r"<\1text:p>", one) for one in rows]
    lines = "".join(f"<table:table-row>{one}</table:table-row>" for one in rows)
    lines += '<table:table-row table:number-rows-repeated="1048570"><table:table-cell/>'
    found = page(
        open_document(
            f"{lines}</table:table-row><table:shapes><draw:frame><text:p>no cell</text:p>"
            "</draw:frame></table:shapes>"
        )
    )
    assert found.cells == [
        ["a  b c\td\ne", "4"],
        ["2024-05-01", "10:30:00"],
        ["", ""],
        ["#1 of four", ""],
        ["", ""],
        ["TRUE", "TRUE"],
    ]
    assert found.errors == {"A3": "#N/A", "B3": "#DIV/0!"}
    assert found.formulas == {"A3", "B3"}
    assert found.merged == {"B4": "A4", "A5": "A4", "B5": "A4"}


TEXT: Final = st.text(st.characters(exclude_categories=["Cs", "Cc", "Co", "Cn"]), max_size=8)
VALUES: Final = st.one_of(st.none(), TEXT, st.integers(-(10**9), 10**9), st.floats(-1e9, 1e9))


@pytest.mark.slow
@given(st.lists(st.lists(VALUES, max_size=4), max_size=4))
def test_what_a_library_writes_is_read_as_another_library_reads_it(
    grid: list[list[str | float | None]],
) -> None:
    out = BytesIO()
    with xlsxwriter.Workbook(out, {"in_memory": True, "strings_to_formulas": False}) as book:
        sheet = book.add_worksheet()
        for place, values in enumerate(grid):
            for column, value in enumerate(values):
                (sheet.write_string if isinstance(value, str) else sheet.write)(
                    place, column, value
                )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # openpyxl tells of looks that it leaves out
        other = load_workbook(BytesIO(out.getvalue()), read_only=True).worksheets[0]
    other.reset_dimensions()
    expected = {
        (cell.row - 1, cell.column - 1): cell.value
        for cells in other.iter_rows()
        for cell in cells
        if cell.value not in {None, ""}
    }
    found = {
        (number, column): text
        for number, cells in enumerate(page(out.getvalue()).cells)
        for column, text in enumerate(cells)
        if text
    }
    assert found.keys() == expected.keys()
    for where, value in expected.items():
        assert (float(found[where]) if isinstance(value, float | int) else found[where]) == value


@pytest.mark.parametrize(("kind", "text"), [("str", "1"), ("d", "2026-11-23"), ("b", "0")])
def test_a_cell_of_a_known_kind_is_read(kind: str, text: str) -> None:
    shown = {"b": "FALSE"}.get(kind, text)
    assert only(excel(row(1, cell("A1", text, f't="{kind}"')))) == shown


def test_a_cell_of_an_unknown_kind_is_named_and_not_read_as_text() -> None:
    with pytest.raises(InvalidInput, match=r'B2 of the kind "zzz", which Excel has not'):
        only(excel(row(2, cell("B2", "#N/A", 't="zzz"'))))
