"""What takes long is done once: cells are parted once, and labels are checked once."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from tests.exchange.spreadsheet.test_by_cells import TEXTS, came_in

from medassay.exchange.spreadsheet import headers, read
from medassay.exchange.spreadsheet.answer_rows import AnswerRows
from medassay.exchange.spreadsheet.readings import read_columns
from medassay.exchange.spreadsheet.words import Lexicon, lexicon
from medassay.judgements import Judgements, Rubric
from medassay.judgements.rows import frame_to_csv
from medassay.tables import Sheet, csv_bytes, grid


def test_a_table_is_parted_once_and_its_labels_are_checked_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: Counter[str] = Counter()
    part, check = grid._grid, Judgements.checked

    def parted(text: str, file: str, separator: str, *, lone: bool) -> list[list[str]]:
        done[file] += 1
        return part(text, file, separator, lone=lone)

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


def test_what_rows_of_several_raters_repeat_is_counted_in_each_and_read_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answered: Counter[str] = Counter()
    answer = AnswerRows._answer

    def counted(rows: AnswerRows, *about: Any) -> None:  # noqa: ANN401 - as they come
        answered[" ".join(about[:2])] += 1
        answer(rows, *about)

    monkeypatch.setattr(AnswerRows, "_answer", counted)
    head: list[object] = [
        "id",
        "question",
        "topic",
        "model",
        "answer",
        "seconds",
        "bleu",
        "rater",
        "accuracy",
    ]
    rows: list[list[object]] = [head]
    for person in ("anna", "ben", "cleo", "dora"):
        for number in range(1, 5):
            for system, text in TEXTS.items():
                told = "" if (number, system) == (2, next(iter(TEXTS))) else f"{text} {number}"
                beside = [number / 2 if told else "", 0.25 if told else ""]
                about = [f"q{number}", f"Is {number} bad?", "skin", system, told, *beside]
                rows.append([*about, person, number % 5 + 1])
    said, into = came_in(tmp_path, *rows)
    assert not said
    assert set(answered.values()) == {2}, "two rows tell; the others are counted"
    account = json.loads((into / "import.json").read_text(encoding="utf-8"))["imports"][0]
    kept = {column["column"]: column["fates"] for column in account["columns"]}
    cells = len(rows) - 1
    assert kept["model"] == {"system": cells}
    assert kept["topic"] == {"tag topic": cells}
    assert kept["seconds"] == {"seconds": cells - 4}
    assert kept["bleu"] == {"scores bleu": cells - 4}
    assert sum(kept["answer"].values()) == cells - 4
    assert kept["id"] == {"ids": cells}
    assert kept["question"] == {"questions": 4, "questions again": cells - 4}


def test_rows_of_means_are_looked_for_once_however_many_columns_a_table_has(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looked: Counter[str] = Counter()

    def counted() -> Lexicon:
        looked["for means"] += 1
        return lexicon()

    monkeypatch.setattr(read, "lexicon", counted)
    names = [f"Weight {number}" for number in range(40)]
    columns: dict[str, list[object]] = {name: ["1", "2", "1.5"] for name in names}
    about: dict[str, list[object]] = {"Case": ["q1", "q2", "Mean"], "Asked": ["A?", "B?", None]}
    table = read.Table(Sheet("wide.csv", [2, 3, 4], {**about, **columns}), "wide")
    assert [table.of_answers(name) for name in names] == [["1", "2"]] * 40
    assert looked["for means"] == 2, "once for each of the last rows: the means, and one above"


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


@pytest.mark.parametrize("head", ["Weight {}", "bot-{} value", "Accuracy bot-{} (Rater Ann)"])
def test_names_are_looked_for_in_the_headers_that_may_hold_them_alone(head: str) -> None:
    many = 120
    columns: dict[str, list[object]] = {head.format(at): ["1", "2", "5"] for at in range(many)}
    asked: dict[str, list[object]] = {"Question": ["A or B?", "B or C?", "C or D?"]}
    for at in range(many):
        asked[f"Reply bot-{at}"] = [f"rest a day and drink {at} {row} cups" for row in range(3)]
    table = read.Table(Sheet("wide.csv", [2, 3, 4], {**asked, **columns}), "wide")
    headers._without.cache_clear()
    read_columns(table, {})
    assert headers._without.cache_info().misses < 12 * many, "not each name in each header"
