"""The scale that a header names holds: below zero, too, and whatever cells lie outside it."""

from pathlib import Path

import pytest
from tests.exchange.spreadsheet.test_first_tries import BAD_INPUT, HEADS, came_in, rows_of

from medassay.exchange.spreadsheet.scale_words import read_ends
from medassay.study import Study


def rated(*labels: str) -> list[str]:
    """Give a row for each answer; the labels take turns."""
    return [row.replace("LABEL", labels[n % len(labels)]) for n, row in enumerate(rows_of("LABEL"))]


@pytest.mark.parametrize(
    "header",
    [
        "Help (-2 to +2) R1", "Help (−2 … +2) R1", "Help [-2..2] R1", "Help (–2 bis 2) R1",
        "Help (-2 = bad, 2 = good) R1", "Help (-2-2) R1",
    ],
)  # fmt: skip
def test_a_scale_may_begin_below_zero(header: str) -> None:
    ends, rest = read_ends(header)
    assert ends is not None
    assert (ends.low, ends.high) == (-2, 2)
    assert rest == "Help R1"


@pytest.mark.parametrize("name", ["GPT-4", "Phi-2 to 2", "Llama-3-70B", "A-1 to 5"])
def test_a_dash_within_a_name_is_no_minus(name: str) -> None:
    assert read_ends(name) == (None, name)


@pytest.mark.parametrize(
    ("typed", "labels"), [("-1-2", ("-1", "2")), ("-2 to 2", ("-1", "2")), ("-3--1", ("-3", "-1"))]
)
def test_a_typed_scale_below_zero_is_read(
    typed: str, labels: tuple[str, str], tmp_path: Path
) -> None:
    words = ["--scale", f"accuracy={typed}"]
    code, said, into = came_in(tmp_path, f"{HEADS},Accuracy", *rated(*labels), words=words)
    assert code == 0, said
    held = Study.open_whole(into).judgements_on_file.frame
    assert set(held["label"].to_list()) == set(labels)


def test_what_lies_outside_the_headers_scale_is_refused_by_cell(tmp_path: Path) -> None:
    rows = rated("4", "5", "3", "99", "2", "9", "1", "4")
    heads = f"{HEADS},Accuracy (1-5)"
    code, said, into = came_in(tmp_path, heads, *rows)
    assert code == BAD_INPUT
    assert "row 5, column Accuracy (1-5)" in said
    assert "must be one of 1, 2, 3, 4, 5" in said
    assert "0-100" not in said
    assert not into.exists()
    words = "--label accuracy.missing=9 --label accuracy.missing=99"
    assert f"If 9, 99 mean not judged: {words}." in said
    code, said, into = came_in(tmp_path, heads, *rows, words=words.split())
    assert code == 0, said
    frame = Study.open_whole(into).judgements_on_file.frame
    held = frame["label"].to_list()
    assert sorted(held) == ["1", "2", "3", "4", "4", "5"]


def test_words_outside_a_scale_are_no_marks_for_none(tmp_path: Path) -> None:
    rows = rated("4", "5", "3", "maybe")
    code, said, _ = came_in(tmp_path, f"{HEADS},Accuracy (1-5)", *rows)
    assert code == BAD_INPUT
    assert "not judged" not in said


def test_many_cells_outside_a_scale_are_told_once_by_their_rows(tmp_path: Path) -> None:
    rows = rated("4", "99", "3", "1")
    more = [row.replace("q", "p") for row in rated("99", "4", "9", "1")]
    code, said, _ = came_in(tmp_path, f"{HEADS},Accuracy (1-5)", *rows, *more)
    assert code == BAD_INPUT
    assert said.count("must be one of") == 1
    assert "values up to 99 of Rossi on 6 rows (3, 7, 10 ...)" in said
