"""Which columns, scales and names an import would go by, before a cell is collected."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from medassay.errors import InvalidInput, Problem
from medassay.exchange.proposal import Explained, ImportQuestion, joined
from medassay.exchange.spreadsheet.column_file import Place, held, read_column_file
from medassay.exchange.spreadsheet.columns import Layout
from medassay.exchange.spreadsheet.explained import explained
from medassay.exchange.spreadsheet.read import Table, read_tables, sheets_of
from medassay.exchange.spreadsheet.reader import Beside
from medassay.exchange.spreadsheet.readings import read_columns
from medassay.exchange.spreadsheet.recipe import with_recipe
from medassay.exchange.spreadsheet.scales import Scales, read_scales
from medassay.exchange.spreadsheet.several import (
    holds_texts,
    labels_that_vary,
    of_several,
    raters_of,
    texts_that_vary,
)
from medassay.exchange.spreadsheet.wishes import Wish, Wishes, column_option, read_wishes
from medassay.judgements import Dimension, Rubric, RubricFile, choose_rubric, library_dimensions
from medassay.study.folder import Study
from medassay.tables import is_there

_LONGEST: Final = 300
"""Signs of a list of columns in a refusal."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What would be taken, before it is."""

    layouts: Sequence[Layout]
    scales: Scales
    notes: Sequence[str]
    named: Collection[str]
    wishes: Wishes
    asked: Sequence[ImportQuestion] = ()
    sheets: Collection[str] = ()

    @property
    def questions(self) -> list[ImportQuestion]:
        """What has to be decided next: on which scale something was rated once it is settled what.

        A column that may say who rated is asked about as that alone.
        """
        who = {word for question in self.asked for word in _columns(question)}
        own = [question for layout in self.layouts for question in layout.questions]
        own = [question for question in own if not (who and _columns(question) <= who)]
        return joined([*own, *self.asked]) or joined(self.scales.questions)


def _columns(question: ImportQuestion) -> set[str]:
    """Name the columns that a question is about."""
    words = (word for way in question.answers.values() for word in way)
    named = {word.partition("=")[2] for word in words}
    return named if question.option == "column" else set()


def explain(into: Path, files: Sequence[Path], wishes: Wishes) -> Explained:
    """Say of each column what it would be read as, why, and what else it could be.

    Raises:
        InvalidInput: Every problem of the files.
    """
    tables, _, _ = read_tables(files)
    layouts, _, said = _layouts(into, tables, wishes)
    return explained(layouts, said)


def plan_of(into: Path, files: Sequence[Path], wishes: Wishes) -> Plan:
    """Read which column is what, on which scales, and what is still open.

    Raises:
        InvalidInput: A file that cannot be read, or what was said of it that cannot be.
    """
    tables, notes, left_out = read_tables(files)
    theirs = [name for table in tables for name in table.sheet.columns]
    sheets = tuple(sheets_of(tables).values())
    wishes, taken = with_recipe(into, theirs, wishes, sheets)
    notes = [*taken, *notes]
    chosen, fixed = rubric_asked(into, wishes.rubric)
    try:
        layouts, wishes, said_of = _layouts(into, tables, wishes)
    except InvalidInput as error:
        # The column that was named may stand in a sheet that could not be read.
        raise InvalidInput([*left_out, *error.problems]) from error
    telling = [layout for layout in layouts if layout.tells]
    telling = telling or [open_ for layout in layouts if (open_ := _cases_asked(layout))]
    whole = {layout.table.name for layout in telling}
    silent = [layout.table for layout in layouts if layout.table.name not in whole]
    _refuse_silent(files, silent, telling, left_out, {name for _, name in said_of})
    notes = [*notes, *(f"left out: {problem}" for problem in left_out)]
    notes += [f"{table.name}: nothing was read of it." for table in silent]
    own, wanted = telling, _wanted(wishes.rubric, fixed)
    telling, asked = of_several(own, wishes.names, wanted)
    strange = [name for name in wishes.names.kinds if name not in raters_of(telling)]
    if strange and any(question.option == "rater" for question in asked):
        wishes = replace(wishes, names=replace(wishes.names, rater=strange[0]))
        telling, asked = of_several(own, wishes.names, wanted)
    said = {"scale": wishes.scales, "label": wishes.labels}
    wanted = [] if fixed else _wanted(wishes.rubric, None)
    scales = read_scales(telling, fixed, chosen, said, wanted)
    named = {name for _, name in said_of}
    return Plan(telling, scales, [*notes, *scales.notes], named, wishes, asked, sheets)


def _layouts(
    into: Path, tables: Sequence[Table], wishes: Wishes
) -> tuple[Sequence[Layout], Wishes, dict[Place, Wish]]:
    """Read every column of every table.

    Returns:
        The tables as they were read, what was said with what a file of columns says beside it, and
        what was said of each column.

    Raises:
        InvalidInput: What was said names no column, or no role.
    """
    theirs = [name for table in tables for name in table.sheet.columns]
    sheets = sheets_of(tables)
    columns = read_wishes(wishes.columns, theirs, sheets.values())
    _, fixed = rubric_asked(into, wishes.rubric)
    own = fixed.dimensions if fixed else ()
    typed = {
        (table.name, column): columns[typed_name]
        for table in tables
        for column in table.sheet.columns
        for typed_name in (sheets.get(table.name, column), column)
        if typed_name in columns
    }

    def read(said: Mapping[Place, Wish]) -> Sequence[Layout]:
        return _read(tables, {**said, **typed}, own)

    if not wishes.column_file:
        return read({}), wishes, typed
    told = read_column_file(Path(wishes.column_file), read({}))
    layouts, more = held({place: told[place] for place in told if place not in typed}, read)
    pairs = [f"{wish.word}={name}" for (_, name), wish in more.items()]
    return layouts, replace(wishes, columns=[*pairs, *wishes.columns]), {**more, **typed}


def _read(
    tables: Sequence[Table], said: Mapping[Place, Wish], own: Sequence[Dimension]
) -> Sequence[Layout]:
    wishes = {
        table.name: {name: wish for (of, name), wish in said.items() if of == table.name}
        for table in tables
    }
    layouts = [read_columns(table, wishes[table.name], own) for table in tables]
    if len(layouts) == 1:
        return layouts
    systems = sorted({name for layout in layouts for name in layout.systems})
    elsewhere = any(layout.rated or layout.of_role("winner") for layout in layouts)
    elsewhere = elsewhere and sum(map(holds_texts, layouts)) == 1
    varying, judged = texts_that_vary(layouts), labels_that_vary(layouts)
    return [
        read_columns(
            table,
            wishes[table.name],
            own,
            Beside(systems, elsewhere, varying, *_asked_beside(layouts, table), judged),
        )
        for table in tables
    ]


def _cases_asked(layout: Layout) -> Layout | None:
    """Ask which column says what was rated, of ratings where none does and some could.

    A question recurs: several systems or raters have it. None where no column may be it.
    """
    may_be = [
        (-layout.profiles[column.name].distinct, column.name)
        for column in layout.columns
        if column.why == "asked about"
        and 2 * layout.profiles[column.name].distinct <= layout.profiles[column.name].filled
        and layout.profiles[column.name].filled == len(layout.table.sheet)
    ]
    if not (layout.rated and may_be):
        return None
    names = [name for _, name in sorted(may_be)]
    ways = {f'the one in "{name}"': [f"case={name}"] for name in names}
    ask = "Which question was rated?"
    cells = layout.profiles[names[0]].examples
    question = ImportQuestion(layout.table.name, ask, "column", ways, cells)
    return replace(layout, questions=(question,))


def _asked_beside(
    layouts: Sequence[Layout], table: Table
) -> tuple[dict[str, Collection[str]], bool]:
    """Give the ids of the tables beside one, by their header, and whether answers are there."""
    others = [layout for layout in layouts if layout.table is not table]
    cases: dict[str, Collection[str]] = {
        name: set(o.table.cells(name)) for o in others for name in [o.named("case")] if name
    }
    return cases, any(o.of_role("answer") for o in others)


def _wanted(wish: str, fixed: Rubric | None) -> Sequence[str]:
    """Name the dimensions that a label without one can be of."""
    if fixed is not None:
        return fixed.ids
    return [word.strip() for word in wish.split(",") if word.strip()]


def rubric_asked(into: Path, wish: str) -> tuple[RubricFile | None, Rubric | None]:
    """Give the rubric of the study, or the one that the user gave as a whole.

    Names of the library's dimensions say what was rated; on which scale the table says.
    """
    there = is_there(into / "study.toml")
    if there and wish:
        hint = "Leave --rubric out, or give another --into."
        got = f"{into}, a study that has a rubric"
        raise InvalidInput(Problem("--rubric", "be given for a new study", got, hint))
    if there:
        return None, Study.open(into).rubric
    if wish:
        chosen = choose_rubric(wish)
        words = {word.strip() for word in wish.split(",")}
        whole = not words <= set(library_dimensions())
        return (chosen, chosen.rubric) if whole else (None, None)
    return None, None


def _refuse_silent(
    files: Sequence[Path],
    silent: Sequence[Table],
    telling: Sequence[Layout],
    unread: Sequence[Problem],
    wished: Collection[str],
) -> None:
    """Refuse files of which nothing would be read, and sheets that speak of what others ask.

    Other sheets of a workbook may be beside the point.

    Raises:
        InvalidInput: Every such file, with the columns that it has.
    """
    if not telling:
        if unread and not any(len(table.sheet) for table in silent):
            raise InvalidInput(unread)
        listed = ", ".join(name for table in silent for name in table.sheet.columns)
        hint = "Say which column is which, for example: --column question=THEIRS --column "
        hint += "answer=THEIRS. Or write a row for each answer and rater, with a column for each "
        hint += 'scale, such as: "case,system,rater,accuracy,safety", and below it '
        hint += '"Q1,GPT-4,AB,5,4"; means of whole systems are no ratings. If it is another '
        hint += "tool's file, name its format: --from, as medassay import -h lists them."
        shown = ", ".join(file.name for file in files)
        must = "have a column of questions and one of answers"
        listed = listed if len(listed) < _LONGEST else f"{listed[:_LONGEST]} ..."
        got = f"only {listed}" if listed else "no column at all"
        raise InvalidInput([*unread, Problem(shown, must, got, hint)])
    must = "hold questions with their ids, or answers or ratings with the ids of their questions"
    hint = "Say which column is which, for example: --column answer=THEIRS. Or leave the file out."
    lost = [
        Problem(file.name, must, f"only {', '.join(own[0].sheet.columns)}", hint)
        for file in files
        if (own := [table for table in silent if _is_of(table, file)])
        and not any(_is_of(layout.table, file) for layout in telling)
    ]
    sheets = [table for table in silent if any(_shares_ids(table, other) for other in telling)]
    hint = "Say which column is which, for example: --column rating.accuracy=THEIRS. Or leave the "
    hint += "sheet out: "
    titles = sheets_of(silent)
    lost += [
        Problem(
            table.name,
            must,
            f"only {', '.join(table.sheet.columns)}",
            f"{hint}{column_option('skip', titles.get(table.name, 'THEIRS'))}",
        )
        for table in sheets
        if not set(table.sheet.columns) <= set(wished)
    ]
    if lost:
        raise InvalidInput(lost)


def _shares_ids(table: Table, other: Layout) -> bool:
    """Say whether most cells of a column are questions or ids of the other table, so called there.

    A sheet of means by system, or of who the raters are, speaks of no question.
    """
    for column in other.of_role("case", "question"):
        own = set(table.cells(column.name)) - {""} if column.name in table.sheet.columns else set()
        if len(own) > 1 and 2 * len(own & set(other.table.cells(column.name))) > len(own):
            return True
    return False


def _is_of(table: Table, file: Path) -> bool:
    return table.name == file.name or table.name.startswith(f"{file.name}, sheet ")
