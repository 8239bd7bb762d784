"""Columns that say what was asked and answered, the same in every layout."""

from tests.front_door.cells import Pen
from tests.front_door.drawn import Asked, Drawn, Key
from tests.front_door.written import Cell

__all__ = ["answer_columns", "case_columns", "case_row", "rows_of"]


def case_columns(pen: Pen) -> list[Cell]:
    """Name the columns of a case."""
    head: list[Cell] = [pen.head("case")] if pen.shows_ids else []
    head.append(pen.head("question"))
    head += [pen.head(role) for role in ("topic", "age", "reference") if pen.plan.has(role)]
    return head


def case_row(case: Asked, pen: Pen) -> list[Cell]:
    """Fill the columns of a case."""
    row: list[Cell] = []
    if pen.shows_ids:
        row.append(int(case.case) if case.case.isdigit() else case.case)
    row.append(pen.question(case.question))
    if pen.plan.has("topic"):
        row.append(case.tags["topic"])
    if pen.plan.has("age"):
        row.append(int(case.tags["age"]))
    if pen.plan.has("reference"):
        row.append(case.reference)
    return row


def answer_columns(study: Drawn, pen: Pen, *, system: bool = True) -> list[Cell]:
    """Name the columns of an answer."""
    head: list[Cell] = [pen.head("system")] if system else []
    head += [pen.head("sample")] if pen.plan.samples > 1 else []
    head.append(pen.head("answer"))
    known = ("choice", "contexts", "retrieved", "confidence", "seconds", "tokens", "cost")
    head += [pen.head(role) for role in known if pen.plan.has(role)]
    return [*head, *study.metrics]


def rows_of(study: Drawn, pen: Pen, key: Key, *, system: bool = True) -> list[Cell]:
    """Fill the columns of the case and the answer."""
    case = next(case for case in study.cases if case.case == key[0])
    given = study.answers[key]
    row = case_row(case, pen)
    row += [key[1]] if system else []
    row += [key[2] + 1] if pen.plan.samples > 1 else []
    row.append(_number_or_text(given.text, pen))
    cells: dict[str, Cell] = {
        "choice": given.choice,
        "contexts": pen.listed(given.contexts),
        "retrieved": pen.listed(given.retrieved),
        "confidence": pen.probability(given.confidence),
        "seconds": given.seconds,
        "tokens": given.tokens,
        "cost": given.cost,
    }
    row += [cell for role, cell in cells.items() if pen.plan.has(role)]
    return [*row, *(study.scores.get((metric, key)) for metric in study.metrics)]


def _number_or_text(text: str | None, pen: Pen) -> Cell:
    return int(text) if text is not None and pen.plan.texts == "numbers" else text
