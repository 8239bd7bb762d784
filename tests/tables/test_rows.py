from pathlib import Path

import pytest

from medassay.errors import InvalidInput, Problem
from medassay.tables import parse_json_cells, read_sheet, write_rows

ROWS: list[dict[str, object]] = [
    {"case": "01", "list": [1, {"a": "é"}], "n": 0.1},
    {"case": "2", "text": 'a "b",\r\nc\rd'},
]


@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet"])
def test_rows_come_back(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"rows.{ending}"
    write_rows(path, ROWS)
    problems: list[Problem] = []
    found = []
    for row, cells in read_sheet(path).records():
        parsed = parse_json_cells(cells, {"list": ""}, file="f", row=row, problems=problems)
        if "n" in parsed:
            parsed["n"] = float(str(parsed["n"]))
        found.append(parsed)
    assert not problems
    assert found == ROWS


@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet"])
def test_the_same_rows_are_the_same_bytes(tmp_path: Path, ending: str) -> None:
    first, second = tmp_path / f"a.{ending}", tmp_path / f"b.{ending}"
    write_rows(first, ROWS)
    write_rows(second, ROWS)
    assert first.read_bytes() == second.read_bytes()


def test_an_unknown_ending_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="must end in one of"):
        write_rows(tmp_path / "rows.xls", ROWS)
