"""The layouts that have columns, or sheets, for systems."""

from dataclasses import replace
from typing import Final, TypeAlias

from tests.front_door.cells import Pen
from tests.front_door.columns import case_columns, case_row
from tests.front_door.drawn import Asked, Dimension, Drawn
from tests.front_door.rows import Rows
from tests.front_door.written import Cell, Table

__all__ = ["grid", "labels_grid", "reviewers", "sheet_per_system", "two_row", "wide"]

Column: TypeAlias = tuple[str, str, list[Cell]]
"""Its header, the scale below it, its cells."""
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
    # Facts and scores of each answer follow: `ChatGPT Seconds`, `bleu_Gemini`.
    form = str(pen.rng.choice(("{system} {fact}", "{fact}_{system}", "{system}: {fact}")))
    facts = [pen.head("seconds")] if pen.plan.has("seconds") else []
    for system in study.systems:
        keys = [(case.case, system, 0) for case in study.cases]
        columns: list[list[Cell]] = [[study.answers[key].seconds for key in keys] for _ in facts]
        columns += [[study.scores.get((metric, key)) for key in keys] for metric in study.metrics]
        for fact, cells in zip([*facts, *study.metrics], columns, strict=True):
            head.append(form.format(system=system, fact=fact))
            for row, cell in zip(body, cells, strict=True):
                row.append(cell)
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
    answers: dict[str, list[Column]] = {
        system: [(name, "", [_answer(study, pen, case, system) for case in study.cases])]
        for system, name in heads.items()
    }
    labels = {system: _label_columns(study, pen, system, form) for system in study.systems}
    if pen.rng.random() < 0.7:
        columns = [column for one in study.systems for column in (*answers[one], *labels[one])]
    else:
        # First all answers, then all labels.
        columns = [column for one in study.systems for column in answers[one]]
        columns += [column for one in study.systems for column in labels[one]]
    front = case_columns(pen)
    head: list[Cell] = [*front, *(name for name, _, _ in columns)]
    scales: list[Cell] = [*[""] * len(front), *(scale for _, scale, _ in columns)]
    body: list[list[Cell]] = [
        [*case_row(case, pen), *(cells[row] for _, _, cells in columns)]
        for row, case in enumerate(study.cases)
    ]
    two = pen.plan.scale_place == "row" and any(scales)
    rows = [head, scales, *body] if two else [head, *body]
    return Rows([Table("grid", rows, heads=1 + two)], study)


def _label_columns(study: Drawn, pen: Pen, system: str, form: str) -> list[Column]:
    """Give a column for each dimension and rater, and for the raters' comments."""
    columns: list[Column] = []
    for dimension in study.dimensions:
        for rater in study.raters:
            name = form.format(system=system, dimension=dimension.name, rater=rater)
            cells = [_label(study, pen, rater, dimension, one.case, system) for one in study.cases]
            columns.append((pen.scaled(dimension, name), pen.range(dimension), cells))
    for rater in study.raters if pen.plan.has("comment") else ():
        name = form.format(system=system, dimension=pen.head("comment"), rater=rater)
        at = [(rater, (case.case, system, 0)) for case in study.cases]
        columns.append((name, "", [study.comments.get(one, "") for one in at]))
    return columns


def two_row(study: Drawn, pen: Pen) -> Rows:
    """The systems in a row of merged cells, below them what each column holds, in one row or two.

    With two rows the dimensions are merged as well, and the raters stand below them.
    """
    three = pen.plan.head_rows == "three"
    front = case_columns(pen)
    systems: list[Cell] = [""] * len(front)
    middle: list[Cell] = [""] * len(front)
    lowest: list[Cell] = list(front)
    body = [case_row(case, pen) for case in study.cases]
    merged: list[tuple[int, int, int]] = []
    forms = ("{dimension} {rater}", "{dimension} ({rater})", "{rater} {dimension}")
    form = str(pen.rng.choice(forms))
    for system in study.systems:
        start = len(systems) + 1
        systems.append(system)
        middle.append("")
        lowest.append(pen.head("answer"))
        for row, case in zip(body, study.cases, strict=True):
            row.append(_answer(study, pen, case, system))
        for dimension in study.dimensions:
            first = len(systems) + 1
            for place, rater in enumerate(study.raters):
                name = form.format(dimension=dimension.name, rater=rater)
                systems.append("")
                middle.append(pen.scaled(dimension, dimension.name) if not place else "")
                lowest.append(rater if three else pen.scaled(dimension, name))
                for row, case in zip(body, study.cases, strict=True):
                    row.append(_label(study, pen, rater, dimension, case.case, system))
            if three and len(study.raters) > 1:
                merged.append((2, first, len(systems)))
        if len(systems) > start:
            merged.append((1, start, len(systems)))
    heads = [systems, middle, lowest] if three else [systems, lowest]
    table = Table("grid", [*heads, *body], heads=len(heads), merged=tuple(merged))
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


def labels_grid(study: Drawn, pen: Pen) -> Table:
    """Labels alone: a row a case, a column a system, dimension and rater."""
    form = str(pen.rng.choice(_FORMS))
    head: list[Cell] = [pen.head("case")]
    body: list[list[Cell]] = [[case.case] for case in study.cases]
    for system in study.systems:
        for dimension in study.dimensions:
            for rater in study.raters:
                name = form.format(system=system, dimension=dimension.name, rater=rater)
                head.append(pen.scaled(dimension, name))
                for row, case in zip(body, study.cases, strict=True):
                    row.append(_label(study, pen, rater, dimension, case.case, system))
    return Table("ratings", [head, *body])


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
