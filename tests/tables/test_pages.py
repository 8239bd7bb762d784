"""Pages as they stand: every sheet, every cell with its address, nothing computed."""

import io

import pytest
import xlsxwriter

from medassay.errors import InvalidInput
from medassay.tables import guarded, guarded_cell, is_formula_like, read_pages, unguarded


def workbook() -> bytes:
    out = io.BytesIO()
    book = xlsxwriter.Workbook(out, {"in_memory": True})
    first, second = book.add_worksheet("One"), book.add_worksheet("It's two")
    first.write_string(1, 1, "b2")
    first.write_number(2, 0, 4.0)
    second.write_formula(0, 0, "=1+1", None, 2)
    second.write_formula(1, 0, "=x", None, "#NAME?")
    second.merge_range(2, 0, 3, 1, "merged")
    book.close()
    return out.getvalue()


def test_every_sheet_is_read_from_its_first_cell() -> None:
    (one, two), notes = read_pages(workbook(), "a.xlsx")
    assert one.cells == [["", ""], ["", "b2"], ["4", ""]]
    assert (one.title, two.title, notes) == ("One", "It's two", ())
    assert two.formulas == {"A1", "A2"}
    assert two.errors == {"A2": "#NAME?"}
    assert two.merged == {"B3": "A3", "A4": "A3", "B4": "A3"}
    assert two.cells[0][0] == "2"


def test_csv_is_one_page_whatever_its_separator() -> None:
    (page,), notes = read_pages("a;b\n1,5;é\n".encode("cp1252"), "a.csv")
    assert page.cells == [["a", "b"], ["1,5", "é"]]
    assert page.from_text
    assert len(notes) == 1


@pytest.mark.parametrize("content", [b"PK\x03\x04 no archive", b'a,b\n"open,1\n', b"\xff\x00\x81"])
def test_what_is_no_table_is_refused(content: bytes) -> None:
    with pytest.raises(InvalidInput, match=r"a\.xlsx"):
        read_pages(content, "a.xlsx")


@pytest.mark.parametrize(
    "text", ["=1", "+1", "-1", "@a", "\tx", "\rx", "'=1", "''-", "'tis", "", "'", "plain", "a=b"]
)
def test_a_guarded_text_is_never_a_formula_and_comes_back(text: str) -> None:
    assert guarded(text)[:1] not in set("=+-@＝＋－＠\t\r") - {""}
    assert not is_formula_like(guarded(text))
    assert unguarded(guarded(text)) == text


@pytest.mark.parametrize("sign", "=+-@＝＋－＠\t\r")
def test_signs_of_a_formula_are_guarded_full_width_ones_too(sign: str) -> None:
    text = f"{sign}cmd|' /C calc'!A0"
    assert is_formula_like(text)
    assert guarded(text) == guarded_cell(text) == f"'{text}"
    assert unguarded(f"'{text}") == text


@pytest.mark.parametrize("number", [-0.12, "-0.12", "+3", "-1e-05", 7, None, True])
def test_numbers_stay_numbers(number: object) -> None:
    assert guarded_cell(number) == number
