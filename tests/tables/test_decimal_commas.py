"""Commas before decimals are read where they can be nothing else."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from medassay.answers import read_answers
from medassay.errors import InvalidInput
from medassay.scores import scores_from_sheet
from medassay.tables import Sheet, number_hint, read_sheet, with_points


def sheet_of(folder: Path, text: str, name: str = "t.csv") -> Sheet:
    (folder / name).write_text(text, encoding="utf-8")
    return read_sheet(folder / name)


@pytest.mark.parametrize("sign", [";", "\t"])
def test_a_comma_is_read_where_another_sign_parts_the_cells(tmp_path: Path, sign: str) -> None:
    text = "id;value;words\na;0,67;1,5\nb;-1;2,5\nc;;3,5\nd;1,2E-05;x\n".replace(";", sign)
    read = with_points(sheet_of(tmp_path, text))
    assert read.columns["value"] == ["0.67", "-1", None, "1.2E-05"]
    assert read.columns["words"] == ["1,5", "2,5", "3,5", "x"]
    (note,) = [note for note in read.notes if note.column]
    assert (note.row, note.got, note.try_) == (
        2, '"0,67", and commas in 1 more', "Read as 0.67."
    )  # fmt: skip


def test_where_commas_part_the_cells_nothing_is_read_as_decimals(tmp_path: Path) -> None:
    read = with_points(sheet_of(tmp_path, 'id,value\na,"0,67"\n'))
    assert read.columns["value"] == ["0,67"]
    with pytest.raises(InvalidInput, match=r"Write a point before the decimals: 0\.67\."):
        scores_from_sheet(
            Sheet("t.csv", [2], {**read.columns, "system": ["A"], "case": ["1"]}), "m"
        )


@pytest.mark.parametrize(
    ("rows", "place"),
    [
        (["0,67;1", "0.5;1"], 'row 2, column value: .*"0.5" in row 3, column value'),
        (["1,234;0.5", "2,500;0.25"], 'row 2, column value: .*"0.5" in row 2, column seconds'),
    ],
)
def test_a_comma_that_may_be_thousands_is_refused(
    tmp_path: Path, rows: list[str], place: str
) -> None:
    text = "\n".join(["value;seconds", *rows, ""])
    with pytest.raises(InvalidInput, match=place):
        with_points(sheet_of(tmp_path, text))


def test_three_digits_are_decimals_where_nothing_has_a_point(tmp_path: Path) -> None:
    read = with_points(sheet_of(tmp_path, "value;seconds\n1,234;0,5\n2,500;3\n"))
    assert read.columns["value"] == ["1.234", "2.500"]


def test_signs_between_thousands_have_a_hint() -> None:
    hints = {text: number_hint(text) for text in ("1.234,5", "1,234.5", "1.234.567", "12,5")}
    assert hints == {
        "1.234,5": "Write no sign between thousands: 1234.5.",
        "1,234.5": "Write no sign between thousands: 1234.5.",
        "1.234.567": "Write no sign between thousands: 1234567.",
        "12,5": "Write a point before the decimals: 12.5.",
    }


def test_answers_are_read_with_their_confidence(tmp_path: Path) -> None:
    table = tmp_path / "A.csv"
    table.write_text("system;case;text;confidence;seconds\nA;1;Yes, rest.;0,85;12,5\n", "utf-8")
    read = read_answers(table, None)
    assert (read.records[0].text, read.records[0].confidence) == ("Yes, rest.", 0.85)
    assert [note.column for note in read.warnings if note.column] == ["confidence", "seconds"]


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=8))
def test_numbers_that_a_european_spreadsheet_writes_come_back(values: list[float]) -> None:
    written = [repr(value).replace(".", ",") for value in values]
    rows = list(range(2, len(values) + 2))
    sheet = with_points(Sheet("t.csv", rows, {"value": list(written)}, commas_free=True))
    assert [float(str(cell)) for cell in sheet.columns["value"]] == values
