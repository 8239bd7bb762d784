"""What is read line by line is what reading the file whole finds; anything odd is left to that."""

import json
from pathlib import Path
from typing import ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict

from medassay.errors import InvalidInput, Problem
from medassay.tables import Doubt, good_lines, read_record, read_sheet, without_nulls

WORDS = '"id" "more" "of" "id": { } [ ] , : " \\ 1 - 0.1 2e400 null NaN true \\ud800 \\u00e9'
PIECES = st.sampled_from([*WORDS.split(), '"of" :', '"é: \\": "', "\x1f", " ", "\t"])


class Row(BaseModel):
    """A record with objects inside."""

    model_config: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    id: str
    of: str = ""
    more: list[dict[str, float | str]] | dict[str, int] | None = None


def read_good_lines(
    path: Path, fixed: dict[str, str] | None = None
) -> list[tuple[int, Row]] | None:
    """List the good lines; None at the first doubt."""
    try:
        return list(good_lines(path, Row, fixed))
    except Doubt:
        return None


def of_all_rows(path: Path, fixed: dict[str, str]) -> list[tuple[int, Row]] | None:
    """Read the file as a sheet: None where a problem or a column of no record is found."""
    problems: list[Problem] = []
    try:
        sheet = read_sheet(path)
    except InvalidInput:
        return None
    if not sheet.columns.keys() <= Row.model_fields.keys():
        return None
    fixed = {name: value for name, value in fixed.items() if name not in sheet.columns}
    found = []
    for row, cells in sheet.records():
        whole = {**fixed, **{name: without_nulls(cell) for name, cell in cells.items()}}
        record = read_record(Row, whole, file="", row=row, problems=problems)
        if record is not None:
            found.append((row, record))
    return None if problems else found


def test_gives_each_record_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(
        b'\xef\xbb\xbf{"id": "1"}\r\n\n  \n{"id": "2", "of": "he said: \\"no\\": why"}'
    )
    rows = [(1, Row(id="1", of="X")), (4, Row(id="2", of='he said: "no": why'))]
    assert read_good_lines(path) == [(1, Row(id="1")), rows[1]]
    path.write_text('{"id": "1"}\n')
    assert read_good_lines(path, {"of": "X"}) == rows[:1]


@pytest.mark.parametrize(
    "line",
    [
        '{"id": "1", "id": "1"}',
        '{"id": "1", "more": {"a": 1, "a": 2}}',
        '{"id": "1", "more": [{"a": 1, "a"\t: 2}]}',
        '{"id": "1", "stranger": null}',
        '{"id": "\\ud800"}',
        '{"id": "1", "more": [{"a": NaN}]}',
        '["id"]',
        "{",
        '{"of": "no id"}',
        '{"id": "1", "of": "in this row only"}',
    ],
)
def test_leaves_a_file_alone_at_the_first_doubt(tmp_path: Path, line: str) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(f'{{"id": "0"}}\n{line}\n')
    assert read_good_lines(path, {"of": "X"}) is None


def test_leaves_other_forms_and_places_alone(tmp_path: Path) -> None:
    (tmp_path / "folder.jsonl").mkdir()
    (tmp_path / "a.csv").write_text("id\n1\n")
    (tmp_path / "wide.jsonl").write_bytes('{"id": "1"}'.encode("utf-16"))
    for name in ("folder.jsonl", "a.csv", "nowhere.jsonl", "wide.jsonl"):
        assert read_good_lines(tmp_path / name) is None


@given(
    st.lists(
        st.builds(
            lambda start, pieces, end: start + "".join(pieces) + end,
            st.sampled_from(['{"id": "1"', '{"id":"1","more":[{"a":"b: c","d":2}]', "{", ""]),
            st.lists(PIECES, max_size=6),
            st.sampled_from(["}", ', "of": "x"}', ', "more": {"e": 3}}', ""]),
        ),
        max_size=3,
    )
)
def test_what_it_gives_is_what_the_whole_sheet_gives(
    tmp_path_factory: pytest.TempPathFactory, lines: list[str]
) -> None:
    path = tmp_path_factory.mktemp("lines") / "a.jsonl"
    path.write_text("\n".join(lines), encoding="utf-8")
    for fixed in ({}, {"of": "X"}):
        good = read_good_lines(path, fixed)
        if good is not None:
            assert list(good) == of_all_rows(path, dict(fixed))


@given(
    st.lists(
        st.fixed_dictionaries(
            {"id": st.text(max_size=9)},
            optional={
                "of": st.none() | st.text(),
                "more": st.dictionaries(st.text(max_size=3), st.integers())
                | st.lists(st.dictionaries(st.text(max_size=3), st.floats(allow_nan=False))),
            },
        ),
        max_size=3,
    ),
    st.sampled_from([(",", ":"), (", ", ": "), (" , ", " : ")]),
    st.booleans(),
)
def test_reads_all_that_is_well_written(
    tmp_path_factory: pytest.TempPathFactory,
    rows: list[dict[str, object]],
    signs: tuple[str, str],
    ascii_only: bool,  # noqa: FBT001 - drawn by hypothesis
) -> None:
    path = tmp_path_factory.mktemp("lines") / "a.jsonl"
    written = [json.dumps(row, separators=signs, ensure_ascii=ascii_only) for row in rows]
    path.write_text("\n".join(written), encoding="utf-8")
    assert read_good_lines(path) == of_all_rows(path, {})
