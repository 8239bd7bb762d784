"""The answers of a queue, as `medassay triage` writes it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from medassay.errors import InvalidInput, Problem, nearest
from medassay.judgements import About
from medassay.judgements.campaign import Item
from medassay.marks import case_numbers
from medassay.scores import UNIT
from medassay.study.contents.private import numbering_of
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

        An answer whose parts it names is asked these, and not those that are judged already.

        Raises:
            InvalidInput: It is no queue, or names an answer that is not there; each named.
        """
        sheet = self.sheet
        known = {(item.system, item.case, item.sample): item for item in items}
        first = {key[:2]: key[2] for key in sorted(known, reverse=True)}
        problems: list[Problem] = []
        parts: dict[Item, set[str]] = {}
        check_columns(sheet, (*_NEEDED, *sheet.columns), _NEEDED, problems)
        if problems:
            raise InvalidInput(problems)
        for row, record in sheet.records():
            if str(record.get("drawn", "")) == "no":
                continue
            system, case, sample, about = (
                unguarded(str(cell)) if (cell := record.get(name)) is not None else ""
                for name in UNIT
            )
            # A file of somebody's own need not say which: the first is meant.
            which = sample or str(first.get((system, case), 0))
            item = known.get((system, case, int(which))) if which.isdecimal() else None
            if item is not None and (not about or About.read(about) is not None):
                parts.setdefault(item, set()).add(about)
                continue
            got = f'system "{system}", case "{case}"'
            got += f', sample "{sample}"' if sample else ""
            must = "name an answer of the study"
            if item is not None:
                must, got = "name a part of an answer, such as criterion:c3", f'"{about}"'
            hint = nearest(case, {key[1] for key in known}) if (system, case) not in first else ""
            problems.append(Problem(sheet.file, must, got, hint, row))
        if problems:
            raise InvalidInput(problems)
        return sorted(
            replace(item, parts=() if "" in named else tuple(sorted(named)))
            for item, named in parts.items()
        )

    @property
    def is_draw(self) -> bool:
        """Say whether it was drawn by chance, and tells the chance of every answer."""
        return "chance" in self.sheet.columns

    def content(self, path: Path) -> bytes:
        """Give what a campaign keeps of it: the file as it is, or with ids in place of numbers."""
        if not self.renamed:
            return path.read_bytes()
        return csv_bytes(list(self.sheet.columns), zip(*self.sheet.columns.values(), strict=True))
