"""A small file cannot take the memory or the hour: it is refused while it is read."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest
from tools.plain_workbook import cell, excel, open_document, row

from medassay.errors import InvalidInput, Problem
from medassay.tables import read_sheet

HEADER: Final = row(1, cell("A1", "case", 't="str"'), cell("B1", "text", 't="str"'))
SOME_SECONDS: Final = 30
"""Far more than these take on a busy machine, and far less than without bounds."""


def refused(folder: Path, content: bytes, name: str = "t.xlsx") -> tuple[Problem, ...]:
    (folder / name).write_bytes(content)
    began = time.monotonic()
    with pytest.raises(InvalidInput) as caught:
        read_sheet(folder / name)
    assert time.monotonic() - began < SOME_SECONDS
    return caught.value.problems


def nested(names: int) -> str:
    inner = "".join(f'<!ENTITY a{n} "&a{n - 1};&a{n - 1};">' for n in range(1, names))
    return f'<!DOCTYPE worksheet [<!ENTITY a0 "ha">{inner}]>'


def much_of_nothing() -> bytes:
    return excel(HEADER + ("<row>" + "<c/>" * 16_000 + "</row>") * 2_000)


def one_cell_for_all() -> bytes:
    alike = (
        '<table:table-row table:number-rows-repeated="1048576"><table:table-cell '
        'table:number-columns-repeated="16384" office:value-type="float" office:value="1"/>'
    )
    return open_document(f"{alike}</table:table-row>")


def merged() -> bytes:
    everything = '<mergeCells><mergeCell ref="A1:XFD1048576"/></mergeCells>'
    return excel(HEADER, after=everything)


MILLIONS = "32 million empty cells"
FAR_OUT: dict[str, tuple[Callable[[], bytes], str]] = {
    "a cell at the far corner": (
        lambda: excel(HEADER + row(1_048_576, cell("XFD1048576", "1"))),
        "XFD1048576",
    ),
    "a cell in the last row": (
        lambda: excel(HEADER + row(1_048_576, cell("A1048576", "1"))),
        "A1048576",
    ),
    MILLIONS: (much_of_nothing, "WQI126"),
    "a merge of everything": (merged, "XFD1048576"),
    "one cell for all": (one_cell_for_all, "XFD1048576"),
}
"""What is too much, made where a test asks for it, and the cell that the message names."""


@pytest.mark.parametrize(
    ("make", "place"),
    [
        pytest.param(*far, id=name, marks=pytest.mark.slow if name == MILLIONS else [])
        for name, far in FAR_OUT.items()
    ],
)
def test_too_many_cells_are_refused_with_the_cell_that_is_too_far(
    tmp_path: Path, make: Callable[[], bytes], place: str
) -> None:
    [problem] = refused(tmp_path, make())
    assert problem.must.startswith("have at most 2,000,000 cells")
    assert problem.got == f'more, up to {place} of sheet "One"'


@pytest.mark.slow
def test_sixty_thousand_errors_are_each_named(tmp_path: Path) -> None:
    rows = "".join(f'<row r="{n}"><c r="A{n}" t="e"></c></row>' for n in range(2, 60_002))
    problems = refused(tmp_path, excel(HEADER + rows))
    assert [one.row for one in problems] == list(range(2, 60_002))
    assert {(one.column, one.must) for one in problems} == {("A", "have a value in every cell")}


@pytest.mark.parametrize("name", ["xl/workbook.xml", "xl/worksheets/sheet1.xml", "xl/styles.xml"])
def test_no_entity_is_expanded_in_any_part(tmp_path: Path, name: str) -> None:
    bomb = f"{nested(60)}<worksheet><sheetData>&a59;</sheetData></worksheet>"
    [problem] = refused(tmp_path, excel(HEADER, parts={name: bomb}))
    assert "a declaration of the document's type" in problem.got


@pytest.mark.slow
def test_an_archive_that_unpacks_to_more_than_any_table_is_refused(tmp_path: Path) -> None:
    [problem] = refused(tmp_path, excel(HEADER, parts={"xl/media/a": " " * (1 << 29)}))
    assert problem.must == "unpack to at most 536,870,912 bytes"


def test_a_table_far_to_the_right_is_read_as_quickly_as_one_at_the_left(tmp_path: Path) -> None:
    rows = row(1, cell("XFC1", "case", 't="str"'), cell("XFD1", "text", 't="str"'))
    rows += "".join(row(n, cell(f"XFC{n}", str(n)), cell(f"XFD{n}", "a")) for n in range(2, 100))
    (tmp_path / "t.xlsx").write_bytes(excel(rows))
    began = time.monotonic()
    assert list(read_sheet(tmp_path / "t.xlsx").columns) == ["case", "text"]
    assert time.monotonic() - began < SOME_SECONDS


@pytest.mark.parametrize(
    ("rows", "got"),
    [
        (row(1, cell("A1", "1"), cell("A1", "2")), "cell A1 of sheet One twice"),
        (row(1, cell("ZZZ1", "1")), 'a cell named "ZZZ1"'),
        (row(1, cell("A0", "1")), 'a cell named "A0"'),
        (row(1, cell("A1", "7", 't="s"')), "a text in A1 that it has not"),
        (row(1, cell("A1", "-1", 't="s"')), "a text in A1 that it has not"),
        ('<row r="1e300"><c><v>1</v></c></row>', "column 1 of row 1"),
        ('<row r="nan"><c><v>1</v></c></row>', "NaN"),
        ("<row r='1'>" + "<c/>" * 16_385 + "</row>", "column 16385 of row 1"),
        ("<row><c>", "mismatched tag"),
    ],
)
def test_a_workbook_that_contradicts_itself_is_refused_with_the_place(
    tmp_path: Path, rows: str, got: str
) -> None:
    [problem] = refused(tmp_path, excel(rows))
    assert problem.must == "be a table"
    assert got in problem.got


def test_what_cannot_show_its_errors_is_refused_by_its_name(tmp_path: Path) -> None:
    links = excel("", parts={"_rels/.rels": _to_binary()})
    [problem] = refused(tmp_path, links)
    assert "(.xlsb)" in problem.got
    assert problem.try_ == "Save it as .xlsx."


def _to_binary() -> str:
    kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"
    link = f'<Relationship Id="rId1" Type="{kind}" Target="xl/workbook.bin"/>'
    return f"<Relationships>{link}</Relationships>"


def test_a_sheet_that_is_not_there_is_named(tmp_path: Path) -> None:
    [problem] = refused(tmp_path, excel(HEADER, parts={"xl/_rels/workbook.xml.rels": "<a/>"}))
    assert 'a sheet "One" that stands nowhere' in problem.got


def test_an_old_workbook_with_a_password_says_so(tmp_path: Path) -> None:
    old = bytes.fromhex("d0cf11e0a1b11ae1") + "EncryptedPackage".encode("utf-16-le") * 40
    [problem] = refused(tmp_path, old)
    assert "a password protects it" in problem.got
