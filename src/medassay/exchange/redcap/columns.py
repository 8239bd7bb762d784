"""What each column of an export is: a field, one choice of a field, or REDCap's own."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from medassay.errors import InvalidInput, Problem, nearest
from medassay.exchange.redcap.dictionary import Field, plain_words
from medassay.exchange.redcap.table import SPECIAL
from medassay.tables import Sheet

__all__ = ["ExportColumn", "columns_of"]

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
    for field in fields:
        if field.kind == "descriptive":
            continue
        if field.kind == "checkbox":
            for choice in field.choices.values():
                yield _plain(f"{field.label} (choice={choice})"), field.name, choice
        else:
            yield _plain(field.label), field.name, ""


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
            must = "tell fields of one label apart"
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
