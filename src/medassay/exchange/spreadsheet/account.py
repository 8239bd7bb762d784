"""What became of every filled cell of a table: nothing is read without being told, or lost."""

import unicodedata
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from textwrap import wrap
from typing import Final

from medassay.errors import InvalidInput, Problem
from medassay.exchange.outcome import Overview
from medassay.exchange.proposal import EditableLine
from medassay.exchange.spreadsheet.accepted import several_in
from medassay.exchange.spreadsheet.collected import Collected
from medassay.exchange.spreadsheet.columns import SAID, Layout, ReadColumn, fits
from medassay.exchange.spreadsheet.profile import Profile
from medassay.exchange.spreadsheet.wishes import column_option
from medassay.exchange.spreadsheet.words import Role
from medassay.text import count_of

_MOST_ROWS: Final = 8
_WIDE: Final = 80
_WIDEST: Final = 36
_NUMBER, _COLUMN, _ROLE = 3, 28, 24
_CELLS: Final = _WIDE - _NUMBER - _COLUMN - _ROLE - 6
_FEW: Final = 3
"""Columns of one reason that are named."""
_LEFT_OUT: Final = "left out"
_WHOLE: Final = "Some names were cut to fit; --json lists every column and every count."


@dataclass(frozen=True, slots=True)
class ColumnAccount:
    """What became of one column's cells.

    Attributes:
        table: The table.
        column: The column.
        role: What it was read as.
        filled: Cells that hold something.
        fates: What became of them; the counts add up to `filled`.
        kind: The role alone, without whose or of what.
    """

    table: str
    column: str
    role: str
    filled: int
    fates: Mapping[str, int]
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Account:
    """What became of every filled cell of an import.

    Attributes:
        columns: Each column's account, in the order of the tables.
        filled: Filled cells of all tables.
        answers: Answers of each system.
        ratings: Labels and preferences by each rater.
        rated: Labels of each dimension.
        scores: Scores by each metric.
        rows: What each line of the screen is about, and what it can be changed to.
    """

    columns: Sequence[ColumnAccount]
    filled: int
    answers: Mapping[str, int] = field(default_factory=dict)
    ratings: Mapping[str, int] = field(default_factory=dict)
    rated: Mapping[str, int] = field(default_factory=dict)
    scores: Mapping[str, int] = field(default_factory=dict)
    rows: Sequence[EditableLine] = ()

    def lines(self) -> list[str]:
        """Show a numbered line a column, of many columns a line a role; then what came of them.

        Of an ordinary study these are 15 lines of 80 signs.
        """
        lines = [_line("", "column", "read as", "cells")]
        cut = False
        for number, owns in enumerate(_grouped(self.columns), 1):
            roles = list(dict.fromkeys(own.role for own in owns))
            role = roles[0] if len(roles) == 1 else f"{owns[0].kind.replace('_', ' ')}s"
            named = _named(owns)
            cut |= not (_fits(named, _COLUMN) and _fits(role, _ROLE))
            lines.append(_line(str(number), named, role, _told(owns)))
        lines.append(f"{self.filled:,} filled cells, each counted above.")
        left_out, more = _left_out(self.columns)
        lines += left_out
        counts = (
            ("Answers of {}", self.answers, "system"),
            ("Ratings by {}", self.ratings, "rater"),
            ("Ratings of {}", self.rated, "dimension"),
            ("Scores by {}", self.scores, "metric"),
        )
        for words, of, noun in counts:
            if of:
                line, whole = _listed(words, of, noun)
                lines.append(line)
                more |= not whole
        return [*lines, _WHOLE] if cut or more else lines

    def facts(self, anonymous: Callable[[str], str]) -> dict[str, object]:
        """Give the counts for machines: raters are counted and not named, and no cell is quoted.

        Args:
            anonymous: Gives a header without anybody's name.
        """
        return {
            "filled": self.filled,
            "columns": [
                {
                    "file": anonymous(own.table),
                    "column": anonymous(own.column),
                    "role": own.role,
                    "filled": own.filled,
                    "fates": dict(_summed((anonymous(fate), n) for fate, n in own.fates.items())),
                }
                for own in self.columns
            ],
            "answers": dict(self.answers),
            "ratings_by_rater": sorted(self.ratings.values(), reverse=True),
            "ratings": dict(self.rated),
            "scores": dict(self.scores),
        }


def _summed(pairs: Iterable[tuple[str, int]]) -> Counter[str]:
    total: Counter[str] = Counter()
    for name, n in pairs:
        total[name] += n
    return total


def _grouped(columns: Sequence[ColumnAccount]) -> list[list[ColumnAccount]]:
    """Give each column alone; of many those of a role together; of very many those of a kind."""
    keys: tuple[Callable[[ColumnAccount], str], ...] = (
        lambda own: f"{own.table}\n{own.column}",
        lambda own: own.role,
        lambda own: own.kind,
    )
    groups: list[list[ColumnAccount]] = []
    for key in keys:
        found: dict[str, list[ColumnAccount]] = {}
        for own in columns:
            found.setdefault(key(own), []).append(own)
        groups = list(found.values())
        if len(groups) <= _MOST_ROWS:
            break
    return groups


def _named(owns: Sequence[ColumnAccount]) -> str:
    names = ", ".join(dict.fromkeys(own.column for own in owns))
    return names if len(owns) == 1 else f"{len(owns)} columns: {names}"


def _told(owns: Sequence[ColumnAccount]) -> str:
    """Count the cells that were read, and those that were not; why, `_left_out` says."""
    fates = _summed((fate, n) for own in owns for fate, n in own.fates.items())
    lost = sum(n for fate, n in fates.items() if fate.startswith(_LEFT_OUT))
    whole = f"{sum(own.filled for own in owns):,}"
    kept = f"{fates.total() - lost:,}"
    said = f"{lost:,} left out" if kept == "0" else f"{kept}, {lost:,} left out"
    return said if lost and _fits(said, _CELLS) else whole


def _left_out(columns: Sequence[ColumnAccount]) -> tuple[list[str], bool]:
    """Say of what was not read where it stood and why, a reason a line.

    Returns:
        The lines, and whether columns are counted that are not named.
    """
    reasons: dict[str, dict[str, int]] = {}
    for own in columns:
        for fate, n in own.fates.items():
            if fate.startswith(_LEFT_OUT):
                why = fate.removeprefix(_LEFT_OUT).strip(" :")
                named = reasons.setdefault(why, {})
                named[own.column] = named.get(own.column, 0) + n
    lines, more = [], False
    for why, named in reasons.items():
        listed = ", ".join(list(named)[:_FEW])
        others = len(named) - _FEW
        more |= others > 0
        listed += f" and {count_of(others, 'other column')}" if others > 0 else ""
        because = f": {why}" if why else ""
        text = f"Left out, {count_of(sum(named.values()), 'cell')} of {listed}{because}."
        lines += wrap(text, _WIDE, subsequent_indent="  ", break_long_words=False)
    return lines, more


def _line(number: str, column: str, role: str, cells: str) -> str:
    parts = (
        number.rjust(_NUMBER),
        _padded(_short(column, _COLUMN), _COLUMN),
        _padded(_short(role, _ROLE), _ROLE),
        _short(cells, _CELLS),
    )
    return "  ".join(parts).rstrip()


def _listed(words: str, of: Mapping[str, int], noun: str) -> tuple[str, bool]:
    """Say how many there are of each, as far as they find room on a line, and whether all do."""
    start = words.format(count_of(len(of), noun)) + ": "
    pieces = [f"{name} {count:,}" for name, count in of.items()]
    for shown in range(min(len(pieces), _WIDE), 0, -1):
        left = len(pieces) - shown
        line = start + ", ".join(pieces[:shown]) + (f" and {left:,} more" if left else "")
        if _width(line) <= _WIDE:
            return line, not left
    return _short(f"{start}{sum(of.values()):,} in all", _WIDE), False


def account_of(layouts: Sequence[Layout], collected: Collected) -> Account:
    """Add up what became of every filled cell.

    Raises:
        InvalidInput: A cell was not read, and nothing says so: nothing may be lost in silence.
    """
    columns: list[ColumnAccount] = []
    problems: list[Problem] = []
    for layout in layouts:
        several = several_in(layout)
        for column in layout.columns:
            filled = sum(bool(cell) for cell in layout.table.cells(column.name))
            own = dict(collected.fates.get((layout.table.name, column.name), {}))
            if sum(own.values()) != filled:
                got = f"{filled:,} filled cells, of which {sum(own.values()):,} were read"
                hint = _either_way(column.name)
                must = "be read whole"
                problems.append(Problem(layout.table.name, must, got, hint, None, column.name))
            elif column.why == "asked about" and filled:
                # What was said of another column took its place: nothing goes with it in silence.
                must = "have a role too, since other columns were given one"
                hint = _either_way(column.name)
                got = f"{count_of(filled, 'filled cell')} without one"
                problems.append(Problem(layout.table.name, must, got, hint, None, column.name))
            role = _role(column, several=column.name in several)
            columns.append(
                ColumnAccount(layout.table.name, column.name, role, filled, own, column.role)
            )
    if problems:
        raise InvalidInput(problems)
    given = [one for one in collected.scores.values() if one.value is not None]
    return Account(
        columns,
        sum(own.filled for own in columns),
        Counter(system for system, *_ in collected.answers),
        Counter(collected.ratings.of("rater")) + Counter(collected.preferences.of("rater")),
        Counter(collected.ratings.of("dimension")),
        Counter(one.source for one in given),
        _rows(layouts, columns),
    )


def _either_way(column: str) -> str:
    ways = column_option("ROLE", column), column_option("skip", column)
    return f"Say what it is: {ways[0]}; or leave it out: {ways[1]}"


def _rows(layouts: Sequence[Layout], columns: Sequence[ColumnAccount]) -> list[EditableLine]:
    """Say of each line what its columns can be changed to."""
    by_place = {
        (layout.table.name, column.name): layout for layout in layouts for column in layout.columns
    }
    rows = []
    for owns in _grouped(columns):
        names = list(dict.fromkeys(own.column for own in owns))
        own_layouts = {own.table: by_place[own.table, own.column] for own in owns}.values()
        rated = {c.of for layout in layouts for c in layout.of_role("rating") if c.of}
        rows.append(EditableLine(tuple(names), _ways(names, own_layouts, rated)))
    return rows


def _ways(
    names: Sequence[str], layouts: Collection[Layout], rated: Collection[str]
) -> dict[str, str]:
    """Say in words what cells like these can be, to the word of ours for it."""
    profiles = [
        layout.profiles[name] for layout in layouts for name in names if name in layout.profiles
    ]
    ways: dict[str, str] = {}
    for role, said in SAID.items():
        if role == "rating":
            ways |= {f"ratings of {dimension}": f"rating.{dimension}" for dimension in rated}
            ways["ratings of something else"] = "rating."
        elif role == "answer":
            ways["answers of a system called as the column is"] = "answer"
            ways["answers of another system"] = "answer."
        elif role not in {"fact", "about_rater", "skip"} and _all_fit(role, profiles):
            ways[said] = role
    return {**ways, SAID["skip"]: "skip"}


def _all_fit(role: Role, profiles: Sequence[Profile]) -> bool:
    return all(fits(role, profile) for profile in profiles)


def _role(column: ReadColumn, *, several: bool = False) -> str:
    if column.role == "answer" and column.of:
        return f"answers of {column.of}"
    if column.role == "reference" and several:
        return "references apart by |"
    if column.role == "rating":
        return f"labels of {column.of}"
    if column.role == "score":
        return "scores"
    return "left out" if column.role == "skip" else column.role.replace("_", " ")


def _width(text: str) -> int:
    return sum(1 + (unicodedata.east_asian_width(sign) in "WF") for sign in text)


def _fits(text: str, most: int) -> bool:
    line = " ".join(text.split())
    return len(line) <= most and _width(line) <= most


def _short(text: str, most: int = _WIDEST) -> str:
    line = " ".join(text.split())
    if _fits(line, most):
        return line
    line = line[: most - 3]  # no sign is narrower than one
    while _width(line) > most - 3:
        line = line[:-1]
    return f"{line}..."


def _padded(text: str, width: int) -> str:
    return text + " " * (width - _width(text))


def preview(layout: Layout, shown: int = 0) -> Overview:
    """Show their columns beside ours, with the first rows where somebody looks on."""
    rows = [
        [
            _short(column.name),
            _role(column) if column.role != "skip" else f"left out: {column.why}",
            *(_short(cell) for cell in layout.table.cells(column.name)[:shown]),
        ]
        for column in layout.columns
    ]
    numbers = [f"row {number}" for number in layout.table.sheet.rows[:shown]]
    return Overview(["your column", "is read as", *numbers], rows)
