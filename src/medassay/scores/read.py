"""Anyone's column of scores, read as a metric."""

import math

from medassay.errors import InvalidInput, Problem, nearest
from medassay.scores.names import Name
from medassay.scores.score import Reason, Score, Unscored
from medassay.scores.table import ScoreTable
from medassay.tables import Sheet, check_columns, number_hint

__all__ = ["scores_from_sheet"]

_IDS = ("system", "case")
_REQUIRED = (*_IDS, "value")
_KNOWN = (*_REQUIRED, "source", "reason", "detail")


def scores_from_sheet(sheet: Sheet, source: str | None = None) -> ScoreTable:
    """Read a sheet with the columns system, case, value and, optionally, source, reason, detail.

    An empty value without a reason is a score that is not in the file, and stays one.

    Args:
        sheet: One row a score.
        source: The metric's name, where the sheet has no column `source`.

    Raises:
        InvalidInput: Every problem of the sheet, with row and column.

    Example:
        >>> sheet = Sheet("mine.csv", [2, 3], {"system": ["A", "A"], "case": ["1", "2"],
        ...                                    "value": ["0.5", None]})
        >>> table = scores_from_sheet(sheet, source="mine")
        >>> table.frame.select("case", "value", "reason").rows()
        [('1', 0.5, None), ('2', None, 'not_imported')]
    """
    problems: list[Problem] = []
    required = _REQUIRED if source else (*_REQUIRED, "source")
    sheet = check_columns(sheet, _KNOWN, required, problems)
    if not len(sheet):
        problems.append(Problem(sheet.file, "hold at least one score", "none"))
    rows: list[tuple[str, str, str, Score | Unscored]] = []
    seen: dict[tuple[str, str, str], int] = {}
    for number, cells in sheet.records():
        system, case = (_id(cells, column, sheet.file, number, problems) for column in _IDS)
        of = _source(cells, source, sheet.file, number, problems)
        if (system, case, of) in seen:
            got = f'"{system}" and "{case}" again, as in row {seen[system, case, of]}'
            must = "hold one score for a system and case"
            problems.append(Problem(sheet.file, must, got, "", number))
        seen.setdefault((system, case, of), number)
        score = _score(cells, sheet.file, number, problems)
        if score is not None:
            rows.append((system, case, of, score))
    if problems:
        raise InvalidInput(problems)
    return ScoreTable.from_rows(rows)


def _id(cells: dict[str, object], column: str, file: str, row: int, problems: list[Problem]) -> str:
    cell = cells.get(column)
    if isinstance(cell, str) and cell.strip():
        return cell.strip()
    if isinstance(cell, int) and not isinstance(cell, bool):
        return str(cell)
    got = "nothing" if cell is None or isinstance(cell, str) else repr(cell)
    hint = "" if got == "nothing" else "Ids are text, or whole numbers that become text."
    problems.append(Problem(file, "be text or a whole number", got, hint, row, column))
    return ""


def _source(
    cells: dict[str, object],
    otherwise: str | None,
    file: str,
    row: int,
    problems: list[Problem],
) -> str:
    """Give the source in its canonical form."""
    text = str(cells.get("source", otherwise or "")).strip()
    try:
        return str(Name.parse(text))
    except InvalidInput as error:
        problems += [
            Problem(file, problem.must, problem.got, problem.try_, row, "source")
            for problem in error.problems
        ]
        return text


def _score(
    cells: dict[str, object], file: str, row: int, problems: list[Problem]
) -> Score | Unscored | None:
    raw, reason = cells.get("value"), str(cells.get("reason") or "").strip()
    if raw is None:
        try:
            return Unscored(Reason(reason or "not_imported"), str(cells.get("detail") or ""))
        except ValueError:
            known = [str(code) for code in Reason]
            must, hint = f"be one of {', '.join(known)}", nearest(reason, known)
            problems.append(Problem(file, must, f'"{reason}"', hint, row, "reason"))
            return None
    if reason:
        must = "have a value or a reason, not both"
        problems.append(Problem(file, must, "both", "", row, "reason"))
        return None
    try:
        value = float(str(raw).strip())
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        hint = number_hint(str(raw)) or "Leave the cell empty where there is no score."
        problems.append(Problem(file, "be a finite number", f'"{raw}"', hint, row, "value"))
        return None
    return Score(value)
