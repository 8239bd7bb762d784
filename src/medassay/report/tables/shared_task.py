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
    found = {(one.name, one.system): one for one in results.overalls if one.ref == board.name}
    laid_out = list(_laid_out(board))
    systems = sorted(
        (system.id for system in results.systems),
        key=lambda one: (_rank(found.get((board.order, one))), one),
    )
    groups = _groups(results, list(found.values()))
    rows = []
    for system in systems:
        cells = [
            _cell(kind, one, found.get((one.name, system)), groups.get((one.name, system), ""))
            for kind, one in laid_out
        ]
        rows.append(Row((named(names.of_system(system), system), *cells)))
    return Table(
        f"shared-task-{board.name}",
        board.title,
        _caption(results, board, list(found.values())),
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
    alone = sum(bool(one.rank) and not one.lacking for one in board.columns) == 1
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


def _groups(results: Results, found: list[OverallResult]) -> dict[tuple[str, str], str]:
    """Print the groups of each column and system: letters, or words where letters are many."""
    if in_letters(results):
        # Letters stay on one line: 28 rows of two lines each would be twice as long a table.
        return {(o.name, o.system): "\u00a0".join(letters_of(o.letters)) for o in found}
    said: dict[tuple[str, str], str] = {}
    for name in dict.fromkeys(one.name for one in found):
        ordered = sorted((one for one in found if one.name == name), key=_rank)
        words = alike_words({one.system: one.letters for one in ordered})
        said |= {(name, system): text for system, text in words.items()}
    return said


def _cell(kind: str, column: BoardColumnResult, one: OverallResult | None, group: str) -> Cell:
    if one is None or one.value is None:
        fields = 3 if kind == "rank" or (kind == "value" and column.rank) else 1
        return missing("no value" if one is None else one.reason, fields)
    if kind == "rank":
        return _place(one)
    if kind == "group":
        return Cell(group, (one.letters,)) if group else missing(one.reason)
    shown = _percent(one.value)
    if not column.rank:
        return Cell(shown, (one.value,))
    if one.interval is None:
        return Cell(shown, (one.value, None, None), detail=one.reason)
    of = one.interval
    detail = f"{level(of)} interval [{_percent(of.low)}, {_percent(of.high)}]"
    return Cell(shown, (one.value, of.low, of.high), detail=detail)


def _place(one: OverallResult) -> Cell:
    raw = (one.rank, one.rank_low, one.rank_high)
    if one.rank_low is None or one.rank_high is None:
        return Cell(str(one.rank), raw)
    low, high = one.rank_low, one.rank_high
    return Cell(str(one.rank), raw, aside=str(low) if low == high else f"{low}–{high}")


def _caption(results: Results, board: BoardResult, found: list[OverallResult]) -> str:
    said = ["Percent, means over the ranking cases.", board.says]
    lacking = [
        c.title
        for c in board.columns
        if c.lacking and not c.question and c.name not in _replaced(board)
    ]
    own = [column.title for column in board.columns if column.own]
    if lacking:
        said.append(f"Not here, for want of scores: {', '.join(lacking)}.")
    if own:
        what = f"{' and '.join([', '.join(own[:-1]), own[-1]] if len(own) > 1 else own)}"
        said.append(
            f"{what}: over the columns that are there, so not the published number"
            f"{'s' if len(own) > 1 else ''}."
        )
    said += [f"{column.title}: {column.origin}." for column in board.columns if column.origin]
    asked = dict.fromkeys(column.question for column in board.columns if column.question)
    said += [f"Not here: {question}" for question in asked]
    if in_letters(results):
        said.append(f"{_RANGES}; systems that share a letter cannot be told apart.")
    else:
        said.append(f"{_RANGES}. {MANY}.")
    said += _cases(results, board, found)
    return " ".join(said)


def _replaced(board: BoardResult) -> set[str]:
    return {column.name for column in board.columns if column.own}


def _cases(results: Results, board: BoardResult, found: list[OverallResult]) -> list[str]:
    """Say on how many cases a column stands, where that is not all of them."""
    whole = len(results.ranking_cases)
    fewer: dict[str, list[str]] = {}
    for column in board.columns:
        counts = {one.n for one in found if one.name == column.name and one.value is not None}
        if counts and counts != {whole}:
            low, high = min(counts), max(counts)
            shown = str(low) if low == high else f"{low} to {high}"
            group = f"{column.group} " if column.group else ""
            fewer.setdefault(shown, []).append(f"{group}{column.title}")
    return [f"{n} of {whole} cases in {', '.join(names)}." for n, names in fewer.items()]


def _rank(one: OverallResult | None) -> int:
    return _LAST if one is None or one.rank is None else one.rank


def _percent(value: float) -> str:
    return f"{100 * value:.{_DECIMALS}f}"
