"""Whatever lists a judgement's columns lists all of them."""

import re
from pathlib import Path

import pytest

from medassay.judgements import Judgements

ROOT = Path(__file__).parents[2]
PAGES = sorted(
    path
    for folder in ("docs", "examples", "src/medassay/data")
    for path in (ROOT / folder).rglob("*.md")
)
COLUMNS = set(Judgements.schema())
SIGN = {"rater", "dimension", "label"}
"""A table whose rows are called so is one of a judgement's columns."""


def row_names(page: str) -> list[set[str]]:
    """Give the words in code that begin the rows of each table of a page."""
    tables = re.findall(r"(?:^\|.*\n)+", page, re.MULTILINE)
    return [
        {word for row in table.splitlines() for word in re.findall(r"`(\w+)`", row.split("|")[1])}
        for table in tables
    ]


def test_every_table_of_a_judgements_columns_is_whole() -> None:
    tables = {
        path.relative_to(ROOT).as_posix(): names
        for path in PAGES
        for names in row_names(path.read_text(encoding="utf-8"))
        if names >= SIGN
    }
    assert "src/medassay/data/templates/README.md" in tables
    assert {page: COLUMNS - names for page, names in tables.items()} == {
        page: set() for page in tables
    }


@pytest.mark.parametrize("column", sorted(COLUMNS))
def test_what_the_library_says_of_judgements_names_each_column(column: str) -> None:
    assert re.search(rf"\b{column}\b", Judgements.__doc__ or "")
