"""One export of records as REDCap writes it: which column says what, what its values mean."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Final, Literal

from medassay.errors import InvalidInput, MedassayError, Problem, nearest
from medassay.exchange.declaration import Glimpse
from medassay.exchange.other_tools.import_ratings import COMMENTS
from medassay.exchange.redcap.fields import Field, is_dictionary, plain_words
from medassay.judgements import Rubric
from medassay.tables import Sheet, file_bytes, read_sheet, unguarded
from medassay.tables.grid import read_delimited
from medassay.tables.workbooks import is_workbook

SPECIAL: Final = {
    "event name": "redcap_event_name",
    "repeat instrument": "redcap_repeat_instrument",
    "repeat instance": "redcap_repeat_instance",
    "data access group": "redcap_data_access_group",
    "survey identifier": "redcap_survey_identifier",
}
"""What an export as labels calls REDCap's own columns, to what an export as codes does."""
_FORM_STATUS: Final = "complete?"


def read_table(path: Path) -> Sheet:
    """Read an export or a data dictionary, whatever parts its cells; X, X are read as X, X (2).

    Raises:
        InvalidInput: It is none.
    """
    if path.suffix.lower() not in {".csv", ".tsv"}:
        return read_sheet(path)
    content = file_bytes(path, path.name)
    if is_workbook(content):
        return read_sheet(path)
    usual = "\t" if path.suffix.lower() == ".tsv" else ","
    return read_delimited(content, path.name, usual, told_apart=True)


def is_redcap(seen: Glimpse) -> bool:
    """Say whether a file is an export of REDCap's or a data dictionary, by its columns."""
    path = seen.path
    if path.is_dir() or path.suffix.lower() not in {".csv", ".tsv"}:
        return False
    try:
        columns = seen.header or tuple(read_table(path).columns)
    except (MedassayError, OSError):
        return False
    return is_dictionary(columns) or _is_export(columns)


def _is_export(columns: Iterable[str]) -> bool:
    """Say whether columns are those of an export: REDCap's own, or how far a form is filled."""
    names = [name.strip().casefold() for name in columns]
    own = any(name.startswith("redcap_") or name in SPECIAL for name in names)
    first = names[0] if names else ""
    filled = any(name.endswith("_complete") for name in names) and first.endswith("id")
    return own or filled or _FORM_STATUS in names


Kept = Sequence[tuple[Collection[str], Mapping[str, Field]]]
"""Of each hand-out its codes, and what its project asked."""


@dataclass(frozen=True)
class Wanted:
    """What is looked for in an export.

    Attributes:
        rubric: What raters were asked.
        names: Our name of a dimension, or of `rater`, `system` and `case`, to the field's name.
        kept: What the study's own projects asked: an export of theirs needs no dictionary.
        items: The record's id to what is known of it, where a file says that.
    """

    rubric: Rubric
    names: Mapping[str, str]
    kept: Kept = ()
    items: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def field_of(self, ours: str) -> str:
        """Give what their field is called, in small letters."""
        return self.names.get(ours, ours).casefold()

    @cached_property
    def named(self) -> frozenset[str]:
        """The fields that the user named, in small letters."""
        return frozenset(name.casefold() for name in self.names.values())

    @cached_property
    def questions(self) -> dict[str, str]:
        """The fields of dimensions, in small letters, to what ratings call the question."""
        return {self.field_of(name): self.names.get(name, name) for name in self.rubric.ids}

    @cached_property
    def words(self) -> frozenset[str]:
        """What raters may say, in small letters."""
        return frozenset(
            word.casefold() for asked in self.rubric.dimensions for word in asked.words
        )


Kind = Literal["record", "place", "status", "moment", "field"]
_TWICE: Final = re.compile(r" \(\d+\)$")
_CHOICE: Final = re.compile(r"(.*) \(choice=['\"]?(.*?)['\"]?\)", re.DOTALL)
_IN_LABELS: Final[Mapping[str, Kind]] = {"complete?": "status", "survey timestamp": "moment"}
_ENDINGS: Final[Mapping[str, Kind]] = {"_complete": "status", "_timestamp": "moment"}


@dataclass(frozen=True, slots=True)
class ExportColumn:
    """One column of an export.

    Attributes:
        header: What it is called in the file.
        kind: What it is: the record, where in the project a row belongs, how far a form is filled,
            when a survey was, or a field.
        name: The field, or REDCap's own name of the column.
        choice: Of a field in which several choices may be ticked the choice: its code or label.
        by_label: Whether that is its label.
    """

    header: str
    kind: Kind
    name: str
    choice: str = ""
    by_label: bool = False


def columns_of(
    sheet: Sheet, fields: Mapping[str, Field], named: Collection[str] = ()
) -> tuple[list[ExportColumn], bool]:
    """Say what each column of an export is, and whether its header is in labels.

    Args:
        sheet: The export.
        fields: The project's fields; none where nobody has its dictionary.
        named: The fields that the user named, in small letters.

    Raises:
        InvalidInput: No column names the record, or labels of columns name several fields.
    """
    headers = list(sheet.columns)
    in_labels = _in_labels(headers, fields)
    columns = (
        list(_by_label(sheet, headers, fields))
        if in_labels and fields
        else [_by_name(header, fields, named, in_labels=in_labels) for header in headers]
    )
    first = next(iter(fields), "")
    record = next((i for i, column in enumerate(columns) if first and column.name == first), None)
    if record is None and not any(column.name in fields for column in columns):
        # No field of that dictionary is here: it is of another project, or there is none.
        record = 0
    if record is None or columns[record].kind != "field":
        must, got = f"have the record's id, {first or 'in the first column'}", headers[0]
        hint = nearest(first, headers) or "Export all fields, the record's id among them."
        raise InvalidInput(Problem(sheet.file, must, f'"{got}" first', hint, sheet.header))
    columns[record] = ExportColumn(columns[record].header, "record", columns[record].name)
    return columns, in_labels


def _in_labels(headers: Sequence[str], fields: Mapping[str, Field]) -> bool:
    plain = {_without_number(header).casefold() for header in headers}
    if any(name.startswith("redcap_") for name in plain):
        return False
    if plain & {*SPECIAL, *_IN_LABELS} or any(map(_CHOICE.fullmatch, headers)):
        return True
    named = sum(header.casefold() in fields for header in headers)
    labelled = len(plain & {_plain(field.label) for field in fields.values()})
    return labelled > named


def _by_name(
    header: str, fields: Mapping[str, Field], named: Collection[str], *, in_labels: bool
) -> ExportColumn:
    """Say what a column is by its name; of labels without a dictionary the label is the name."""
    name = header.strip()
    if name.casefold() in fields:
        return ExportColumn(header, "field", name.casefold())
    if name.casefold() in named and not name.casefold().startswith("redcap_"):
        return ExportColumn(header, "field", name)
    own = _own(_without_number(name).casefold(), {field.form for field in fields.values()})
    if own is not None:
        return ExportColumn(header, *own)
    ticked = _CHOICE.fullmatch(name) if in_labels else None
    of, parted, choice = name.partition("___")
    if ticked is not None:
        of, choice = ticked[1], ticked[2]
    elif not parted:
        of = name
    of = of.casefold() if of.casefold() in fields else of
    return ExportColumn(header, "field", of, choice, by_label=ticked is not None)


def _own(plain: str, forms: Collection[str]) -> tuple[Kind, str] | None:
    """Say what a column of REDCap's own is; None where it is a field."""
    if plain.startswith("redcap_") or plain in SPECIAL:
        return "place", SPECIAL.get(plain, plain)
    for ending, kind in _ENDINGS.items():
        form = plain.removesuffix(ending)
        if plain != form and (not forms or form in forms):
            return kind, plain
    return (_IN_LABELS[plain], plain) if plain in _IN_LABELS else None


def _by_label(
    sheet: Sheet, headers: Sequence[str], fields: Mapping[str, Field]
) -> Iterable[ExportColumn]:
    """Say what each column is by its label: they stand in the order of the dictionary."""
    expected = list(_labels(fields.values()))
    _refuse_shared(sheet, headers, expected)
    at = 0
    for header in headers:
        label = _plain(_without_number(header))
        places = [i for i, (text, *_) in enumerate(expected) if text in {label, _plain(header)}]
        later = next((i for i in places if i >= at), places[0] if places else None)
        if later is not None:
            _, name, choice = expected[later]
            at = later + 1
            yield ExportColumn(header, "field", name, choice, by_label=bool(choice))
        else:
            yield _by_name(header, {}, (), in_labels=True)


def _labels(fields: Iterable[Field]) -> Iterable[tuple[str, str, str]]:
    for declared in fields:
        if declared.kind == "descriptive":
            continue
        if declared.kind == "checkbox":
            for choice in declared.choices.values():
                yield _plain(f"{declared.label} (choice={choice})"), declared.name, choice
        else:
            yield _plain(declared.label), declared.name, ""


def _refuse_shared(
    sheet: Sheet, headers: Sequence[str], expected: Sequence[tuple[str, str, str]]
) -> None:
    """Refuse labels that several fields have where not all of these are there."""
    there = Counter(_plain(_without_number(header)) for header in headers)
    of = Counter(text for text, *_ in expected)
    problems = []
    for text, count in of.items():
        if count > 1 and 0 < there[text] < count:
            header = next(name for name in headers if _plain(name) == text)
            fields = ", ".join(name for label, name, _ in expected if label == text)
            must = "hold all fields that share a label, or none"
            hint = "Export all fields, or as raw data, whose columns are called by the fields."
            got = f"{there[text]} of {count}: {fields}"
            problems.append(Problem(sheet.file, must, got, hint, sheet.header, header))
    if problems:
        raise InvalidInput(problems)


def _without_number(header: str) -> str:
    return _TWICE.sub("", header.strip())


def _plain(text: str) -> str:
    return (
        plain_words(text)
        .replace('"', "'")
        .replace("(choice='", "(choice=")
        .replace("')", ")")
        .casefold()
    )


_NOT_APPLICABLE: Final = "not applicable"
_MISSING: Final = {
    "ni": "no information",
    "inv": "invalid",
    "unk": "unknown",
    "nask": "not asked",
    "asku": "asked but unknown",
    "nav": "temporarily unavailable",
    "navu": "not available",
    "msk": "masked",
    "np": "not present",
    "oth": "other",
    "unc": "unencoded",
    "der": "derived",
    "na": _NOT_APPLICABLE,
}
"""The missing data codes that REDCap offers, to their labels."""
_TICKED: Final = {"1": True, "checked": True, "0": False, "unchecked": False, "": False}
_STATUS: Final = {"raw": {"0", "1", "2"}, "label": {"incomplete", "unverified", "complete"}}


def code_of(text: str, choices: Iterable[str]) -> str | None:
    """Find the code that a cell means: a spreadsheet may have written 1 as 1.0 or 01 as 1.

    Example:
        >>> code_of("1.0", ["1", "2"]), code_of("1", ["01"]), code_of("3", ["1", "2"])
        ('1', '01', None)
    """
    codes = list(choices)
    if text in codes:
        return text
    same = [code for code in codes if _plain_code(code) == _plain_code(text)]
    return same[0] if len(same) == 1 else None


def _plain_code(code: str) -> str:
    whole = re.sub(r"[.,]0+$", "", code.strip()) if re.fullmatch(r"-?\d+[.,]0+", code) else code
    plain = whole.strip().casefold()
    return str(int(plain)) if re.fullmatch(r"-?\d{1,15}", plain) and plain.isascii() else plain


def _label_of(text: str, choices: Mapping[str, str]) -> str | None:
    plain = plain_words(text).casefold()
    return next((label for label in choices.values() if label.casefold() == plain), None)


def are_labels(
    sheet: Sheet, columns: Sequence[ExportColumn], fields: Mapping[str, Field], *, header: bool
) -> bool:
    """Say whether an export is one of labels, by its cells, and by its header if they tell nothing.

    Args:
        sheet: The export.
        columns: What its columns are.
        fields: The project's fields.
        header: Whether the header is in labels.

    Raises:
        InvalidInput: Cells are codes of one choice and labels of another; nothing tells which.
    """
    raw = labels = 0
    both: tuple[ExportColumn, str] | None = None
    for column, cells in zip(columns, sheet.columns.values(), strict=True):
        choices = fields[column.name].choices if column.name in fields else {}
        for cell in (str(cell) for cell in cells if cell is not None):
            plain = cell.strip().casefold()
            if column.kind == "status" or column.choice:
                raw += plain in _STATUS["raw"]
                labels += plain in _STATUS["label"] or plain in {"checked", "unchecked"}
            elif column.kind == "field" and choices:
                code, label = code_of(cell, choices), _label_of(cell, choices)
                raw += code is not None and label is None
                labels += label is not None and code is None
                if code is not None and label is not None and choices[code] != label:
                    both = both or (column, cell)
    if both is not None and raw == labels == 0:
        must, got = "show whether it holds codes or labels", f'"{both[1]}", which is both'
        hint = "Export whole forms: how far each is filled, as in FORM_complete, tells."
        raise InvalidInput(Problem(sheet.file, must, got, hint, column=both[0].header))
    return header if raw == labels else labels > raw


@dataclass(frozen=True)
class Values:
    """Reads the values of one export.

    Attributes:
        file: The file, for messages.
        fields: The project's fields.
        labelled: Whether the cells hold labels.
        words: What raters may say by the rubric, in small letters: none is a missing data code.
    """

    file: str
    fields: Mapping[str, Field]
    labelled: bool
    words: frozenset[str]

    def read(self, column: ExportColumn, cell: str, row: int) -> str | Problem | None:
        """Give what a cell says, or what is wrong; None of a missing data code and no more.

        A field without choices, or without a dictionary, says what stands there.
        """
        text = unguarded(cell.strip())
        field = self.fields.get(column.name)
        if field is None or not field.choices:
            return _missing(text, text) if text.casefold() not in self.words else text
        code = code_of(text, field.choices)
        label = _label_of(text, field.choices)
        said = label if self.labelled else code and field.choices[code]
        if said is not None:
            return said
        missing = _missing(text, "")
        if missing != "":
            return missing
        other = code if self.labelled else label
        allowed = field.choices.values() if self.labelled else field.choices
        must = f"be a {'label' if self.labelled else 'code'} of {field.name}: {', '.join(allowed)}"
        got = f'"{text}"'
        hint = nearest(text, list(allowed))
        if other is not None:
            kinds = ("code", "labels") if self.labelled else ("label", "codes")
            got += f", a {kinds[0]} where the file has {kinds[1]}"
            hint = "Export the file again, as raw data or as labels."
        elif not hint:
            hint = "Is the dictionary that of these records? Empty a cell that says it is missing."
        return Problem(self.file, must, got, hint, row, column.header)

    def ticked(self, column: ExportColumn, cell: str, row: int) -> str | Problem | None:
        """Give the choice that a column stands for, as `read` does; nothing if it is not ticked."""
        field = self.fields.get(column.name)
        choices = field.choices if field is not None else {}
        # A column is called by the code in small letters, with _ for other signs.
        plain = {re.sub(r"[^a-z0-9]", "_", code.casefold()): code for code in choices}
        code = plain.get(re.sub(r"[^a-z0-9]", "_", column.choice.casefold()))
        of_code = None if code is None else choices[code]
        label = _label_of(column.choice, choices) if column.by_label else of_code
        said = label or column.choice
        text = cell.strip()
        on = _TICKED.get(text.casefold())
        if on is None and text.casefold() in {said.casefold(), column.choice.casefold()}:
            on = True
        if on is None:
            must, hint = "be 0 or 1, or Checked or Unchecked", ""
            return Problem(self.file, must, f'"{text}"', hint, row, column.header)
        if not on:
            return ""
        known = label is not None or said.casefold() in self.words
        return said if known else _missing(said, said)


def _missing(text: str, otherwise: str) -> str | None:
    """Give what a missing data code says of a rating: that the question does not apply, or None."""
    plain = text.casefold()
    meant = _MISSING.get(plain, plain)
    if meant not in _MISSING.values():
        return otherwise
    return meant if meant == _NOT_APPLICABLE else None


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
