"""What takes long is done once: cells are parted once, and labels are checked once."""

from collections import Counter
from pathlib import Path

import polars as pl
import pytest
from tests.exchange.spreadsheet.test_by_cells import TEXTS, came_in

from medassay.judgements import Judgements, Rubric
from medassay.judgements.rows import frame_to_csv
from medassay.tables import Sheet, csv_bytes, grid


def test_a_table_is_parted_once_and_its_labels_are_checked_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: Counter[str] = Counter()
    part, check = grid._grid, Judgements.checked

    def parted(text: str, file: str, separator: str) -> list[list[str]]:
        done[file] += 1
        return part(text, file, separator)

    def checked(sheet: Sheet, rubric: Rubric) -> pl.DataFrame:
        done["labels"] += len(sheet)
        return check(sheet, rubric)

    monkeypatch.setattr(grid, "_grid", parted)
    monkeypatch.setattr(Judgements, "checked", staticmethod(checked))
    rows: list[list[object]] = [["id", "question", "model", "answer", "rater", "accuracy"]]
    for number in range(1, 9):
        for system, text in TEXTS.items():
            answer = f"{text} {number} {system}"
            rows.append([f"q{number}", f"Is {number} bad?", system, answer, "anna", number % 5 + 1])
    said, _ = came_in(tmp_path, *rows)
    assert not said
    assert done["mine.csv"] == 1
    assert done["labels"] == len(rows) - 1


ODD = ["a", 'a "b", c', "two\nlines", " lead", "é", "日本", "-", "1.0", "tab\t", "\\"]


@pytest.mark.parametrize("odd", [[], [""], ["lone\rreturn"]])
def test_labels_are_written_as_the_csv_module_writes_them(odd: list[str]) -> None:
    words = [*ODD, *odd]
    numbers = [None] * len(words) if not odd else [1e-9] * len(words)
    frame = pl.DataFrame(
        {"rater": words, "position": range(len(words)), "number": numbers, "time": None},
        schema={"rater": pl.String, "position": pl.Int64, "number": pl.Float64,
                "time": pl.Datetime("us", "UTC")},
    )  # fmt: skip
    assert frame_to_csv(frame) == csv_bytes(frame.columns, frame.rows())
