"""`campaign erase` renames in tables of every form, or refuses before anything is erased."""

import csv
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest
from typer.testing import CliRunner
from xlsxwriter import Workbook

from medassay.cli import app
from medassay.errors import InvalidInput
from medassay.study import Study
from medassay.tables import csv_bytes

from .test_erased_name import NAME, places_of, used
from .test_own_words import medassay

__all__ = ["used"]
pytestmark = pytest.mark.web


def rows_of(table: Path) -> list[list[str]]:
    with table.open(newline="", encoding="utf-8") as text:
        return list(csv.reader(text))


def as_workbook(table: Path) -> None:
    with Workbook(table.with_suffix(".xlsx")) as book:
        page = book.add_worksheet()
        for number, cells in enumerate(rows_of(table)):
            page.write_row(number, 0, cells)
    table.unlink()


def as_parquet(table: Path) -> None:
    frame = pl.read_csv(table, infer_schema=False)
    frame.with_columns(pl.col("rater").cast(pl.Categorical)).write_parquet(
        table.with_suffix(".parquet")
    )
    table.unlink()


def as_utf16(table: Path) -> None:
    table.write_bytes(table.read_text(encoding="utf-8").encode("utf-16"))


@pytest.mark.parametrize("form", [as_workbook, as_utf16])
def test_a_table_that_would_keep_the_name_is_named_and_nothing_is_erased(
    used: Path, form: Callable[[Path], None]
) -> None:
    form(used / "judgements.csv")
    before = places_of(used, NAME)
    done = CliRunner().invoke(app, ["campaign", "erase", str(used), NAME])
    assert isinstance(done.exception, InvalidInput), done.output
    words = str(done.exception)
    assert "judgements." in words
    assert f"so that {NAME} can be renamed in it" in words
    assert "Nothing was erased." in words
    assert places_of(used, NAME) == before


def test_a_table_of_another_form_without_the_name_is_no_hindrance(used: Path) -> None:
    table, settings = used / "judgements.csv", used / "study.toml"
    kept = [row for row in rows_of(table) if NAME not in row]
    table.write_bytes(csv_bytes(kept[0], kept[1:]))
    as_workbook(table)
    settings.write_text(settings.read_text("utf-8").partition("[[corrections]]")[0], "utf-8")
    medassay("erase", used, NAME)
    # The other campaign is of somebody whose name begins alike.
    assert [path for path in places_of(used, NAME) if not path.startswith("campaigns/b/")] == []


def test_the_name_is_rewritten_in_parquet_and_nothing_else_is(used: Path) -> None:
    as_parquet(used / "judgements.csv")
    before = pl.read_parquet(used / "judgements.parquet")
    assert "judgements.parquet" in medassay("erase", used, NAME)
    after = pl.read_parquet(used / "judgements.parquet")
    assert after.drop("rater").equals(before.drop("rater"))
    named = zip(before["rater"], after["rater"], strict=True)
    assert all(new.startswith("erased-") if old == NAME else new == old for old, new in named)
    assert NAME in before["rater"].to_list()
    assert not Study.open_whole(used).judgements_on_file.frame.is_empty()


def test_a_file_as_it_was_imported_is_named(used: Path) -> None:
    (used / "original").mkdir()
    (used / "original" / "labels.csv").write_text(f"name,score\n{NAME},3\n", encoding="utf-8")
    (used / "original" / "other.csv").write_text(f"name\n{NAME}-x\n", encoding="utf-8")
    words = " ".join(medassay("erase", used, NAME).split())
    assert f"Imported files still hold {NAME}, as they came: original/labels.csv" in words
