"""Three forms of file give one sheet, and whatever is wrong has a place."""

import json
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from medassay.errors import InvalidInput, Problem
from medassay.tables import Sheet, csv_bytes, read_sheet


def sheet_of(folder: Path, content: bytes | str, name: str = "t.csv") -> Sheet:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return read_sheet(path)


def problems_of(folder: Path, content: bytes | str, name: str = "t.csv") -> list[Problem]:
    with pytest.raises(InvalidInput) as caught:
        sheet_of(folder, content, name)
    return list(caught.value.problems)


def test_three_forms_give_the_same_records(tmp_path: Path) -> None:
    rows = [{"case": "01", "text": "Ruhe, dann\nBewegung"}, {"case": "1", "text": 'a "quote"'}]
    pl.DataFrame(rows).write_parquet(tmp_path / "t.parquet")
    lines = "".join(f"{json.dumps(row)}\n" for row in rows)
    table = csv_bytes(["case", "text"], [list(row.values()) for row in rows])
    read = {
        ".csv": sheet_of(tmp_path, table),
        ".jsonl": sheet_of(tmp_path, lines, "t.jsonl"),
        ".parquet": read_sheet(tmp_path / "t.parquet"),
    }
    records = {form: [cells for _, cells in sheet.records()] for form, sheet in read.items()}
    assert records == dict.fromkeys(read, rows)
    # The header of a CSV file is row 1, as a spreadsheet numbers it.
    assert {form: sheet.rows for form, sheet in read.items()} == {
        ".csv": [2, 3],
        ".jsonl": [1, 2],
        ".parquet": [1, 2],
    }


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_byte_order_mark_and_line_endings_change_nothing(
    tmp_path: Path, ending: str, mark: str
) -> None:
    sheet = sheet_of(tmp_path, f"{mark}case,text{ending}1,Rest{ending}")
    assert sheet.columns == {"case": ["1"], "text": ["Rest"]}


def test_rows_count_records_where_a_cell_has_line_breaks(tmp_path: Path) -> None:
    sheet = sheet_of(tmp_path, 'case,text\n1,"a\nb\nc"\n\n2,d\n')
    assert sheet.rows == [2, 4]  # the empty row 3 is skipped and keeps its number
    assert sheet.columns["text"] == ["a\nb\nc", "d"]


def test_a_huge_cell_is_read_whole(tmp_path: Path) -> None:
    long = "word " * 200_000
    assert sheet_of(tmp_path, f'case,text\n1,"{long}"\n').columns["text"] == [long]


def test_ragged_rows_are_all_named(tmp_path: Path) -> None:
    problems = problems_of(tmp_path, "case,text\n1,a,b\n2,ok\n3\n")
    assert [(one.row, one.must, one.got) for one in problems] == [
        (2, "have 2 cells like the header", "3"),
        (4, "have 2 cells like the header", "1"),
    ]


@pytest.mark.parametrize(
    ("content", "row", "must"),
    [
        ("", None, "have a header row"),
        ("\n\n", None, "have a header row"),
        ("case,,text\n1,2,3\n", 1, "name every column"),
        ("case,case\n1,2\n", 1, "name each column once"),
        ('case,text\n1,"a\nb"\n2,"open\n', 3, "close every quote"),
        ('case,text\n1,"a"b\n', 2, "be well-formed CSV"),
        (b"case,text\n1,caf\x81\n", 2, "be text in UTF-8"),
        (b"case,text\n1,caf\xc3\xa9\n2,caf\xe9\n", 3, "be text in UTF-8"),
        ("case,text\n".encode("utf-16")[:-1], None, "be text in UTF-8"),
    ],
)
def test_broken_csv_has_a_place(
    tmp_path: Path, content: bytes | str, row: int | None, must: str
) -> None:
    (problem,) = problems_of(tmp_path, content)
    assert (problem.file, problem.row, problem.must) == ("t.csv", row, must)


@pytest.mark.parametrize(
    ("line", "got"),
    [
        ('{"case": "1"', "Expecting ',' delimiter at character 13"),
        ("[1]", "a list"),
        ('{"case": "1", "case": "2"}', 'the key "case" twice'),
        ('{"value": NaN}', "NaN, which is no JSON number"),
        ('{"text": "\\ud800"}', "half of a surrogate pair, which is no character"),
        ("[" * 100_000, "lists or objects nested too deep"),
        ('{"n": ' + "9" * 5000 + "}", "a number too long to read"),
    ],
)
def test_every_broken_line_of_jsonl_is_named(tmp_path: Path, line: str, got: str) -> None:
    content = f'{line}\n\n{{"case": "\u2028"}}\n{line}\n'
    problems = problems_of(tmp_path, content, "t.jsonl")
    assert [one.row for one in problems] == [1, 4]
    assert all(one.got.startswith(got) for one in problems)


@pytest.mark.parametrize(
    ("line", "column"),
    [
        ('{"case": "1", "confidence": NaN}', "confidence"),
        ('{"a": [1], "retrieved": [{"document": "g1", "score": -Infinity}]}', "retrieved"),
        ('{"a": Infinity, "b": NaN}', "a"),
        ("[NaN]", None),
        ('{"a": NaN, "b": }', None),
        ('{"a": "NaN", "a": 1}', None),
    ],
)
def test_a_constant_that_is_no_json_number_is_named_with_its_column(
    tmp_path: Path, line: str, column: str | None
) -> None:
    (problem,) = problems_of(tmp_path, f"{line}\n", "t.jsonl")
    assert (problem.row, problem.column) == (1, column)


def test_keys_that_a_line_lacks_are_none_and_left_out_of_records(tmp_path: Path) -> None:
    sheet = sheet_of(tmp_path, '{"a": 1}\n{"b": "😀 \\ud83d\\ude00"}\n', "t.jsonl")
    assert sheet.columns == {"a": [1, None], "b": [None, "😀 😀"]}
    assert [cells for _, cells in sheet.records()] == [{"a": 1}, {"b": "😀 😀"}]


def test_what_is_no_table_is_refused_by_name(tmp_path: Path) -> None:
    assert problems_of(tmp_path, "x", "t.doc")[0].must.startswith("end in one of .jsonl, .csv")
    assert problems_of(tmp_path, "x", "t.xlsx")[0].must == "be a table"
    assert problems_of(tmp_path, b"PAR1", "t.csv")[0].try_ == "Name it .parquet."
    assert problems_of(tmp_path, "x", "t.parquet")[0].must == "be a Parquet file"
    with pytest.raises(InvalidInput, match=r"none\.csv: must be a file that exists"):
        read_sheet(tmp_path / "none.csv")


@pytest.mark.parametrize(
    ("content", "name", "got"),
    [
        ("case;text\n1;a, b\n", "t.csv", "a semicolon"),
        ("case\ttext\n1\ta, b\n", "t.csv", "a tab"),
        ('case,text\n1,"a, b"\n', "t.tsv", "a comma"),
        ("case\ttext\n1\ta, b\n", "t.tsv", None),
        ('case,text\n1,"a, b"\n'.encode("utf-16"), "t.csv", "UTF-16"),
        ('case,text\n1,"a, b"\n'.encode("utf-16-be"), "t.csv", "UTF-16"),
        ('case,text\n1,"a, b"\n'.encode("utf-32"), "t.csv", "UTF-32"),
        ('case,text,,\n1,"a, b",,\n', "t.csv", None),
        ('case,text\n1,"a, b"\n...,...\n…,\n', "t.csv", 'a row of "..."'),
    ],
)
def test_what_is_odd_is_read_and_said(
    tmp_path: Path, content: bytes | str, name: str, got: str | None
) -> None:
    sheet = sheet_of(tmp_path, content, name)
    assert sheet.columns == {"case": ["1"], "text": ["a, b"]}
    assert {note.got for note in sheet.notes} == ({got} if got else set())


def test_windows_1252_is_read_and_a_letter_to_check_is_named(tmp_path: Path) -> None:
    sheet = sheet_of(tmp_path, "case,text\n1,a “naïve” cold\n".encode("cp1252"))
    assert sheet.columns["text"] == ["a “naïve” cold"]
    assert [note.try_ for note in sheet.notes] == ['It was read as that; check "“" in line 2.']


WORDS = st.text(st.characters(codec="utf-8"), min_size=1, max_size=8)


@given(st.lists(st.tuples(WORDS, st.none() | WORDS), min_size=1, max_size=6))
def test_csv_that_is_written_reads_back_the_same(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, str | None]]
) -> None:
    content = csv_bytes(["a", "b"], rows)
    sheet = sheet_of(tmp_path_factory.mktemp("csv"), content)
    assert list(zip(sheet.columns["a"], sheet.columns["b"], strict=True)) == rows
