"""A format is known by what its files hold; where that leaves a doubt, the user is asked."""

from pathlib import Path

import pytest
from tests.exchange.samples import EXAMPLES, SHIPPED, WRITTEN

from medassay.exchange.registry import formats, recognise

EXACT = {"arena", "healthbench", "helm", "ragas"}
"""Tools whose columns are read by their exact names."""


@pytest.mark.parametrize("name", SHIPPED)
def test_what_other_tools_wrote_is_known(name: str) -> None:
    assert [one.id for one in recognise([EXAMPLES / name])] == [SHIPPED[name]]


@pytest.mark.parametrize("name", WRITTEN)
def test_what_people_write_is_known(tmp_path: Path, name: str) -> None:
    file, content = WRITTEN[name]
    (tmp_path / file).write_text(content, encoding="utf-8")
    assert [one.id for one in recognise([tmp_path / file])] == [name]


@pytest.mark.parametrize(
    "name", [name for name, of in SHIPPED.items() if name.endswith(".csv") and of in EXACT]
)
def test_a_tool_of_exact_names_leaves_other_capitals_to_the_spreadsheet(
    name: str, tmp_path: Path
) -> None:
    header, line, rest = (EXAMPLES / name).read_text(encoding="utf-8").partition("\n")
    (tmp_path / "table.csv").write_text(header.title() + line + rest, encoding="utf-8")
    assert SHIPPED[name] not in [one.id for one in recognise([tmp_path / "table.csv"])]


def test_every_format_that_is_read_is_known_by_some_file() -> None:
    assert {one.id for one in formats("--from")} == {*SHIPPED.values(), *WRITTEN}


@pytest.mark.parametrize(
    "content",
    ["", "no table at all\n", "\ufeff\n", "a,b\n1,2\n", "{", "[]", "null", "[[1]]", "\x00\x01"],
)
@pytest.mark.parametrize("ending", [".csv", ".json", ".jsonl", ".txt", ".parquet", ".xlsx", ""])
def test_a_file_of_no_format_is_none_and_raises_nothing(
    tmp_path: Path, content: str, ending: str
) -> None:
    file = tmp_path / f"file{ending}"
    file.write_text(content, encoding="utf-8")
    assert recognise([file]) == ()


def test_files_of_two_formats_are_of_none_together(tmp_path: Path) -> None:
    files = []
    for name, content in WRITTEN.values():
        (tmp_path / name).write_text(content, encoding="utf-8")
        files.append(tmp_path / name)
    assert recognise(files) == ()
    assert recognise([]) == ()
