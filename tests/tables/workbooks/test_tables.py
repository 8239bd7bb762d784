"""A workbook in place of CSV: what has no value is refused, and never read as empty."""

import time
from pathlib import Path
from typing import Final

import pytest
from tools.plain_workbook import cell, excel, open_document, row

from medassay.errors import InvalidInput, Problem
from medassay.tables import read_sheet
from medassay.tables.grid import read_delimited

OLD: Final = Path(__file__).parents[2] / "golden" / "old_errors.xls"
HEADER: Final = row(1, cell("A1", "case", 't="str"'), cell("B1", "text", 't="str"'))
ERROR: Final = row(2, cell("A2", "1"), "<c t='e' r='B2'><v>#N/A</v></c>")


def refused(folder: Path, content: bytes) -> tuple[Problem, ...]:
    (folder / "t.xlsx").write_bytes(content)
    with pytest.raises(InvalidInput) as caught:
        read_sheet(folder / "t.xlsx")
    return caught.value.problems


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(excel(HEADER + ERROR), id="attributes in another order"),
        pytest.param(excel(HEADER + ERROR, prefix="x"), id="tags with a prefix"),
        pytest.param(
            open_document(
                "<table:table-row><table:table-cell><text:p>case</text:p></table:table-cell>"
                "<table:table-cell><text:p>text</text:p></table:table-cell></table:table-row>"
                '<table:table-row><table:table-cell office:value-type="float" office:value="1"/>'
                '<table:table-cell table:formula="of:=NA()" calcext:value-type="error">'
                "<text:p>#N/A</text:p></table:table-cell></table:table-row>"
            ),
            id="open document",
        ),
    ],
)
def test_an_error_is_refused_with_its_place_however_it_is_written(
    tmp_path: Path, content: bytes
) -> None:
    [problem] = refused(tmp_path, content)
    assert (problem.row, problem.column) == (2, "B")
    assert problem.must == "have a value in every cell"
    assert problem.got == "the error #N/A"


def test_an_error_in_an_old_workbook_is_refused_with_its_place(tmp_path: Path) -> None:
    [problem] = refused(tmp_path, OLD.read_bytes())
    assert (problem.row, problem.column, problem.got) == (3, "B", "the error #N/A")


def test_a_formula_that_nobody_computed_is_not_an_empty_cell(tmp_path: Path) -> None:
    rows = row(2, cell("A2", "1"), '<c r="B2"><f>A2&amp;"x"</f></c>')
    [problem] = refused(tmp_path, excel(HEADER + rows))
    assert (problem.row, problem.column) == (2, "B")
    assert problem.got == "a formula that was never computed"


def test_a_formula_counts_as_what_it_showed_when_saved(tmp_path: Path) -> None:
    rows = row(2, cell("A2", "1", formula="0+1"), cell("B2", "", 't="str"', formula='""'))
    (tmp_path / "t.xlsx").write_bytes(excel(HEADER + rows))
    assert read_sheet(tmp_path / "t.xlsx").columns == {"case": ["1"], "text": [None]}


def test_a_sheet_that_holds_nothing_but_errors_is_not_empty(tmp_path: Path) -> None:
    [problem] = refused(tmp_path, excel("<row r='1'><c r='A1' t='e'><v>#REF!</v></c></row>"))
    assert problem.got == "the error #REF!"


def test_sentences_above_a_table_are_left_out_however_many() -> None:
    lines = "one sentence\n" * 20_000
    began = time.monotonic()
    sheet = read_delimited(f"{lines}case,text\n1,a\n".encode(), "t.csv")
    assert time.monotonic() - began < 30
    assert sheet.columns == {"case": ["1"], "text": ["a"]}
    assert len(sheet.notes) == 20_000


def test_a_column_of_sentences_is_no_row_of_titles() -> None:
    sheet = read_delimited(b"a sentence\n" * 5_000, "t.csv")
    assert len(sheet) == 4_999


MERGED: Final = '<mergeCells count="1"><mergeCell ref="B2:B3"/></mergeCells>'


def answers(first: str) -> str:
    """Write two rows, of which the second's text is hidden by a merge."""
    return (
        HEADER
        + row(2, cell("A2", "1"), cell("B2", first, 't="str"'))
        + row(3, cell("A3", "2"), '<c r="B3"/>')
    )


def test_a_cell_that_a_merge_hides_is_named_and_not_read_as_empty(tmp_path: Path) -> None:
    [problem] = refused(tmp_path, excel(answers("Rest."), after=MERGED))
    assert (problem.row, problem.column) == (3, "B")
    assert problem.got == "a cell merged into B2"


def test_a_merge_that_hides_nothing_is_read(tmp_path: Path) -> None:
    (tmp_path / "t.xlsx").write_bytes(excel(answers(""), after=MERGED))
    assert read_sheet(tmp_path / "t.xlsx").columns["case"] == ["1", "2"]


def test_a_formula_that_shows_nothing_is_read_as_empty_with_a_word(tmp_path: Path) -> None:
    rows = row(2, cell("A2", "1"), cell("B2", "", formula="1/0"))
    (tmp_path / "t.xlsx").write_bytes(excel(HEADER + rows))
    said = [note.got for note in read_sheet(tmp_path / "t.xlsx").notes]
    assert "a formula that shows nothing in B2" in said


@pytest.mark.parametrize("ending", [".xls", ".ods", ".xlsb"])
def test_a_workbook_s_other_endings_are_told_what_to_save_as(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"t{ending}"
    path.write_bytes(b"")
    with pytest.raises(InvalidInput, match=r"Save it as \.xlsx, or as CSV UTF-8\."):
        read_sheet(path)
