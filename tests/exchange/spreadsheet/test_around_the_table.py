"""What stands above, below and between a table's columns is said, and is no part of the table."""

from dataclasses import dataclass
from itertools import product
from pathlib import Path

import pytest
from openpyxl import Workbook

from medassay.errors import InvalidInput
from medassay.exchange.spreadsheet.read import Table, read_tables
from medassay.tables import read_sheet

TITLES = ("Chatbot evaluation, third version", "Please do not sort", "last changed 14/06/2025 JS")
NAMES = ("Answer", "Accuracy R1", "Accuracy R2")
SYSTEMS = ("ChatGPT", "Copilot", "NHS bot")


@dataclass
class Way:
    """How a table of three systems is written, with lines above and below and columns between."""

    lines: int = 0
    merged: bool = False
    blank: bool = False
    gaps: bool = False
    headings: bool = False

    def write(self, path: Path, below: str = "") -> Path:
        """Write it as a workbook."""
        above: list[list[object]] = [[line] for line in TITLES[: self.lines]]
        above += [[]] if self.blank else []
        gap: list[object] = [None] if self.gaps else []
        over: list[object] = [None, None]
        names: list[object] = ["No", "Question"]
        rows: list[list[object]] = [[n, f"What helps against cough {n}?"] for n in range(1, 7)]
        for system in SYSTEMS:
            over += [*gap, system, None, None]
            names += gap
            names += [name if self.headings else f"{system} {name}" for name in NAMES]
            for n, row in enumerate(rows):
                text = f"Rest for {n} days and drink enough, says {system}."
                row += [*gap, text, 1 + n % 5, 2 + n % 4]
        book, top = Workbook(), len(above) + 1
        for line in (*above, *([over] if self.headings else []), names, *rows, [below]):
            book.active.append(line)
        if self.merged:
            book.active.merge_cells("A1:F1")
        for at in [at for at, heading in enumerate(over, start=1) if heading and self.headings]:
            book.active.merge_cells(None, top, at, top, at + 2)
        book.save(path)
        return path


WAYS = [Way(lines, *of) for lines in (0, 1, 3) for of in product((False, True), repeat=4)]


def table_of(file: Path) -> tuple[Table, list[str]]:
    [table], notes, problems = read_tables([file])
    assert not problems
    return table, notes


@pytest.mark.parametrize("way", [w for w in WAYS if w.lines or not (w.merged or w.blank)], ids=str)
def test_titles_above_and_empty_columns_between_are_no_table(way: Way, tmp_path: Path) -> None:
    file = way.write(tmp_path / "t.xlsx")
    table, notes = table_of(file)
    named = [f"{system} {name}" for system in SYSTEMS for name in NAMES]
    assert list(table.sheet.columns) == ["No", "Question", *named]
    assert table.cells("No") == [*"123456"]
    for line in TITLES[: way.lines]:
        assert sum(line in note for note in notes) == 1


@pytest.mark.parametrize(
    "below", ["Priya on leave, rest to follow", "* red = below 50%", "see the other sheet for more"]
)
def test_a_line_below_the_table_is_a_note_and_no_question(below: str, tmp_path: Path) -> None:
    file = Way().write(tmp_path / "t.xlsx", below=below)
    table, notes = table_of(file)
    assert table.cells("No") == [*"123456"]
    assert [note for note in notes if f'"{below}", beside the table, was left out.' in note]


def test_a_last_row_of_a_question_or_a_remark_alone_stays_a_row(tmp_path: Path) -> None:
    for cells in ("7,What helps against coughs?,", "7,,Nobody answered this one."):
        (tmp_path / "t.csv").write_text(
            "No,Question,Answer,Label\n"
            + "".join(f"{n},What helps {n}?,Rest for {n} days.,4\n" for n in range(1, 7))
            + f"{cells},\n".replace("7", "", 1),
            encoding="utf-8",
        )
        table, notes = table_of(tmp_path / "t.csv")
        assert len(table.sheet) == 7
        assert not notes


def test_a_last_row_of_an_id_alone_stays_a_row(tmp_path: Path) -> None:
    file = Way().write(tmp_path / "t.xlsx", below="7")
    assert table_of(file)[0].cells("No") == [*"1234567"]


def test_an_empty_column_is_none_and_others_keep_their_letters(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("id,,text,,label\n1,,a,,x\n2,,b,,y\n", encoding="utf-8")
    assert list(read_sheet(tmp_path / "t.csv").columns) == ["id", "text", "label"]
    (tmp_path / "t.csv").write_text("id,,text,,label\n1,,a,,x\n2,,b,c,y\n", encoding="utf-8")
    with pytest.raises(InvalidInput, match=r"no name for column 4 \(D\)") as refused:
        read_sheet(tmp_path / "t.csv")
    assert len(refused.value.problems) == 1


def test_rows_that_are_too_long_are_told_once_with_their_count(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("id,text\n" + "1,a,b\n" * 27, encoding="utf-8")
    with pytest.raises(InvalidInput) as refused:
        read_sheet(tmp_path / "t.csv")
    [problem] = refused.value.problems
    assert (problem.row, problem.got) == (2, "3, and so in 26 more rows")


def test_cells_that_merges_hide_are_told_once_with_their_count(tmp_path: Path) -> None:
    book = Workbook()
    for row in (["id", "text", "label"], [1, "a", 4], [2, "b", 5], [3, "c", 6]):
        book.active.append(row)
    book.active.merge_cells("B2:C4")
    book.save(tmp_path / "t.xlsx")
    with pytest.raises(InvalidInput) as refused:
        read_sheet(tmp_path / "t.xlsx")
    [problem] = refused.value.problems
    assert (problem.row, problem.column) == (2, "C")
    assert problem.got == "a cell merged into B2, and 4 more cells like it"
