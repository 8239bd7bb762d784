"""Texts that UTF-8, XML or a terminal cannot hold go through every writer, and JSON loses none."""

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from medassay.answers import Answer
from medassay.cases import Case
from medassay.errors import InvalidInput
from medassay.judgements import Judgements, Preferences, load_rubric
from medassay.tables import (
    csv_bytes,
    holds_halves,
    json_bytes,
    json_bytes_with_rows,
    jsonl_bytes,
    long_json_bytes,
    new_workbook,
    read_sheet,
    text_bytes,
    visible,
    without_halves,
    write_rows,
)

HALF = "Rest \ud83d now"
HOSTILE = st.text(
    st.one_of(
        st.characters(),  # halves of characters included
        st.sampled_from("\ud800\udbff\udc00\udfff\0\x1b\u202e\u2028\ufffe\x85\r\n\"'\\,=<&|\ufeff"),
    ),
    max_size=12,
)


def joined(text: str) -> str:
    """Join halves that make one character, as every reader of JSON does."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


@given(HOSTILE, HOSTILE)
def test_json_holds_any_text_and_gives_it_back(key: str, text: str) -> None:
    value = {key: [text, {"text": text}]}
    read = {joined(key): [joined(text), {"text": joined(text)}]}
    forms = [
        json_bytes(value), json_bytes(value, compact=True), jsonl_bytes([value]),
        long_json_bytes(value),
    ]  # fmt: skip
    assert [json.loads(content.decode()) for content in forms] == [read] * 4
    rows = json_bytes_with_rows({"a": 1}, "rows", [{"text": text}])
    assert json.loads(rows.decode())["rows"] == [{"text": joined(text)}]


@given(HOSTILE)
def test_other_files_show_what_they_cannot_hold_as_its_code(text: str) -> None:
    shown = without_halves(text)
    assert not holds_halves(shown)
    assert holds_halves(joined(text)) or shown == joined(text)
    assert text_bytes(joined(text)).decode() == shown
    if "\0" not in text:
        table = io.StringIO(csv_bytes(["text"], [[joined(text)]]).decode(), newline="")
        assert [*csv.reader(table)][1:] == [[shown]] or not shown
    out = io.BytesIO()
    book = new_workbook(out)
    book.add_worksheet("One").write_string(0, 0, text)
    book.close()


@given(text=HOSTILE.filter(lambda text: bool(text.strip())))
@pytest.mark.parametrize("ending", [".jsonl", ".csv", ".parquet"])
def test_rows_of_any_text_are_written(
    ending: str, text: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("rows") / f"rows{ending}"
    write_rows(path, [{"text": text, "more": [text]}])
    if ending == ".parquet":
        assert pl.read_parquet(path)["text"].to_list() == [without_halves(text)]


def test_a_file_that_holds_half_of_a_character_is_refused_in_words(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    path.write_bytes(jsonl_bytes([{"case": "1", "text": HALF}]))
    with pytest.raises(InvalidInput, match="half of a surrogate pair"):
        read_sheet(path)


RATING = {"rater": "a", "system": "s", "case": "1", "dimension": "quality", "label": "3"}
PREFERENCE = {
    "rater": "a", "case": "1", "system_a": "s", "system_b": "t", "dimension": "quality",
    "choice": "a",
}  # fmt: skip


@pytest.mark.parametrize(
    "make",
    [
        lambda: Answer(system="s", case="1", text=HALF),
        lambda: Answer(system="s", case="1", statements=[{"text": HALF}]),
        lambda: Answer(system=HALF, case="1", text="Rest."),
        lambda: Case(case="1", question=HALF),
        lambda: Case(case="1", question="Why?", tags={"a": HALF}),
        *[
            lambda column=column: Judgements.from_rows(
                [RATING, {**RATING, "case": "2", column: HALF}], load_rubric("likert5")
            )
            for column in (*RATING, "comment", "rationale", "time")
        ],
        *[
            lambda column=column: Preferences.from_rows([{**PREFERENCE, column: HALF}])
            for column in (*PREFERENCE, "comment")
        ],
    ],
)
def test_records_made_in_python_are_refused_by_name(make: Callable[[], object]) -> None:
    with pytest.raises(InvalidInput) as refused:
        make()
    str(refused.value).encode()
    assert "half of a surrogate pair" in str(refused.value)


@given(HOSTILE)
def test_a_terminal_is_shown_no_half_and_no_order(text: str) -> None:
    shown = visible(text)
    shown.encode()
    assert "\x1b" not in shown
