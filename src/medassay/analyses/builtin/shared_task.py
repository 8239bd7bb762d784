"""Where do systems stand on the leaderboards of a shared task?"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from medassay.analyses.declaration import Declaration, analysis
from medassay.analyses.inputs.system_task_boards import TaskBoard, TaskColumn
from medassay.exhibits import Claim, Names, VerdictKind, VerdictRow
from medassay.exhibits.claim import Finding, ReaderQuestion
from medassay.exhibits.columns import Shown, celled, missing, named, table_of
from medassay.exhibits.numbers import Style, ci, count_of, listed, listed_few
from medassay.exhibits.sentences import (
    MANY,
    alike,
    alike_words,
    in_letters,
    letters_of,
    upper_first,
)
from medassay.exhibits.table import Cell, Column, Table
from medassay.stats import AT_ONCE_FROM, Interval
from medassay.validity import CompositeValue
from medassay.validity.composite import Place


def leads(names: Names) -> bool:
    """Say whether a shared task opens the page: where no rater orders the systems."""
    primary = names.sources.get(names.primary)
    return primary is None or primary.kind != "consensus"


def task_claims(boards: Sequence[TaskBoard], names: Names) -> Iterator[Claim]:
    """Claim who leads by the task's own score, whose groups are tested by themselves."""
    if leads(names) and any(value.place.letters for value in boards[0].leading.values):
        yield Claim.of("task", "the task's own score", VerdictKind.OWN_RATE, row=VerdictRow.LEADS)


def task_finding(boards: Sequence[TaskBoard], names: Names) -> Finding | None:
    """Say who leads by the first board's order, as far as the groups allow."""
    if not leads(names):
        return None
    board = boards[0]
    basis = (f"shared-task-{board.name}",)
    return Finding("task", _sentence(board, names), basis, ReaderQuestion.BETTER)


def _sentence(board: TaskBoard, names: Names) -> str:
    column = board.leading
    placed = sorted(
        (value for value in column.values if value.place.rank is not None),
        key=lambda value: (value.place.rank or 0, value.system),
    )
    if not placed:
        why = next((value.undefined for value in column.values if value.undefined), "")
        return f"No system has an overall score in {board.title}: {why or 'no system answered'}."
    return _leaders(names, board, placed)


def _leaders(names: Names, board: TaskBoard, placed: list[CompositeValue]) -> str:
    top, column = placed[0], board.leading
    heading = f"{column.group} {column.title}".strip()
    value = f"{heading} {_percent(top.value or 0)}"
    if top.interval is not None:
        value += f"; {_ci(top.interval)}"
    who, on = names.of_system(top.system), count_of(top.n, "case")
    text = f"{who} has the highest overall score in {board.title} ({value}; {on})."
    if lost := len(names.system) - len(placed):
        text += f" {count_of(lost, 'system')} {'has' if lost == 1 else 'have'} no value."
    if not top.place.letters or len(placed) == 1:
        return text
    group = [v for v in placed[1:] if alike(v.place.letters, top.place.letters)]
    if not group:
        return f"{text} It leads: it is better than every other system."
    others = listed_few([names.of_system(value.system) for value in group], _NAMED)
    second = "" if group[0] is not placed[1] else f" ({_percent(placed[1].value or 0)})"
    if len(group) > 1 and second:
        second = f" ({names.of_system(placed[1].system)} {_percent(placed[1].value or 0)})"
    compared = [v.n for v in (top, *group)]
    if min(compared) == max(compared):
        shared = f" on the same {count_of(top.n, 'case')}"
    else:
        shared = f" on the cases that both have ({min(compared):,} at most)"
    why = f" {upper_first(_RARE)}." if top.place.may_reverse else ""
    return f"{text} Whether it is better than {others}{second} is undecided{shared}.{why}"


def _ci(interval: Interval) -> str:
    """Print an interval in percent."""
    percent = replace(interval, low=100 * interval.low, high=100 * interval.high)
    return ci(percent, Style(_DECIMALS))


_DECIMALS: Final = 1
_NAMED: Final = 2
_LAST: Final = 10**9
_RANGES: Final = (
    "Ranks are of the printed values, ties sharing the best. Behind a rank: the range that new "
    "cases leave open"
)
_RARE: Final = "rare large losses that these cases may not show could reverse a difference"
UNDECIDED_ALSO: Final = f" Undecided also where {_RARE}."
"""Why two systems that tests tell apart share a group."""
_AT_ONCE: Final = " (for all of a column together)"


def task_tables(boards: Sequence[TaskBoard], names: Names) -> list[Table]:
    """Give one table for each of the protocol's boards; the first opens the page where it leads."""
    letters = in_letters(
        (f"{board.name} {column.name}", value.place.letters)
        for board in boards
        for column in board.columns
        for value in column.values
    )
    made = [_table(board, names, letters=letters) for board in boards]
    if leads(names):
        made[0] = replace(made[0], stands="first")
    return made


def _table(board: TaskBoard, names: Names, *, letters: bool) -> Table:
    leading = board.leading.of_system
    systems = sorted(names.system, key=lambda system: (_rank(leading.get(system)), system))
    return table_of(
        systems,
        (
            celled("System", "system", lambda system: named(names.of_system(system), system)),
            *(_shown(board, kind, column, letters=letters) for kind, column in _laid_out(board)),
        ),
        id=f"shared-task-{board.name}",
        title=board.title,
        caption=_caption(board, names, letters=letters),
        empty="No system answered.",
    )


def _shown(board: TaskBoard, kind: str, column: TaskColumn, *, letters: bool) -> Shown[str]:
    values, groups = column.of_system, _groups(column, letters=letters)

    def cell(system: str) -> Cell:
        return _cell(kind, column, values.get(system), groups.get(system, ""))

    return Shown(_heading(board, kind, column), cell)


def _laid_out(board: TaskBoard) -> Iterator[tuple[str, TaskColumn]]:
    """Say what each column holds, left to right: first what orders the systems, groups last.

    A column without any value is left out; the caption names it.
    """
    there = [column for column in board.columns if not column.lacking]
    first = [column for column in there if column.name == board.order]
    rest = [column for column in there if column.rank and column not in first]
    beside = [column for column in there if first and column.group == first[0].group]
    for column in first:
        yield "rank", column
        yield "group", column
    for column in beside:
        yield "value", column
    for column in rest:
        yield "rank", column
        yield "value", column
    for column in there:
        if column not in beside and column not in rest:
            yield "value", column
    for column in rest:
        yield "group", column


def _heading(board: TaskBoard, kind: str, column: TaskColumn) -> Column:
    name = column.name.partition("(")[0]
    alone = (
        sum(bool(board_column.rank) and not board_column.lacking for board_column in board.columns)
        == 1
    )
    if kind == "rank":
        fields = (f"rank_{column.rank}", f"rank_{column.rank}_low", f"rank_{column.rank}_high")
        title = "Rank" if alone else f"Rank {column.rank}"
        return Column(title, fields, numeric=True, group=column.group)
    if kind == "group":
        group = column.group if column.name == board.order else "Groups"
        title = "Group" if alone else f"Group {column.rank}"
        return Column(title, (f"group_{column.rank}",), group=group)
    ends = (f"{name}_low", f"{name}_high") if column.rank else ()
    return Column(column.title, (name, *ends), numeric=True, group=column.group)


def _groups(column: TaskColumn, *, letters: bool) -> dict[str, str]:
    """Print each system's groups: letters, or words where letters are many."""
    if letters:
        # Letters stay on one line: 28 rows of two lines each would be twice as long a table.
        return {v.system: "\u00a0".join(letters_of(v.place.letters)) for v in column.values}
    best_first = sorted(column.values, key=_rank)
    return alike_words({value.system: value.place.letters for value in best_first})


def _cell(kind: str, column: TaskColumn, value: CompositeValue | None, group: str) -> Cell:
    if value is None or value.value is None:
        fields = 3 if kind == "rank" or (kind == "value" and column.rank) else 1
        return missing("no value" if value is None else value.undefined, fields)
    if kind == "rank":
        return _place(value.place)
    if kind == "group":
        return Cell(group, (value.place.letters,)) if group else missing(value.undefined)
    shown = _percent(value.value)
    if not column.rank:
        return Cell(shown, (value.value,))
    if value.interval is None:
        return Cell(shown, (value.value, None, None), detail=value.undefined)
    of = value.interval
    return Cell(shown, (value.value, of.low, of.high), detail=_ci(of))


def _place(place: Place) -> Cell:
    raw, low, high = (place.rank, place.low, place.high), place.low, place.high
    if low is None or high is None:
        return Cell(str(place.rank), raw)
    return Cell(str(place.rank), raw, aside=str(low) if low == high else f"{low}–{high}")


def _caption(board: TaskBoard, names: Names, *, letters: bool) -> str:
    lines = ["Percent, means over the ranking cases."]
    if letters:
        lines.append("Systems share a letter where their order is undecided.")
    lines.append(board.says)
    lacking = [c.title for c in board.columns if c.lacking and not c.question]
    own = [column.title for column in board.columns if column.own]
    if lacking:
        lines.append(f"Not here, because scores are missing: {', '.join(lacking)}.")
    if own:
        lines.append(
            f"{listed(own)}: over the columns that are there, so not the published number"
            f"{'s' if len(own) > 1 else ''}."
        )
    lines += [f"{column.title}: {column.origin}." for column in board.columns if column.origin]
    asked = dict.fromkeys(column.question for column in board.columns if column.question)
    lines += [f"Not here: {question}" for question in asked]
    ranged = [sum(v.place.high is not None for v in c.values) for c in board.columns if c.rank]
    once = _AT_ONCE * (min(filter(None, ranged), default=0) >= AT_ONCE_FROM)
    lines.append(f"{_RANGES}{once}.")
    if not letters:
        lines.append(f"{MANY}.")
    if any(v.place.may_reverse for c in board.columns if c.rank for v in c.values):
        lines.append(UNDECIDED_ALSO.strip())
    return " ".join([*lines, *_cases(board, names.cases)])


def _cases(board: TaskBoard, whole: int) -> list[str]:
    """Say on how many cases a column stands, where that is not all of them."""
    fewer: dict[str, list[str]] = {}
    for column in board.columns:
        counts = {value.n for value in column.values if value.value is not None}
        if counts and counts != {whole}:
            low, high = min(counts), max(counts)
            shown = str(low) if low == high else f"{low} to {high}"
            group = f"{column.group} " if column.group else ""
            fewer.setdefault(shown, []).append(f"{group}{column.title}")
    return [f"{n} of {whole} cases in {', '.join(titles)}." for n, titles in fewer.items()]


def _rank(value: CompositeValue | None) -> int:
    return _LAST if value is None or value.place.rank is None else value.place.rank


def _percent(value: float) -> str:
    return f"{100 * value:.{_DECIMALS}f}"


@analysis(
    Declaration(
        id="shared_task",
        title="The shared task's leaderboards",
        question="Where do systems stand in the task's own columns, means and ranks?",
        section="leaders",
        part="leaderboards",
        infers=True,
        reader="developer",
        place=3,
        tables=task_tables,
        finding=task_finding,
        verdicts=(VerdictKind.OWN_RATE,),
        claims=task_claims,
        finding_place=10,
    )
)
def shared_task(boards: tuple[TaskBoard, ...]) -> tuple[TaskBoard, ...]:
    """Give the leaderboards that the protocol lays out, with every value in them."""
    return boards
