"""A shared task's leaderboards in its own columns, such as Table S1 of the ArchEHR paper."""

from collections.abc import Iterator
from typing import Final

from medassay.analyses.results import BoardColumnResult, BoardResult, OverallResult, Results
from medassay.exhibits.cells import missing, named
from medassay.exhibits.numbers import level
from medassay.exhibits.table import Cell, Column, Row, Table
from medassay.report.groups import MANY, alike_words, in_letters, letters_of
from medassay.report.names import Names

__all__ = ["shared_task"]

_DECIMALS: Final = 1
_LAST: Final = 10**9
_RANGES: Final = (
    "Ranks are of the values as printed, ties sharing the best. Behind a rank stands the range "
    "that new cases leave open"
)


def shared_task(results: Results) -> list[Table]:
    """Give one table for each of the protocol's boards; none where it has none."""
    return [_table(results, board) for board in results.boards]


def _table(results: Results, board: BoardResult) -> Table:
    names = Names(results)
    overalls = {
        (overall.name, overall.system): overall
        for overall in results.overalls
        if overall.ref == board.name
    }
    laid_out = list(_laid_out(board))
    systems = sorted(
        (system.id for system in results.systems),
        key=lambda one: (_rank(overalls.get((board.order, one))), one),
    )
    groups = _groups(results, list(overalls.values()))
    rows = []
    for system in systems:
        cells = [
            _cell(
                kind,
                board_column,
                overalls.get((board_column.name, system)),
                groups.get((board_column.name, system), ""),
            )
            for kind, board_column in laid_out
        ]
        rows.append(Row((named(names.of_system(system), system), *cells)))
    return Table(
        f"shared-task-{board.name}",
        board.title,
        _caption(results, board, list(overalls.values())),
        (Column("System", ("system",)), *(_heading(board, *one) for one in laid_out)),
        tuple(rows),
        empty="No system answered.",
        synthetic=results.study.synthetic,
    )


def _laid_out(board: BoardResult) -> Iterator[tuple[str, BoardColumnResult]]:
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


def _heading(board: BoardResult, kind: str, column: BoardColumnResult) -> Column:
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


def _groups(results: Results, overalls: list[OverallResult]) -> dict[tuple[str, str], str]:
    """Print the groups of each column and system: letters, or words where letters are many."""
    if in_letters(results):
        # Letters stay on one line: 28 rows of two lines each would be twice as long a table.
        return {(o.name, o.system): "\u00a0".join(letters_of(o.letters)) for o in overalls}
    said: dict[tuple[str, str], str] = {}
    for name in dict.fromkeys(overall.name for overall in overalls):
        ordered = sorted((overall for overall in overalls if overall.name == name), key=_rank)
        words = alike_words({overall.system: overall.letters for overall in ordered})
        said |= {(name, system): text for system, text in words.items()}
    return said


def _cell(kind: str, column: BoardColumnResult, overall: OverallResult | None, group: str) -> Cell:
    if overall is None or overall.value is None:
        fields = 3 if kind == "rank" or (kind == "value" and column.rank) else 1
        return missing("no value" if overall is None else overall.reason, fields)
    if kind == "rank":
        return _place(overall)
    if kind == "group":
        return Cell(group, (overall.letters,)) if group else missing(overall.reason)
    shown = _percent(overall.value)
    if not column.rank:
        return Cell(shown, (overall.value,))
    if overall.interval is None:
        return Cell(shown, (overall.value, None, None), detail=overall.reason)
    of = overall.interval
    detail = f"{level(of)} interval [{_percent(of.low)}, {_percent(of.high)}]"
    return Cell(shown, (overall.value, of.low, of.high), detail=detail)


def _place(overall: OverallResult) -> Cell:
    raw = (overall.rank, overall.rank_low, overall.rank_high)
    if overall.rank_low is None or overall.rank_high is None:
        return Cell(str(overall.rank), raw)
    low, high = overall.rank_low, overall.rank_high
    return Cell(str(overall.rank), raw, aside=str(low) if low == high else f"{low}–{high}")


def _caption(results: Results, board: BoardResult, overalls: list[OverallResult]) -> str:
    lines = ["Percent, means over the ranking cases.", board.says]
    lacking = [
        c.title
        for c in board.columns
        if c.lacking and not c.question and c.name not in _replaced(board)
    ]
    own = [column.title for column in board.columns if column.own]
    if lacking:
        lines.append(f"Not here, for want of scores: {', '.join(lacking)}.")
    if own:
        what = f"{' and '.join([', '.join(own[:-1]), own[-1]] if len(own) > 1 else own)}"
        lines.append(
            f"{what}: over the columns that are there, so not the published number"
            f"{'s' if len(own) > 1 else ''}."
        )
    lines += [f"{column.title}: {column.origin}." for column in board.columns if column.origin]
    asked = dict.fromkeys(column.question for column in board.columns if column.question)
    lines += [f"Not here: {question}" for question in asked]
    if in_letters(results):
        lines.append(f"{_RANGES}; systems that share a letter cannot be told apart.")
    else:
        lines.append(f"{_RANGES}. {MANY}.")
    lines += _cases(results, board, overalls)
    return " ".join(lines)


def _replaced(board: BoardResult) -> set[str]:
    return {column.name for column in board.columns if column.own}


def _cases(results: Results, board: BoardResult, overalls: list[OverallResult]) -> list[str]:
    """Say on how many cases a column stands, where that is not all of them."""
    whole = len(results.ranking_cases)
    fewer: dict[str, list[str]] = {}
    for column in board.columns:
        counts = {
            overall.n
            for overall in overalls
            if overall.name == column.name and overall.value is not None
        }
        if counts and counts != {whole}:
            low, high = min(counts), max(counts)
            shown = str(low) if low == high else f"{low} to {high}"
            group = f"{column.group} " if column.group else ""
            fewer.setdefault(shown, []).append(f"{group}{column.title}")
    return [f"{n} of {whole} cases in {', '.join(names)}." for n, names in fewer.items()]


def _rank(overall: OverallResult | None) -> int:
    return _LAST if overall is None or overall.rank is None else overall.rank


def _percent(value: float) -> str:
    return f"{100 * value:.{_DECIMALS}f}"
