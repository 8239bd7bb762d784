"""Tables of a million columns, and files of blanks, end soon and say why."""

import json
import sys
import zipfile
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from time import process_time

import pytest
from pydantic import BaseModel, ConfigDict

from medassay.errors import InvalidInput
from medassay.judgements import Judgements, load_rubric
from medassay.systems.dialogue import read_prompts
from medassay.tables import Sheet, good_lines, new_workbook, parse_toml, read_sheet, read_toml

MANY = 1_000_000
BLANKS = 40_000_000
NAMES = "rater,system,case,dimension,label\n"
SECONDS = 10  # of the processor: a fifth of it on a quiet machine


def soon(do: Callable[[], object]) -> object:
    started = process_time()
    try:
        return do()
    finally:
        assert process_time() - started < SECONDS


def book(part: str, old: bytes, new: bytes) -> bytes:
    """Make a workbook, and put something else into one of its parts."""
    plain, packed = BytesIO(), BytesIO()
    made = new_workbook(plain)
    page = made.add_worksheet("Ratings")
    for column, name in enumerate(NAMES.strip().split(",")):
        page.write(0, column, name)
    page.write(1, 0, "Somebody")
    made.close()
    with (
        zipfile.ZipFile(plain) as before,
        zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as after,
    ):
        for name in before.namelist():
            content = before.read(name)
            if name.endswith(part):
                assert old in content
                content = content.replace(old, new, 1)
            after.writestr(name, content)
    return packed.getvalue()


@pytest.mark.parametrize(
    ("ending", "make", "why"),
    [
        (".csv", lambda: ",".join(f"c{n}" for n in range(MANY)), "row 1: .*at most 16,384 columns"),
        (".csv", lambda: ",".join("c" for _ in range(MANY)), "row 1: .*at most 16,384 columns"),
        (".csv", lambda: NAMES + "," * MANY, "row 2: .*at most 16,384 columns"),
        (".tsv", lambda: "a\tb\n" + "\t" * MANY + "x", "row 2: .*at most 16,384 columns"),
        (".jsonl", lambda: json.dumps({f"c{n}": 1 for n in range(20_000)}), "16,384 columns"),
        (".csv", lambda: " " * BLANKS, "row 1: .*blanks in a row"),
        (".csv", lambda: NAMES + "\n" * BLANKS + "a,b,c,d,e", "row [12]: .*blanks in a row"),
        (".csv", lambda: NAMES + "\t \n" * (BLANKS // 3) + "a,b", "row [12]: .*blanks in a row"),
        (".csv", lambda: f'{NAMES}"{" " * BLANKS}",b,c,d,e', "row [12]: .*blanks in a row"),
        (".csv", lambda: NAMES + ",,,,\n" * 1_100_000 + "a,b", "row 2: .*1,048,577 empty rows"),
        (".csv", lambda: "\n" * BLANKS, "an empty file"),
        (".jsonl", lambda: "{}\n" + " " * BLANKS + "{}", "row [12]: .*blanks in a row"),
    ],
)  # fmt: skip
def test_it_is_refused_soon(ending: str, make: Callable[[], str], why: str, tmp_path: Path) -> None:
    path = tmp_path / f"judgements{ending}"
    path.write_text(make(), encoding="utf-8")
    with pytest.raises(InvalidInput, match=why):
        soon(lambda: read_sheet(path))


def test_a_cell_of_blanks_in_a_workbook_is_refused_soon(tmp_path: Path) -> None:
    path = tmp_path / "judgements.xlsx"
    text = b'<t xml:space="preserve">' + b" " * BLANKS + b"</t>"
    path.write_bytes(book("sharedStrings.xml", b"<t>Somebody</t>", text))
    with pytest.raises(InvalidInput, match="at most 10,000,000 characters in a cell"):
        soon(lambda: read_sheet(path))


def test_blanks_between_the_tags_of_a_workbook_are_passed_over_soon(tmp_path: Path) -> None:
    path = tmp_path / "judgements.xlsx"
    path.write_bytes(book("sheet1.xml", b"</row>", b"</row>" + b" " * BLANKS))
    assert len(soon(lambda: read_sheet(path)).rows) == 1  # type: ignore[attr-defined]  # a sheet


@pytest.mark.parametrize("blank", ["\n", " \n", ",,,,\n", "\r\n", "\t\n"])
def test_blank_rows_at_the_end_are_left_out(blank: str, tmp_path: Path) -> None:
    path = tmp_path / "judgements.csv"
    path.write_text(f"{NAMES}a,b,c,d,e\n{blank * 30_000}", encoding="utf-8", newline="")
    assert read_sheet(path).rows == [2]


def test_of_very_many_unknown_columns_some_are_named_and_the_others_counted() -> None:
    rows = [{f"c{number}": "x" for number in range(16_000)}]
    with pytest.raises(InvalidInput) as refused:
        soon(
            lambda: Judgements.from_sheet(Sheet.of_records(rows, "labels"), load_rubric("likert5"))
        )
    problems = refused.value.problems
    assert len(problems) < 70
    assert "15,950 more that are not" in str(refused.value)
    assert len(str(refused.value)) < 30_000


def calls_made(do: Callable[[], object]) -> int:
    """Count what is called, of Python and of C: a line that is looked at by itself is a call."""
    made = 0

    def note(_frame: object, event: str, _called: object) -> None:
        nonlocal made
        made += event in {"call", "c_call"}

    sys.setprofile(note)
    try:
        do()
    finally:
        sys.setprofile(None)
    return made


class Row(BaseModel):
    model_config = ConfigDict(extra="forbid")
    a: int


@pytest.mark.parametrize("blank", ["\n", " \r\n", "\t\n"])
def test_blank_lines_of_jsonl_are_not_looked_at_one_by_one(blank: str, tmp_path: Path) -> None:
    blanks = 200_000
    path = tmp_path / "answers.jsonl"
    text = f'{{"a": 1}}\n{blank * blanks}  {{"a": 2}}\n{blank}{{"a": 3}}\n{blank * blanks} '
    path.write_text(text, encoding="utf-8", newline="")
    rows, last = [1, blanks + 2, blanks + 4], blanks + 4
    assert [(row, record.a) for row, record in good_lines(path, Row)] == [
        (row, number) for number, row in enumerate(rows, start=1)
    ]
    assert read_sheet(path).rows == rows
    assert calls_made(lambda: list(good_lines(path, Row))) < blanks / 20
    assert calls_made(lambda: read_sheet(path)) < blanks / 20
    path.write_text(text.replace("3}", "3"), encoding="utf-8", newline="")
    with pytest.raises(InvalidInput, match=f"row {last}: "):
        read_sheet(path)


def test_toml_that_no_hand_wrote_is_refused_unread(tmp_path: Path) -> None:
    path = tmp_path / "prompts.toml"
    path.write_bytes(b"\n" * 10_000_001)
    why = "prompts.toml: must hold at most 10,000,000 bytes; got 10,000,001"
    for read in (
        lambda: read_toml(Row, path.read_bytes(), path.name),
        lambda: load_rubric(path),
        lambda: read_prompts(path, "options"),
    ):
        with pytest.raises(InvalidInput, match=why) as refused:
            read()
        assert len(refused.value.problems) == 1
    with pytest.raises(ValueError, match="more than 10,000,000"):
        parse_toml("\n" * 10_000_001)
