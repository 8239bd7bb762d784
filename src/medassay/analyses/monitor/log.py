"""A log: one row for each question that a system in use was asked, with its answer and the day."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Final

from medassay.answers import Answer
from medassay.cases import Case
from medassay.errors import InvalidInput, Problem
from medassay.study.intake.tidy import read_tidy
from medassay.tables import Sheet, parse_json_cells, read_record

__all__ = ["Entry", "read_log"]

_OF_CASE: Final[tuple[str, ...]] = (
    "case",
    "question",
    "narrative",
    "evidence",
    "documents",
    "options",
)
_OF_ANSWER: Final[tuple[str, ...]] = (
    "system", "text", "statements", "retrieved", "reasoning", "choice", "confidence", "seconds",
    "cost", "ended",
)  # fmt: skip
_NESTED: Final = {
    "evidence": 'Write [{"id": "1", "text": "..."}].',
    "documents": 'Write [{"id": "1", "text": "..."}].',
    "options": 'Write {"A": "...", "B": "..."}.',
    "statements": 'Write [{"text": "...", "citations": ["1"]}], or plain text in "text".',
    "retrieved": 'Write [{"document": "..."}], the first one first.',
}
_TAG: Final = "tag."
_DAY: Final = re.compile(r"\d{4}-\d\d-\d\d")


@dataclass(frozen=True, slots=True)
class Entry:
    """One question that was asked, and the answer to it.

    Attributes:
        day: When, as 2026-03-01.
        case: What was asked.
        answer: What was answered.
    """

    day: str
    case: Case
    answer: Answer


def read_log(
    path: Path, columns: Mapping[str, str], systems: Sequence[str]
) -> tuple[list[Entry], list[str]]:
    """Read a log and check all of it.

    Columns: question, text or answer, and day or time, whose first ten signs are the day; where
    the log has neither, its file's name holds the day. Beside these case (an id; its place in
    the day if there is none), system, tag.NAME and what else cases and answers have.

    Args:
        path: The log.
        columns: Our name to theirs, where a column is called otherwise.
        systems: Those of the baseline.

    Returns:
        The entries, and what was not read.

    Raises:
        InvalidInput: Every problem of the log.
    """
    sheet = _with_text(read_tidy(path, columns))
    problems = [
        Problem(sheet.file, f'have a column "{name}"', "none", _hint(name, list(sheet.columns)))
        for name in ("question", "text")
        if name not in sheet.columns and not (name == "text" and "statements" in sheet.columns)
    ]
    named = _DAY.search(path.name)
    if not sheet.columns.keys() & {"day", "time"} and named is None:
        hint = "Or give the file the day's name, such as 2026-03-01.jsonl."
        problems.append(Problem(sheet.file, "have a column day or time", "neither", hint))
    system, problem = _one_system(sheet.columns.get("system", []), systems, sheet.file)
    problems += problem
    if problems:
        raise InvalidInput(problems)
    entries = []
    seen: dict[tuple[str, str], int] = {}
    of_day: Counter[str] = Counter()
    for row, raw in sheet.records():
        cells = parse_json_cells(raw, _NESTED, file=sheet.file, row=row, problems=problems)
        written = str(cells.get("day") or cells.get("time") or (named[0] if named else ""))
        day = _day(written)
        if not day:
            must = "begin with a day as 2026-03-01"
            column = "day" if "day" in cells else "time"
            problems.append(Problem(sheet.file, must, f'"{written}"', row=row, column=column))
            continue
        of_day[day] += 1
        of_case = {"case": str(of_day[day]), **{k: cells[k] for k in _OF_CASE if k in cells}}
        of_case["tags"] = {k.removeprefix(_TAG): v for k, v in cells.items() if k.startswith(_TAG)}
        case = read_record(Case, of_case, file=sheet.file, row=row, problems=problems)
        told = {k: cells[k] for k in _OF_ANSWER if k in cells} | {"system": system}
        if "statements" not in told:
            told.setdefault("text", "")
        told["case"] = of_case["case"]
        answer = read_record(Answer, told, file=sheet.file, row=row, problems=problems)
        if case is None or answer is None:
            continue
        earlier = seen.setdefault((day, case.case), row)
        if earlier != row:
            got = f'"{case.case}" again on {day}, as in row {earlier}'
            hint = "Leave the column out where ids are not of single answers."
            problems.append(Problem(sheet.file, "name each answer once", got, hint, row, "case"))
        entries.append(Entry(day, case, answer))
    if not len(sheet):
        problems.append(Problem(sheet.file, "hold at least one row", "none"))
    if problems:
        raise InvalidInput(problems)
    known = {*_OF_CASE, *_OF_ANSWER, "day", "time"}
    unread = [name for name in sheet.columns if name not in known and not name.startswith(_TAG)]
    notes = [str(note) for note in sheet.notes]
    return entries, [*notes, *([f"not read: {', '.join(unread)}"] if unread else [])]


def _with_text(sheet: Sheet) -> Sheet:
    """Take a column `answer` for the text, as `import` does, where there is no other."""
    if "answer" not in sheet.columns or {"text", "statements"} & sheet.columns.keys():
        return sheet
    named = {"text" if name == "answer" else name: of for name, of in sheet.columns.items()}
    return replace(sheet, columns=named)


def _hint(name: str, there: Sequence[str]) -> str:
    return f"Say which it is: --column {name}=THEIRS; the log has {', '.join(there)}."


def _day(written: str) -> str:
    try:
        return date.fromisoformat(written[:10]).isoformat()
    except ValueError:
        return ""


def _one_system(
    cells: Sequence[object], systems: Sequence[str], file: str
) -> tuple[str, list[Problem]]:
    """Find whose answers the log holds: it is of one system, and the baseline has its like."""
    named = sorted({str(cell) for cell in cells if cell is not None})
    if len(named) > 1:
        got = f"{len(named)}: {', '.join(named[:5])}"
        hint = "Give a log for each system, each with a folder of its own (--out)."
        return "", [Problem(file, "be of one system", got, hint, column="system")]
    if named and (named[0] in systems or len(systems) == 1):
        return named[0], []
    if not named and len(systems) == 1:
        return systems[0], []
    must, got = (
        "say which system of the baseline it is beside",
        f'"{named[0]}"' if named else "none",
    )
    hint = f"Add a column system with one of: {', '.join(systems)}."
    return "", [Problem(file, must, got, hint, column="system")]
