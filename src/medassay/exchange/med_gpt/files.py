"""The results file of the med-gpt protocol: a row for each answer, with scores beside it."""

import ast
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from medassay.errors import InvalidInput, Problem, nearest
from medassay.tables import Sheet, finite, parse_widely, read_sheet, with_points

__all__ = ["Chunk", "read_chunks", "read_med_gpt"]

_REQUIRED: Final = ("question", "answer", "model")
_SHORT: Final = (
    "question", "model", "relevance_score", "faithfulness_score", "human_score", "rater",
)  # fmt: skip
_SEPARATORS: Final = {
    "|||": re.compile(r"\s*\|\|\|\s*"),
    "||": re.compile(r"\s*\|\|\s*"),
    "a line of dashes": re.compile(r"\s*\n[ \t]*-{3,}[ \t]*\n\s*"),
    "an empty line": re.compile(r"\s*\n[ \t]*\n\s*"),
}
"""What parts chunks of running text; the first that occurs does."""
_LISTED: Final = re.compile(r"\[\s*(?:[\"'{]|[bru]+[\"']|\])")
_TEXT: Final = ("text", "content", "page_content", "chunk")
_ID: Final = ("id", "doc_id", "chunk_id", "document")


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece of text that a system retrieved.

    Attributes:
        text: What it says.
        name: The name that the file gives it; empty for none.
        score: The score that the file gives it.
    """

    text: str
    name: str = ""
    score: float | None = None


def read_med_gpt(paths: Sequence[Path]) -> list[Sheet]:
    r"""Read results files: question, answer, model, and whatever stands beside.

    Headers are read however their letters are written; blanks around scores and names are dropped.

    Args:
        paths: The files (.csv, .tsv, .xlsx, .jsonl, .parquet); a workbook is known by content.

    Raises:
        InvalidInput: A file cannot be read, or lacks a column; every one named.

    Example:
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     file = Path(folder) / "results.csv"
        ...     _ = file.write_text("Question,Answer,Model,human_score\nWhy?,So.,phi,4\n", "utf-8")
        ...     [sheet] = read_med_gpt([file])
        >>> list(sheet.columns)
        ['question', 'answer', 'model', 'human_score']
    """
    problems: list[Problem] = []
    sheets = []
    for path in paths:
        try:
            sheet = _named(read_sheet(path)).trimmed(_SHORT)
            sheet = with_points(sheet, [name for name in sheet.columns if _is_number(name)])
        except InvalidInput as error:
            problems += error.problems
            continue
        lacking = [name for name in _REQUIRED if name not in sheet.columns]
        for name in lacking:
            near = nearest(name, list(sheet.columns)) or f"It has {', '.join(sheet.columns)}."
            problems.append(
                Problem(sheet.file, f"have a column {name}", "none", near, sheet.header)
            )
        if not lacking and not len(sheet):
            problems.append(Problem(sheet.file, "hold an answer", "no row"))
        sheets.append(sheet)
    if problems:
        raise InvalidInput(problems)
    return sheets


def read_chunks(cell: object) -> tuple[tuple[Chunk, ...], str]:
    """Read what was retrieved for one answer, and say in which form it was written.

    A JSON list and a list as Python prints it hold texts, or objects with a text, an id and a
    score. Anything else is running text, parted by the first of |||, ||, a line of dashes and an
    empty line that occurs in it.

    Raises:
        ValueError: It begins as a list and is none; the message says what is wrong.

    Example:
        >>> chunks, form = read_chunks("['Rest.', 'Drink.']")
        >>> [chunk.text for chunk in chunks], form
        (['Rest.', 'Drink.'], 'a list as Python prints it')
        >>> read_chunks("Rest. ||| Drink.")[1]
        'text parted by |||'
    """
    if not isinstance(cell, str):
        if not isinstance(cell, list | tuple):
            raise ValueError(f"{cell!r}")  # noqa: TRY004 - what the cell holds is wrong, not the call
        return tuple(map(_chunk, cell)), "a list"
    text = cell.strip()
    if _LISTED.match(text):
        return _list_of(text)
    for name, separator in _SEPARATORS.items():
        if separator.search(text):
            pieces = [piece for piece in separator.split(text) if piece.strip()]
            return tuple(Chunk(piece.strip()) for piece in pieces), f"text parted by {name}"
    return (Chunk(text),), "one text"


def _is_number(column: str) -> bool:
    return column == "position" or "_score" in column


def _named(sheet: Sheet) -> Sheet:
    named: dict[str, list[object]] = {}
    for name, cells in sheet.columns.items():
        ours = name.strip().lower().replace(" ", "_")
        if ours in named:
            got = f'"{ours}" twice'
            raise InvalidInput(Problem(sheet.file, "name each column once", got, "", sheet.header))
        named[ours] = cells
    return replace(sheet, columns=named)


def _list_of(text: str) -> tuple[tuple[Chunk, ...], str]:
    form = "a JSON list"
    try:
        chunks: Any = parse_widely(text)
    except (ValueError, RecursionError):
        form = "a list as Python prints it"
        try:
            chunks = ast.literal_eval(text)
            # Half of a surrogate pair is no character.
            json.dumps(chunks, ensure_ascii=False, default=str).encode()
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            raise ValueError("the beginning of a list that is none") from None
    return tuple(map(_chunk, chunks)), form


def _chunk(item: object) -> Chunk:
    if isinstance(item, str):
        return Chunk(item.strip())
    if isinstance(item, dict):
        text = next((item[key] for key in _TEXT if isinstance(item.get(key), str)), None)
        name = next((item[key] for key in _ID if isinstance(item.get(key), str | int)), "")
        score = item.get("score")
        known = isinstance(score, int | float) and not isinstance(score, bool)
        if text is not None:
            return Chunk(text.strip(), str(name), finite(score) if known else None)  # type: ignore[arg-type] # `known` says that it is a number
    raise ValueError(f"a list that holds {json.dumps(item, default=str)[:60]}")
