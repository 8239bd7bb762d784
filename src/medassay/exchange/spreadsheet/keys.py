"""What the rows of a table are about, and which columns change with what."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from medassay.exchange.spreadsheet.columns import Layout, ReadColumn
from medassay.exchange.spreadsheet.read import Table


@dataclass(frozen=True, slots=True)
class Keys:
    """The columns that say what a row is about, as cells; empty where none does.

    Attributes:
        table: The table.
        cases: The question or its id of each row.
        about: Question, system and sample of each row.
        raters: Who rated, of each row.
    """

    table: Table
    cases: Sequence[str]
    about: Sequence[tuple[str, ...]]
    raters: Sequence[str]

    @classmethod
    def of(cls, table: Table, columns: Sequence[ReadColumn]) -> Self:
        """Take the columns that are known."""
        by_role: dict[str, str] = {}
        for column in columns:
            by_role.setdefault(column.role, column.name)
        case = by_role.get("case") or by_role.get("question") or by_role.get("turns")
        cases = _filled_down(table.cells(case)) if case else []
        roles = ("system", "sample", "dimension")
        named = [by_role[role] for role in roles if role in by_role]
        about = list(zip(cases, *map(table.cells, named), strict=True)) if case else []
        raters = table.cells(by_role["rater"]) if "rater" in by_role else []
        return cls(table, cases, about, raters)

    @property
    def repeats(self) -> bool:
        """Say whether several rows are about one answer, half of all answers or more."""
        often = Counter(self.about).values()
        return bool(often) and 2 * sum(count > 1 for count in often) >= len(often)

    @property
    def repeated(self) -> bool:
        """Say whether a question comes in several rows."""
        return len(set(self.cases)) < len(self.cases)

    @property
    def several(self) -> bool:
        """Say whether a question has several answers."""
        return len(set(self.about)) > len(set(self.cases))

    @property
    def repeats_cases(self) -> bool:
        """Say whether most questions come in several rows."""
        return len(set(self.cases)) * 2 <= len(self.cases)

    def of_question(self, cells: Sequence[str]) -> bool:
        """Say whether a column says one thing of each question."""
        return bool(self.cases) and is_function(self.cases, cells)

    def of_rater(self, cells: Sequence[str]) -> bool:
        """Say whether a column says one thing of each rater, in several rows of most."""
        several = 2 * len(set(self.raters)) <= len(self.raters)
        return several and bool(self.raters) and is_function(self.raters, cells)

    def varies(self, cells: Sequence[str]) -> bool:
        """Say whether a column says several things of one answer."""
        return bool(self.about) and not is_function(self.about, cells)

    def parts_answers(self, cells: Sequence[str], texts: Sequence[str]) -> bool:
        """Say whether a column of names, and it alone, tells a question's answers apart."""
        if not self.cases or len(set(self.about)) == len(self.about):
            return False
        if not all(cells) or is_function(self.cases, cells):
            return False
        pairs = list(zip(self.about, cells, strict=True))
        return any(
            not is_function(self.about, self.table.cells(name))
            and is_function(pairs, self.table.cells(name))
            for name in texts
        )

    def parts_raters(self, cells: Sequence[str]) -> bool:
        """Say whether a column of names tells apart what one person rated of one question."""
        if not self.raters or not self.about:
            return False
        own = list(zip(self.about, self.raters, strict=True))
        pairs = list(zip(own, cells, strict=True))
        return all(cells) and len(set(own)) < len(own) and len(set(pairs)) == len(pairs)

    def parts_labels(self, cells: Sequence[str], labels: Sequence[str]) -> bool:
        """Say whether a column of names makes each row of ratings one of its own."""
        if not labels or not self.about or len(set(self.about)) == len(self.about):
            return False
        pairs = list(zip(self.about, cells, strict=True))
        return all(cells) and len(set(pairs)) == len(pairs)


def _filled_down(cells: Sequence[str]) -> Sequence[str]:
    """Read an empty cell as the one above it, as in a table that writes each question once."""
    last = ""
    return [last := cell or last for cell in cells]


def is_function(keys: Sequence[object], cells: Sequence[str]) -> bool:
    """Say whether a column says one thing of each key, where it says anything."""
    said: dict[object, str] = {}
    return all(
        not cell or said.setdefault(key, cell) == cell
        for key, cell in zip(keys, cells, strict=True)
    )


def is_one_to_one(left: Sequence[str], right: Sequence[str]) -> bool:
    """Say whether each cell of a column stands beside one of another, and none is empty."""
    pairs = {pair for pair in zip(left, right, strict=True) if any(pair)}
    return all(map(all, pairs)) and len(pairs) == len(dict(pairs)) == len({b for _, b in pairs})


def ranked(layout: Layout) -> dict[str, int]:
    """Name what was rated by ranks: each case's labels by one person are 1 to k, each once.

    Returns:
        What was rated to k, the same in every case, of three cases and answers or more.
    """
    keys = Keys.of(layout.table, layout.columns)
    raters = keys.raters or [""] * len(keys.cases)
    labels: dict[str, dict[tuple[str, str, str], list[str]]] = {}
    for column in layout.of_role("rating") if keys.cases else ():
        own = labels.setdefault(column.of, {})
        cells = layout.table.cells(column.name)
        for case, rater, cell in zip(keys.cases, raters, cells, strict=True):
            own.setdefault((case, rater, column.rater), []).append(cell)
    found = {}
    for of, cases in labels.items():
        sizes = {len(cells) for cells in cases.values()}
        most = next(iter(sizes))
        whole = [str(rank) for rank in range(1, most + 1)]
        told = len(sizes) == 1 and all(sorted(cells) == whole for cells in cases.values())
        if told and 2 < most < 10 and len(cases) > 2:  # noqa: PLR2004 - two are told apart anyhow
            found[of] = most
    return found
