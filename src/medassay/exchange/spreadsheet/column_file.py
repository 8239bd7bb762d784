"""What somebody says of every column in a file, such as --explain prints: --column FILE."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from pydantic import BaseModel, ConfigDict

from medassay.errors import InvalidInput, Problem, nearest
from medassay.exchange.spreadsheet.columns import Layout, ReadColumn
from medassay.exchange.spreadsheet.wishes import Wish, wish_of
from medassay.exchange.spreadsheet.words import ROLES
from medassay.tables import file_bytes, read_json, read_sheet, read_toml

Place = tuple[str, str]
"""A table, empty for each that has it, and a column."""
EXPLAINED: Final = (
    "table", "column", "role", "second", "why", "cells", "filled", "distinct", "said",
)  # fmt: skip
"""What --explain says of a column; --column FILE reads table, column and role of it."""


_ENDINGS: Final = {".csv", ".tsv", ".xlsx", ".xls", ".ods", ".parquet", ".jsonl", ".json", ".toml"}


class _Columns(BaseModel):
    """A TOML file of columns and roles."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    columns: dict[str, str]


def word_of(column: ReadColumn) -> str:
    """Say what a column is, in the word that --column and its file take.

    Example:
        >>> word_of(ReadColumn("A (1-5)", "rating", "accuracy"))
        'rating.accuracy'
        >>> word_of(ReadColumn("Unit", "tag", "Unit"))
        'tag'
    """
    named = column.role in {"answer", "rating", "score", "tag"}
    return (
        f"{column.role}.{column.of}"
        if named and column.of not in {"", column.name}
        else column.role
    )


def is_column_file(word: str) -> bool:
    """Say whether a word behind --column names a file: it pairs nothing, and ends as one does.

    Example:
        >>> is_column_file("columns.csv"), is_column_file("answer=Reply.csv")
        (True, False)
    """
    return "=" not in word and Path(word).suffix.lower() in _ENDINGS


def read_column_file(path: Path, layouts: Sequence[Layout]) -> dict[Place, Wish]:
    """Read what a file says of columns; a row without a role says nothing.

    Args:
        path: A CSV or a workbook of the columns column and role, and table where several tables
            have a column of one name; a TOML file with [columns]; or what --explain --json prints.
        layouts: The tables.

    Raises:
        InvalidInput: Every row that names no column or no role, with the nearest one.
    """
    told: dict[Place, Wish] = {}
    problems: list[Problem] = []
    tables: dict[str, list[str]] = {}
    for layout in layouts:
        for column in layout.columns:
            tables.setdefault(column.name, []).append(layout.table.name)
    for row, said in _rows(path):
        table, name, word = (str(said.get(key) or "").strip() for key in EXPLAINED[:3])
        if not word:
            continue
        own = [known for known in tables.get(name, []) if table in {"", known}]
        wish = wish_of(word)
        if not own:
            must, got = "name a column of the files", f'"{name}"' + (f' of "{table}"' * bool(table))
            problems.append(Problem(path.name, must, got, nearest(name, tables), row, "column"))
        elif wish is None:
            hint = nearest(word, ROLES) or "For example answer, rating.accuracy, tag.unit or skip."
            problems.append(Problem(path.name, "name a role", f'"{word}"', hint, row, "role"))
        elif any(told.get((known, name), wish) != wish for known in own):
            got = f'another for "{name}"'
            problems.append(Problem(path.name, "say one role of a column", got, "", row, "role"))
        else:
            told |= {(known, name): wish for known in own}
    if problems:
        raise InvalidInput(problems)
    return told


def _rows(path: Path) -> list[tuple[int | None, Mapping[str, Any]]]:
    if path.suffix.lower() == ".toml":
        pairs = read_toml(_Columns, file_bytes(path, path.name), path.name).columns
        return [(None, {"column": name, "role": role}) for name, role in pairs.items()]
    if path.suffix.lower() == ".json":
        held = read_json(path, path.name)
        rows = held.get("columns") if isinstance(held, dict) else held
        if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
            must = "hold a list of columns, as --explain --json prints it"
            raise InvalidInput(Problem(path.name, must, type(rows).__name__))
        return [(None, row) for row in rows]
    sheet = read_sheet(path)
    lacking = [name for name in ("column", "role") if name not in sheet.columns]
    strange = [name for name in sheet.columns if name not in EXPLAINED]
    if lacking or strange:
        got = f"no {lacking[0]}" if lacking else f'"{strange[0]}", which nothing is read of'
        raise InvalidInput(Problem(path.name, "have the columns column and role", got))
    return list(sheet.records())


def held(
    told: Mapping[Place, Wish], read: Callable[[Mapping[Place, Wish]], Sequence[Layout]]
) -> tuple[Sequence[Layout], dict[Place, Wish]]:
    """Read tables until each column is what was said of it.

    What a reader finds by itself is left to it, since it may know more of a column than its role:
    who rated, and whose answer.

    Args:
        told: What was said of each column.
        read: Reads the tables, given what has to be said of columns.

    Returns:
        The tables as they are read then, and what had to be said.
    """
    wishes: dict[Place, Wish] = {}
    while True:
        layouts = read(wishes)
        open_ = {
            (layout.table.name, name)
            for layout in layouts
            for name in layout.table.sheet.columns
            if any(_is_about(question.answers, name) for question in layout.questions)
        }
        off = {
            (layout.table.name, column.name): wish
            for layout in layouts
            for column in layout.columns
            if (place := (layout.table.name, column.name)) not in wishes
            and (wish := told.get(place)) is not None
            and (place in open_ or not _is(column, wish))
        }
        if not off:
            return layouts, wishes
        wishes |= off


def _is_about(answers: Mapping[str, Sequence[str]], name: str) -> bool:
    return any(word.partition("=")[2] == name for words in answers.values() for word in words)


def _is(column: ReadColumn, wish: Wish) -> bool:
    return column.role == wish.role and wish.of in {"", column.of}
