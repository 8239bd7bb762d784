"""The layouts that have columns, or sheets, for systems."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from tests.front_door.cells import Pen
from tests.front_door.columns import case_columns, case_row
from tests.front_door.drawn import Asked, Dimension, Drawn
from tests.front_door.rows import Rows
from tests.front_door.written import Cell, Table

__all__ = ["grid", "reviewers", "sheet_per_system", "two_row", "wide"]

_FORMS: Final = (
    "{system} {dimension} ({rater})", "{system} {dimension} {rater}",
    "{system} - {dimension} - {rater}", "{rater}: {system} {dimension}",
    "{dimension}_{system}_{rater}", "{system}_{dimension}_{rater}",
    "{dimension} {system} ({rater})",
)  # fmt: skip
_ANSWER_FORMS: Final = ("{system}", "{system}", "{system} {answer}", "{answer} {system}",
                        "{answer} ({system})")  # fmt: skip


def _answer_heads(study: Drawn, pen: Pen) -> dict[str, str]:
    form = str(pen.rng.choice(_ANSWER_FORMS))
    word = pen.head("answer")
    return {name: form.format(system=name, answer=word) for name in study.systems}


def _answer(study: Drawn, pen: Pen, case: Asked, system: str) -> Cell:
    text = study.answers[case.case, system, 0].text
    return int(text) if text is not None and pen.plan.texts == "numbers" else text


def _label(
    study: Drawn, pen: Pen, rater: str, dimension: Dimension, case: str, system: str
) -> Cell:
    key = (case, system, 0)
    value = study.ratings.get((rater, dimension.name, key))
    if value is None and study.answers[key].text is None:
        return ""
    return pen.label(dimension, value)


def wide(study: Drawn, pen: Pen) -> Rows:
    """A row a question, a column a system."""
    heads = _answer_heads(study, pen)
    head: list[Cell] = [*case_columns(pen), *heads.values()]
    body = [
        [*case_row(case, pen), *(_answer(study, pen, case, name) for name in study.systems)]
        for case in study.cases
    ]
    bare = any(heads[name] == name for name in study.systems)
    why = []
    if bare and pen.plan.texts == "numbers":
        why.append("numbers under the systems' names may be answers or scores")
    if bare and len(study.systems) == 1:
        why.append("nothing says that the one column of texts holds answers")
    shown = replace(study, comments={})
    return Rows([Table("answers_wide", [head, *body])], shown, unsettled=tuple(why))


def grid(study: Drawn, pen: Pen) -> Rows:
    """A row a question; for each system its answer, and a column a dimension and rater."""
    heads = _answer_heads(study, pen)
    form = str(pen.rng.choice(_FORMS))
    together = bool(pen.rng.random() < 0.7)
    head: list[Cell] = case_columns(pen)
    scales: list[Cell] = [""] * len(head)
    body = [case_row(case, pen) for case in study.cases]

    def add(name: Cell, scale: str, cells: Sequence[Cell]) -> None:
        head.append(name)
        scales.append(scale)
        for row, cell in zip(body, cells, strict=True):
            row.append(cell)

    def add_answer(system: str) -> None:
        add(heads[system], "", [_answer(study, pen, case, system) for case in study.cases])

    def add_labels(system: str) -> None:
        for dimension in study.dimensions:
            for rater in study.raters:
                name = form.format(system=system, dimension=dimension.name, rater=rater)
                cells = [
                    _label(study, pen, rater, dimension, case.case, system) for case in study.cases
                ]
                add(pen.scaled(dimension, name), pen.range(dimension), cells)

    for system in study.systems:
        add_answer(system)
        if together:
            add_labels(system)
    for system in () if together else study.systems:
        add_labels(system)
    rows = pen.plan.scale_place == "row" and any(scales)
    heads_of = [head, scales] if rows else [head]
    table = Table("grid", [*heads_of, *body], heads=len(heads_of))
    return Rows([table], replace(study, comments={}))


def two_row(study: Drawn, pen: Pen) -> Rows:
    """The systems in a row of merged cells, and below them what each column holds."""
    front = case_columns(pen)
    upper: list[Cell] = [""] * len(front)
    lower: list[Cell] = list(front)
    body = [case_row(case, pen) for case in study.cases]
    merged: list[tuple[int, int, int]] = []
    form = str(
        pen.rng.choice(("{dimension} {rater}", "{dimension} ({rater})", "{rater} {dimension}"))
    )
    for system in study.systems:
        start = len(upper) + 1
        upper.append(system)
        lower.append(pen.head("answer"))
        for row, case in zip(body, study.cases, strict=True):
            row.append(_answer(study, pen, case, system))
        for dimension in study.dimensions:
            for rater in study.raters:
                upper.append("")
                name = form.format(dimension=dimension.name, rater=rater)
                lower.append(pen.scaled(dimension, name))
                for row, case in zip(body, study.cases, strict=True):
                    row.append(_label(study, pen, rater, dimension, case.case, system))
        if len(upper) > start:
            merged.append((1, start, len(upper)))
    table = Table("grid", [upper, lower, *body], heads=2, merged=tuple(merged))
    return Rows([table], replace(study, comments={}))


def sheet_per_system(study: Drawn, pen: Pen) -> Rows:
    """A sheet for each system: question, answer, and a column a dimension and rater."""
    form = str(
        pen.rng.choice(("{dimension} {rater}", "{dimension} ({rater})", "{rater} {dimension}"))
    )
    tables = []
    for system in study.systems:
        head: list[Cell] = [*case_columns(pen), pen.head("answer")]
        pairs = [(dimension, rater) for dimension in study.dimensions for rater in study.raters]
        for dimension, rater in pairs:
            name = form.format(dimension=dimension.name, rater=rater)
            head.append(pen.scaled(dimension, name))
        body = [
            [
                *case_row(case, pen),
                _answer(study, pen, case, system),
                *(_label(study, pen, rater, one, case.case, system) for one, rater in pairs),
            ]
            for case in study.cases
        ]
        tables.append(Table(system.replace(":", " "), [head, *body]))
    return Rows(tables, replace(study, comments={}))


def reviewers(study: Drawn, pen: Pen) -> Rows:
    """A column of numbers for each reviewer; what they rated stands nowhere."""
    one = replace(study, systems=study.systems[:1])
    system, dimension = one.systems[0], one.dimensions[0]
    heads = _answer_heads(one, pen)
    head: list[Cell] = [*case_columns(pen), heads[system], *one.raters]
    body = [
        [
            *case_row(case, pen),
            _answer(one, pen, case, system),
            *(_label(one, pen, rater, dimension, case.case, system) for rater in one.raters),
        ]
        for case in one.cases
    ]
    shown = replace(
        one,
        answers={key: given for key, given in one.answers.items() if key[1] == system},
        ratings={at: value for at, value in one.ratings.items() if at[2][1] == system},
        comments={},
    )
    why = ("the reviewers' columns name no dimension",)
    return Rows([Table("reviewed", [head, *body])], shown, unsettled=why)
