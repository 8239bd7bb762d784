"""The layouts whose rows are answers or labels; `grids` holds those with columns for systems."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from tests.front_door.cells import Pen
from tests.front_door.columns import answer_columns, case_columns, case_row, rows_of
from tests.front_door.drawn import Drawn, Key
from tests.front_door.grids import grid, labels_grid, reviewers, sheet_per_system, two_row, wide
from tests.front_door.rows import Rows
from tests.front_door.written import Cell, Table

__all__ = ["LAYOUTS"]


def long(study: Drawn, pen: Pen) -> Rows:
    """A row for each answer and rater; a column for each dimension."""
    rows = [(key, rater) for rater in study.raters or ("",) for key in study.keys]
    return flat(study, pen, "long", rows)


def said(study: Drawn, rater: str, key: Key) -> bool:
    """Say whether a rater gave an answer any label."""
    return any((rater, dimension.name, key) in study.ratings for dimension in study.dimensions)


def flat(study: Drawn, pen: Pen, name: str, rows: Sequence[tuple[Key, str]]) -> Rows:
    """Lay out rows of an answer and a rater, with a column for each dimension."""
    place = pen.plan.rater_place
    named = {"rater": pen.head("rater")} if place == "column" and study.raters else {}
    head: list[Cell] = [
        *case_columns(pen),
        *answer_columns(study, pen),
        *named.values(),
        *(pen.scaled(dimension, dimension.name) for dimension in study.dimensions),
    ]
    commented = pen.plan.has("comment") and study.dimensions
    if commented:
        head.append(pen.head("comment"))
    body: list[list[Cell]] = []
    for key, rater in rows:
        line = [*rows_of(study, pen, key), *([rater] if named else [])]
        for dimension in study.dimensions:
            value = study.ratings.get((rater, dimension.name, key))
            line.append(
                pen.label(dimension, value) if value is not None else missing(study, pen, key)
            )
        if commented:
            line.append(study.comments.get((rater, key), ""))
        body.append(line)
    told = ("--rater", study.raters[0]) if place == "argument" and study.raters else ()
    heads = [head]
    if pen.plan.scale_place == "row" and any(pen.range(one) for one in study.dimensions):
        scales = {pen.scaled(one, one.name): pen.range(one) for one in study.dimensions}
        heads.append([scales.get(str(name), "") for name in head])
    table = Table(name, [*heads, *body], heads=len(heads))
    rated = {(rater, key) for rater, key in study.comments if (key, rater) in set(rows)}
    comments = {at: text for at, text in study.comments.items() if at in rated and commented}
    return Rows([table], replace(study, comments=comments), tuple(told))


def missing(study: Drawn, pen: Pen, key: Key) -> Cell:
    """Give what stands where no label is: nothing where there was no answer to rate."""
    return "" if study.answers[key].text is None else pen.blank()


def answers_long(study: Drawn, pen: Pen) -> Rows:
    """A row for each answer; a column for each rater and dimension."""
    pairs = [(rater, dimension) for dimension in study.dimensions for rater in study.raters]
    form = str(pen.rng.choice(RATED_BY))
    head: list[Cell] = [*case_columns(pen), *answer_columns(study, pen)]
    for rater, dimension in pairs:
        name = form.format(rater=rater, dimension=dimension.name)
        head.append(pen.scaled(dimension, name))
    body = []
    for key in study.keys:
        line = rows_of(study, pen, key)
        for rater, dimension in pairs:
            value = study.ratings.get((rater, dimension.name, key))
            line.append(
                pen.label(dimension, value) if value is not None else missing(study, pen, key)
            )
        body.append(line)
    return Rows([Table("answers", [head, *body])], replace(study, comments={}))


RATED_BY: Final = (
    "{rater} {dimension}", "{dimension} ({rater})", "{rater}: {dimension}", "{dimension} - {rater}",
    "{dimension}_{rater}",
)  # fmt: skip


def long_by_rating(study: Drawn, pen: Pen) -> Rows:
    """A row for each label; a column that names the dimension, or one dimension and none."""
    several = len(study.dimensions) > 1 or bool(pen.rng.random() < 0.4)
    head: list[Cell] = [*case_columns(pen), *answer_columns(study, pen), pen.head("rater")]
    if several:
        head.append(pen.head("dimension"))
    # Without a column for it the one dimension's name stands above its labels.
    head.append(pen.head("label") if several else
                pen.scaled(study.dimensions[0], study.dimensions[0].name))  # fmt: skip
    body: list[list[Cell]] = []
    for dimension in study.dimensions:
        for (rater, name, key), value in study.ratings.items():
            if name == dimension.name:
                line = [*rows_of(study, pen, key), rater]
                # The scale of each dimension stands beside its name.
                line += [pen.scaled(dimension, name)] if several else []
                body.append([*line, pen.label(dimension, value)])
    kept = replace(study, comments={})
    return Rows([Table("ratings", [head, *body])], only_rated(kept))


def only_rated(study: Drawn) -> Drawn:
    """Leave out answers that no row shows: those without any label."""
    rated = {key for _, _, key in study.ratings}
    answers = {key: given for key, given in study.answers.items() if key in rated}
    cases = tuple(case for case in study.cases if any(key[0] == case.case for key in answers))
    return replace(study, answers=answers, cases=cases)


def apart(study: Drawn, pen: Pen) -> Rows:
    """Ratings in a file apart, by the ids of cases; questions in one of their own at times."""
    ratings = by_id(study, pen) if pen.plan.apart_form != "by_rating" else by_label(study, pen)
    answers: list[list[Cell]] = [rows_of(study, pen, key) for key in study.keys]
    heads = [*case_columns(pen), *answer_columns(study, pen)]
    tables = [Table("answers", [heads, *answers])]
    if pen.plan.apart_form == "three_files":
        width = len(case_columns(pen))
        questions = [case_row(case, pen) for case in study.cases]
        bare = [[row[0], *row[width:]] for row in answers]
        tables = [
            Table("questions", [case_columns(pen), *questions]),
            Table("answers", [[heads[0], *heads[width:]], *bare]),
        ]
    return replace(ratings, tables=[*tables, *ratings.tables])


def by_label(study: Drawn, pen: Pen) -> Rows:
    """A table of labels alone, a row each; one dimension may go without a name."""
    several = len(study.dimensions) > 1
    head: list[Cell] = [pen.head("case"), pen.head("system")]
    head += [pen.head("sample")] if pen.plan.samples > 1 else []
    head += [pen.head("rater"), *([pen.head("dimension")] if several else []), pen.head("label")]
    body: list[list[Cell]] = []
    for (rater, name, key), value in study.ratings.items():
        dimension = next(one for one in study.dimensions if one.name == name)
        line: list[Cell] = [key[0], key[1], *([key[2] + 1] if pen.plan.samples > 1 else [])]
        line += [rater, *([pen.scaled(dimension, name)] if several else [])]
        body.append([*line, pen.label(dimension, value)])
    shown = replace(study, comments={})
    why = doubts_without_a_name(shown, pen) if not several else ()
    return Rows([Table("ratings", [head, *body])], shown, unsettled=why)


def doubts_without_a_name(study: Drawn, pen: Pen) -> tuple[str, ...]:
    """Say what a nameless dimension leaves open: its scale, and whether a yes is harm."""
    dimension = study.dimensions[0]
    if dimension.harm:
        return ("nothing says whether a yes is harm",)
    told = pen.plan.scale_place == "header" and not dimension.scale.words
    return ("the scale stands in a header that is not there",) if told else ()


def by_id(study: Drawn, pen: Pen) -> Rows:
    """A table of labels alone: id, system, run, rater, and a column for each dimension."""
    commented = pen.plan.has("comment")
    place = pen.plan.rater_place
    head: list[Cell] = [pen.head("case"), pen.head("system")]
    head += [pen.head("sample")] if pen.plan.samples > 1 else []
    head += [pen.head("rater")] if place == "column" else []
    head += [pen.scaled(dimension, dimension.name) for dimension in study.dimensions]
    head += [pen.head("comment")] if commented else []
    body: list[list[Cell]] = []
    comments: dict[tuple[str, Key], str] = {}
    for rater in study.raters:
        for key in study.keys:
            if not said(study, rater, key):
                continue
            case, system, sample = key
            line: list[Cell] = [int(case) if case.isdigit() else case, system]
            line += [sample + 1] if pen.plan.samples > 1 else []
            line += [rater] if place == "column" else []
            for dimension in study.dimensions:
                line.append(pen.label(dimension, study.ratings.get((rater, dimension.name, key))))
            if commented:
                line.append(study.comments.get((rater, key), ""))
                if (rater, key) in study.comments:
                    comments[rater, key] = study.comments[rater, key]
            body.append(line)
    told = ("--rater", study.raters[0]) if place == "argument" else ()
    return Rows([Table("ratings", [head, *body])], replace(study, comments=comments), told)


def ratings_alone(study: Drawn, pen: Pen) -> Rows:
    """Labels without the texts that they are of: a row an answer and rater, or a grid."""
    rows = by_id(study, pen)
    if pen.plan.alone_form == "form":
        shown = replace(study, comments={}, raters=tuple(rated_by(study)))
        rows = Rows([form_of(shown, pen)], shown)
    if pen.plan.alone_form == "grid":
        alike = pen.plan.systems == "letters" or pen.plan.raters in {"codes", "initials", "badges"}
        why = ("nothing tells the systems' names from the raters'",) if alike else ()
        rows = Rows([labels_grid(study, pen)], replace(study, comments={}), unsettled=why)
    bare = {key: replace(given, text=None) for key, given in rows.shown.answers.items()}
    shown = only_rated(replace(rows.shown, answers=bare))
    if pen.plan.alone_form == "grid":
        shown = replace(shown, cases=study.cases)  # a row that is empty but for its id names a case
    return replace(rows, shown=shown, texts=False)


def rated_by(study: Drawn) -> dict[str, None]:
    """Name those who gave a label."""
    return dict.fromkeys(rater for rater, _, _ in study.ratings)


def form_of(study: Drawn, pen: Pen) -> Table:
    """What a form exports: a row for each rater, a column for each case, system and dimension."""
    pairs = [(key, one) for key in study.keys for one in study.dimensions]
    head: list[Cell] = ["Timestamp", "Your name"]
    head += [f"{case} - {system} [{one.name}]" for (case, system, _), one in pairs]
    body: list[list[Cell]] = [
        [f"2024-03-{day:02d} 09:12:33", rater,
         *(pen.label(one, study.ratings.get((rater, one.name, key))) for key, one in pairs)]
        for day, rater in enumerate(study.raters, 1)
    ]  # fmt: skip
    return Table("responses", [head, *body])


def sheet_per_rater(study: Drawn, pen: Pen) -> Rows:
    """A sheet for each rater, named after them: a row an answer, a column a dimension."""
    tables = []
    for rater in study.raters:
        one = replace(study, raters=(rater,))
        head: list[Cell] = [*case_columns(pen), *answer_columns(study, pen)]
        head += [pen.scaled(dimension, dimension.name) for dimension in study.dimensions]
        body = []
        for key in study.keys:
            line = rows_of(one, pen, key)
            for dimension in study.dimensions:
                value = study.ratings.get((rater, dimension.name, key))
                line.append(
                    pen.label(dimension, value) if value is not None else missing(study, pen, key)
                )
            body.append(line)
        tables.append(Table(rater, [head, *body]))
    return Rows(tables, replace(study, comments={}))


def file_per_rater(study: Drawn, pen: Pen) -> Rows:
    """A file for each rater: whose it is stands in its name alone."""
    rows = sheet_per_rater(study, pen)
    tables = [replace(table, name=f"ratings {table.name}") for table in rows.tables]
    return replace(rows, tables=tables, unsettled=("the files' names alone tell who rated",))


def rag_log(study: Drawn, pen: Pen) -> Rows:
    """What an evaluation of a pipeline writes: questions, answers, contexts, scores of metrics."""
    named = len(study.systems) > 1 or study.systems != ("the one",)
    head: list[Cell] = [*case_columns(pen), *answer_columns(study, pen, system=named)]
    body = [rows_of(study, pen, key, system=named) for key in study.keys]
    return Rows([Table("rag_results", [head, *body])], study, named_systems=named)


def preferences(study: Drawn, pen: Pen) -> Rows:
    """Which of two answers each rater preferred: a column a rater, or a row a rater and case."""
    first, second = study.systems
    form = pen.plan.preference_form
    by_name = bool(pen.rng.random() < 0.5)
    cases = {case.case: case for case in study.cases}

    def word(winner: str) -> str:
        if winner == "tie" or by_name:
            return winner
        return "model_1" if winner == first else "model_2"

    if form == "columns":
        head: list[Cell] = [pen.head("case"), "model_1", "model_2"]
        head += [f"winner_{rater}" for rater in study.raters]
        body: list[list[Cell]] = [
            [name, first, second, *(word(study.preferences[one, name]) for one in study.raters)]
            for name in cases
        ]
    elif form == "beside":
        # The two answers side by side, under their systems' names.
        answer = pen.head("answer")
        head = [pen.head("case"), pen.head("question"), f"{answer} {first}", f"{answer} {second}"]
        head += [pen.head("rater"), pen.head("preference")]
        body = []
        for (rater, name), winner in study.preferences.items():
            pair = [study.answers[name, system, 0].text for system in study.systems]
            body.append([name, cases[name].question, *pair, rater, word(winner)])
    else:
        texts = form == "texts"
        head = [pen.head("case"), pen.head("question"), "model_1", "model_2"]
        head += ["response_1", "response_2"] if texts else []
        head += [pen.head("rater"), pen.head("preference")]
        body = []
        for (rater, name), winner in study.preferences.items():
            pair = [study.answers[name, system, 0].text for system in study.systems]
            line: list[Cell] = [name, cases[name].question, first, second]
            body.append([*line, *(pair if texts else []), rater, word(winner)])
    shown = replace(study, comments={}, scores={})
    if form not in {"texts", "beside"}:
        bare = {key: replace(given, text=None) for key, given in study.answers.items()}
        shown = replace(shown, answers=bare)
    return Rows([Table("battles", [head, *body])], shown, texts=form != "columns")


def _made() -> Iterator[tuple[str, Callable[[Drawn, Pen], Rows]]]:
    for make in (
        long, answers_long, long_by_rating, apart, ratings_alone, sheet_per_rater, file_per_rater,
        rag_log, preferences, wide, grid, two_row, sheet_per_system, reviewers,
    ):  # fmt: skip
        yield make.__name__, make


LAYOUTS: Final[Mapping[str, Callable[[Drawn, Pen], Rows]]] = dict(_made())
