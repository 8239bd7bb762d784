"""One export of records: its rows, and which column says what."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from medassay.errors import Problem
from medassay.exchange.other_tools.tool_ratings import COMMENTS
from medassay.exchange.redcap.columns import ExportColumn, columns_of
from medassay.exchange.redcap.dictionary import Field
from medassay.exchange.redcap.values import Values, are_labels
from medassay.exchange.redcap.wanted import Kept, Wanted
from medassay.tables import Sheet, unguarded

__all__ = ["Export", "ExportRow", "QuestionColumn"]

_PARTS = ("dimension", "reason", "confidence", "comment")
_OF_ITEM = ("rater", "system", "case", "code")


@dataclass(frozen=True, slots=True)
class QuestionColumn:
    """A column that says something of a question.

    Attributes:
        column: The column.
        what: dimension (a label or a number), reason, confidence or comment.
        question: What ratings call the question.
    """

    column: ExportColumn
    what: str
    question: str


@dataclass(frozen=True, slots=True)
class ExportRow:
    """One row: a record, or one instance of a form that repeats in it.

    Attributes:
        number: Its number in the file.
        record: The record's id.
        cells: Header to text, of cells that hold any.
        own: REDCap's own name of a column to its text, such as redcap_event_name.
    """

    number: int
    record: str
    cells: Mapping[str, str]
    own: Mapping[str, str]


class Export:
    """One export.

    Attributes:
        sheet: Its cells.
        columns: What its columns are.
        fields: The project's fields; none where nobody has its dictionary.
        values: Reads its cells.
        parts: The columns that say something of a question.
        comments: The columns of a comment on the answer as a whole.
        about: Who rated, and what a record is of, to the column that says it.
        others: Fields that nobody asked for.
    """

    def __init__(self, sheet: Sheet, given: Mapping[str, Field], wanted: Wanted) -> None:
        """Say what its columns are: by the dictionaries that were given, else by the study's own.

        Raises:
            InvalidInput: It names no record, or its labels are those of several fields.
        """
        self.sheet = sheet
        self.fields = {**_of_own(sheet, wanted.kept), **given}
        self.columns, in_labels = columns_of(sheet, self.fields, wanted.named)
        labelled = are_labels(sheet, self.columns, self.fields, header=in_labels)
        self.values = Values(sheet.file, self.fields, labelled, wanted.words)
        self._record = next(column for column in self.columns if column.kind == "record")
        asked = [column for column in self.columns if column.kind == "field"]
        self.parts = [part for column in asked if (part := self._part(column, wanted)) is not None]
        self.about = {
            ours: column for ours in _OF_ITEM if (column := self._about(ours, wanted)) is not None
        }
        used = {*(part.column for part in self.parts), *self.about.values()}
        self.comments = [
            column for column in asked if column not in used and column.name.casefold() in COMMENTS
        ]
        used.update(self.comments)
        self.others = [
            column for column in asked if column not in used and not self._role(column)[0]
        ]

    def rows(self, problems: list[Problem]) -> list[ExportRow]:
        """Read the rows, and name those without a record."""
        return list(self._rows(problems))

    def text(self, ours: str, row: ExportRow, base: Mapping[str, str]) -> str:
        """Give what a row, or else its record, says of itself; labels of choices, not codes.

        Args:
            ours: rater, system, case or code.
            row: The row.
            base: The cells of its record that stand outside of repeating forms.
        """
        column = self.about.get(ours)
        if column is None:
            return ""
        cell = row.cells.get(column.header) or base.get(column.header, "")
        asked = self.fields.get(column.name)
        if not cell or asked is None or not asked.choices:
            return unguarded(cell.strip())
        words = self.values.read(column, cell, row.number)
        # Which record it is may be said in other words than the dictionary's.
        return words if isinstance(words, str) else cell.strip()

    def _rows(self, problems: list[Problem]) -> Iterator[ExportRow]:
        places = [column for column in self.columns if column.kind == "place"]
        for number, held in self.sheet.records():
            cells = {name: str(cell) for name, cell in held.items() if str(cell).strip()}
            own = {
                column.name: cells[column.header].strip()
                for column in places
                if column.header in cells
            }
            record = cells.get(self._record.header, "").strip()
            if record:
                yield ExportRow(number, record, cells, own)
            elif cells:
                header = self._record.header
                problems.append(
                    Problem(self.sheet.file, "name the record", "nothing", "", number, header)
                )

    def _role(self, column: ExportColumn) -> tuple[str, str]:
        asked = self.fields.get(column.name)
        return ("", "") if asked is None else asked.role

    def _part(self, column: ExportColumn, wanted: Wanted) -> QuestionColumn | None:
        what, of = self._role(column)
        name = column.name.casefold()
        question = wanted.questions.get(name)
        if question and name in wanted.named:
            return QuestionColumn(column, "dimension", question)
        if what in _PARTS:
            return QuestionColumn(column, what, of)
        return QuestionColumn(column, "dimension", question) if question and not what else None

    def _about(self, ours: str, wanted: Wanted) -> ExportColumn | None:
        theirs = wanted.field_of(ours)
        if ours not in wanted.names:
            mine = (column for column in self.columns if self._role(column)[0] == ours)
            column = next(mine, None)
            if column is not None:
                return column
        return next(
            (
                column
                for column in self.columns
                if theirs in {column.name.casefold(), column.header.casefold()}
            ),
            None,
        )


def _of_own(sheet: Sheet, kept: Kept) -> Mapping[str, Field]:
    """Find what the study's own project asked whose codes an export has most of."""
    first = next(iter(sheet.columns.values()), [])
    there = {str(cell).strip().partition("--")[0] for cell in first}
    best = max(kept, key=lambda one: len(there.intersection(one[0])), default=None)
    return best[1] if best is not None and there.intersection(best[0]) else {}
