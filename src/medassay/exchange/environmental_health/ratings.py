"""The experts' ratings of a panel, as judgements; and who the experts are."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from medassay.errors import InvalidInput, Problem, nearest
from medassay.exchange.environmental_health.rows import EXPERTS, level_of, names_no_query
from medassay.judgements import Judgements, Raters, Rubric
from medassay.tables import Sheet

__all__ = ["experts_of", "rated_queries", "ratings_of", "refuse_third_party"]

_DIMENSIONS: Final[Mapping[str, str]] = {
    "factuality": "factuality",
    "interpretability": "interpretability",
    "expert_confidence": "expert-confidence",
}
"""The protocol's column to our dimension."""
_LABEL: Final = "relevance"
_ROW: Final = ("position", "time", "seconds", "phase", "comment")
_POSITION: Final = "_position"
"""Behind a dimension's column: where in the expert's own order this question was answered."""


def rated_queries(sheets: Sequence[Sheet]) -> set[str]:
    """Give the queries that experts rated."""
    return {case for sheet in sheets for case in _cases(sheet) if case is not None}


def ratings_of(
    sheets: Sequence[Sheet],
    system: str,
    asked: Sequence[str],
    rubric: Rubric,
    problems: list[Problem],
) -> list[Judgements]:
    """Make a judgement of every rating; an empty cell is none.

    Args:
        sheets: Tables of ratings.
        system: What the system is called.
        asked: The queries.
        rubric: The dimensions.
        problems: Where everything that is wrong is added, by the group's own columns.
    """
    by_sheet = []
    _refuse_second_ratings(sheets, problems)
    for sheet in sheets:
        if names_no_query(sheet, problems):
            continue
        cases = _cases(sheet)
        for row, case in zip(sheet.rows, cases, strict=True):
            if case is None:
                column = "scenario_id"
                problems.append(
                    Problem(sheet.file, "name its scenario", "nothing", "", row, column)
                )
            elif case not in asked:
                must, hint = "be a query that was asked", nearest(case, asked)
                problems.append(Problem(sheet.file, must, f'"{case}"', hint, row, "scenario_id"))
        for column, dimension in _DIMENSIONS.items():
            if column not in sheet.columns:
                continue
            rows = _judgements(sheet, column, dimension, system, cases)
            try:
                if len(rows):
                    by_sheet.append(Judgements.from_sheet(rows, rubric))
            except InvalidInput as error:
                theirs = {"label": column, "rater": "expert_id", "case": "scenario_id"}
                problems += [
                    replace(problem, column=theirs.get(problem.column or "", problem.column))
                    for problem in error.problems
                ]
    return by_sheet


def experts_of(sheets: Sequence[Sheet], problems: list[Problem]) -> list[Raters]:
    """Read who the experts are."""
    by_sheet = []
    for sheet in sheets:
        if {"scenario_id", "query_instance_id"} & set(sheet.columns):
            continue
        known = {name: cells for name, cells in sheet.columns.items() if name in EXPERTS}
        columns = {("rater" if name == "expert_id" else name): c for name, c in known.items()}
        try:
            by_sheet.append(Raters.from_sheet(replace(sheet, columns=columns)))
        except InvalidInput as error:
            problems += error.problems
    return by_sheet


def refuse_third_party(
    sheets: Sequence[Sheet],
    experts: Sequence[Raters],
    files: Sequence[str],
    problems: list[Problem],
) -> None:
    """Name each expert who rated or labelled and is not among the experts, with the first row.

    Args:
        sheets: Tables of ratings, and of labels of documents.
        experts: Who the experts are; where nobody is listed nothing is refused.
        files: The tables that list them, as messages name them.
        problems: Where strangers are added.
    """
    listed = {rater.rater for table in experts for rater in table}
    first: dict[str, tuple[str, int]] = {}
    for sheet in sheets if listed else ():
        lines = (*_DIMENSIONS, _LABEL)
        rated = [sheet.columns[name] for name in lines if name in sheet.columns]
        for i, cell in enumerate(sheet.columns.get("expert_id", ())):
            if cell is not None and any(cells[i] is not None for cells in rated):
                first.setdefault(str(cell), (sheet.file, sheet.rows[i]))
    there = " or ".join(files)
    for name, (file, row) in first.items():
        if name not in listed:
            meant = nearest(name, listed)
            add = f"dd a row for {name} to {there}."
            hint = f"{meant} If not, a{add}" if meant else f"A{add}"
            must = f"be an expert of {there}"
            problems.append(Problem(file, must, f'"{name}"', hint, row, "expert_id"))


def _cases(sheet: Sheet) -> list[str | None]:
    """Give the query that each row rates: the wording where one is named, else the scenario."""
    nothing: list[object] = [None] * len(sheet)
    wordings = sheet.columns.get("query_instance_id", nothing)
    scenarios = sheet.columns.get("scenario_id", nothing)
    return [
        None if (words := wording or scenario) is None else str(words)
        for wording, scenario in zip(wordings, scenarios, strict=True)
    ]


def _refuse_second_ratings(sheets: Sequence[Sheet], problems: list[Problem]) -> None:
    """Name each row that rates again what the same expert rated; a phase tells repeats apart."""
    first: dict[tuple[object, ...], str] = {}
    for sheet in sheets:
        again: dict[int, str] = {}
        for column in _DIMENSIONS:
            cells = sheet.columns.get(column, ())
            for i, case in enumerate(_cases(sheet) if cells else ()):
                if case is None or cells[i] is None:
                    continue
                phase = sheet.columns["phase"][i] if "phase" in sheet.columns else None
                key = (sheet.columns["expert_id"][i], case, column, phase)
                here = f"{sheet.file}, row {sheet.rows[i]}"
                if first.setdefault(key, here) != here:
                    again.setdefault(i, f"{key[0]}'s rating of {case} again, after {first[key]}")
        must, hint = "hold one rating of a query by an expert", "Keep the one that holds."
        problems += [
            Problem(sheet.file, must, got, hint, sheet.rows[i], "expert_id")
            for i, got in again.items()
        ]


def _judgements(
    sheet: Sheet, column: str, dimension: str, system: str, cases: Sequence[str | None]
) -> Sheet:
    cells = sheet.columns[column]
    places = [i for i in range(len(sheet)) if cells[i] is not None and cases[i] is not None]
    columns: dict[str, list[object]] = {
        "rater": [sheet.columns["expert_id"][i] for i in places],
        "rater_kind": ["person"] * len(places),
        "system": [system] * len(places),
        "case": [cases[i] for i in places],
        "dimension": [dimension] * len(places),
        "label": [_label(cells[i]) for i in places],
    }
    columns |= {
        name: [sheet.columns[name][i] for i in places] for name in _ROW if name in sheet.columns
    }
    own = sheet.columns.get(f"{column}{_POSITION}")
    if own is not None:
        columns["position"] = [own[i] for i in places]
    rows = [sheet.rows[i] for i in places]
    return Sheet(sheet.file, rows, columns, empty_is_none=sheet.empty_is_none)


def _label(cell: object) -> str:
    """Write a number without its fraction, and a level with its capital."""
    level = level_of(cell)
    if level is not None:
        return level
    whole, point, rest = str(cell).partition(".")
    return whole if point and not rest.strip("0") else str(cell)
