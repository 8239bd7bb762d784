"""The answers of a queue, as `medassay triage` writes it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from medassay.errors import InvalidInput, Problem, nearest
from medassay.judgements.campaign import Item
from medassay.marks import case_numbers
from medassay.study.private import numbering_of
from medassay.tables import Sheet, check_columns, csv_bytes, guarded, read_sheet, unguarded

__all__ = ["Queue"]

_CASE: Final = "case"
_NUMBER: Final = "number"
_NUMBERING: Final = "numbering"
_NEEDED: Final = ("system", _CASE)


@dataclass(frozen=True)
class Queue:
    """A queue with the ids of its cases.

    Attributes:
        sheet: Its rows.
        renamed: Whether the file names cases by numbers, as that of a study does that keeps ids.
    """

    sheet: Sheet
    renamed: bool

    @classmethod
    def read(cls, path: Path, cases: Sequence[str]) -> "Queue":
        """Read a queue; numbers become ids again.

        Args:
            path: The file.
            cases: The ids of the study's cases.

        Raises:
            InvalidInput: It cannot be read, or counts the cases of another study, or of this one
                before it changed.
        """
        sheet = read_sheet(path)
        if not {_NUMBER, _NUMBERING} <= set(sheet.columns):
            return cls(sheet, renamed=False)
        counted = {str(number) for number in sheet.columns[_NUMBERING]}
        if counted - {numbering_of(cases)}:
            must, got = "count the cases that the study has now", "numbers of others"
            hint = "Cases came or went since: run medassay triage again."
            raise InvalidInput(Problem(sheet.file, must, got, hint, column=_NUMBER))
        ids = {number: name for name, number in case_numbers(cases).items()}
        columns: dict[str, list[object]] = {}
        for name, cells in sheet.columns.items():
            if name == _NUMBER:
                columns[_CASE] = [guarded(ids.get(str(cell), str(cell))) for cell in cells]
            elif name != _NUMBERING:
                columns[name] = cells
        return cls(replace(sheet, columns=columns), renamed=True)

    def items(self, items: Sequence[Item]) -> list[Item]:
        """Give the items that it names, but for those that a draw left out.

        Raises:
            InvalidInput: It is no queue, or names an answer that is not there; each named.
        """
        sheet = self.sheet
        # Of repeated answers the first is meant.
        first = [item for item in reversed(items) if not item.system_b]
        known = {(item.system, item.case): item for item in first}
        problems: list[Problem] = []
        chosen: list[Item] = []
        check_columns(sheet, (*_NEEDED, *sheet.columns), _NEEDED, problems)
        if problems:
            raise InvalidInput(problems)
        for row, record in sheet.records():
            if str(record.get("drawn", "")) == "no":
                continue
            key = unguarded(str(record.get("system", ""))), unguarded(str(record.get(_CASE, "")))
            if key in known:
                chosen.append(known[key])
                continue
            got = f'system "{key[0]}", case "{key[1]}"'
            hint = nearest(key[1], sorted({case for _, case in known}))
            problems.append(Problem(sheet.file, "name an answer of the study", got, hint, row))
        if problems:
            raise InvalidInput(problems)
        return sorted(set(chosen))

    @property
    def is_draw(self) -> bool:
        """Say whether it was drawn by chance, and tells the chance of every answer."""
        return "chance" in self.sheet.columns

    def content(self, path: Path) -> bytes:
        """Give what a campaign keeps of it: the file as it is, or with ids in place of numbers."""
        if not self.renamed:
            return path.read_bytes()
        return csv_bytes(list(self.sheet.columns), zip(*self.sheet.columns.values(), strict=True))
