"""REDCap's data dictionary: one row a field."""

import html
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from medassay.errors import InvalidInput, Problem
from medassay.tables import Sheet, csv_bytes, guarded_cell, unguarded

__all__ = ["HEADER", "Field", "dictionary_bytes", "is_dictionary", "plain_words",
           "read_dictionary"]  # fmt: skip

HEADER: Final = (
    "Variable / Field Name",
    "Form Name",
    "Section Header",
    "Field Type",
    "Field Label",
    "Choices, Calculations, OR Slider Labels",
    "Field Note",
    "Text Validation Type OR Show Slider Number",
    "Text Validation Min",
    "Text Validation Max",
    "Identifier?",
    "Branching Logic (Show field only if...)",
    "Required Field?",
    "Custom Alignment",
    "Question Number (surveys only)",
    "Matrix Group Name",
    "Matrix Ranking?",
    "Field Annotation",
)
"""The 18 columns in REDCap's own words and order."""
_NAMES: Final = {
    HEADER[0]: "field_name",
    HEADER[1]: "form_name",
    HEADER[3]: "field_type",
    HEADER[4]: "field_label",
    HEADER[5]: "select_choices_or_calculations",
    HEADER[17]: "field_annotation",
}
"""The columns that are read, to what REDCap calls them where a program exports them."""
_REQUIRED: Final = (HEADER[0], HEADER[1], HEADER[3], HEADER[4])
_WITH_CHOICES: Final = frozenset({"radio", "dropdown", "checkbox"})
_BUILT_IN: Final = {
    "yesno": {"1": "Yes", "0": "No"},
    "truefalse": {"1": "True", "0": "False"},
}
_ROLE: Final = re.compile(r"medassay: ([a-z]+)(?: (.*?))?(?:\s+@.*)?", re.DOTALL)
_TAG: Final = re.compile(r"</?[A-Za-z][^<>]*>")


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a project.

    Attributes:
        name: Its name.
        form: The form that it stands in.
        kind: Its type, such as radio, text or notes.
        label: What people read.
        choices: Code to label, where it has choices.
        section: What stands above it.
        note: What stands below it.
        validation: What a text must be, such as number.
        low: The lowest number.
        high: The highest.
        shown_if: When it is shown.
        required: Whether REDCap asks for it where it is left empty.
        annotation: What designers and REDCap read: notes, and tags such as @READONLY.
        row: Where it stood, of a dictionary that was read.
    """

    name: str
    form: str
    kind: str
    label: str
    choices: Mapping[str, str] = field(default_factory=dict)
    section: str = ""
    note: str = ""
    validation: str = ""
    low: str = ""
    high: str = ""
    shown_if: str = ""
    required: bool = False
    annotation: str = ""
    row: int = 0

    @property
    def role(self) -> tuple[str, str]:
        """Say what it is for medassay, and of which dimension; empty where it says nothing.

        Example:
            >>> Field("q", "rating", "radio", "?", annotation="medassay: dimension a b @X").role
            ('dimension', 'a b')
        """
        said = _ROLE.fullmatch(self.annotation.strip())
        return ("", "") if said is None else (said[1], said[2] or "")

    @property
    def meaning(self) -> tuple[str, str, tuple[tuple[str, str], ...]]:
        """Give what a value of it means: two fields that differ in it must not be mixed up."""
        choices = ((code, plain_words(label)) for code, label in self.choices.items())
        return self.kind, " ".join(self.role), tuple(choices)


def dictionary_bytes(fields: Iterable[Field]) -> bytes:
    """Write a data dictionary that REDCap takes in."""
    rows = [
        [
            asked.name, asked.form, asked.section, asked.kind, asked.label,
            " | ".join(f"{code}, {label}" for code, label in asked.choices.items()),
            asked.note, asked.validation, asked.low, asked.high, "", asked.shown_if,
            "y" if asked.required else "", "", "", "", "", asked.annotation,
        ]
        for asked in fields
    ]  # fmt: skip
    return csv_bytes(HEADER, [[guarded_cell(cell) for cell in row] for row in rows])


def is_dictionary(columns: Iterable[str]) -> bool:
    """Say whether a table with these columns is a data dictionary."""
    there = {name.strip().casefold() for name in columns}
    kinds = ({HEADER[0], HEADER[3]}, {_NAMES[HEADER[0]], _NAMES[HEADER[3]]})
    return any({name.casefold() for name in names} <= there for names in kinds)


def read_dictionary(sheet: Sheet) -> dict[str, Field]:
    """Read a data dictionary, as REDCap's designer or its programming interface exports it.

    Returns:
        The fields by name, in their order.

    Raises:
        InvalidInput: With every problem of it.
    """
    found = {name.strip().casefold(): name for name in sheet.columns}
    columns = {
        ours: found.get(ours.casefold(), found.get(theirs)) for ours, theirs in _NAMES.items()
    }
    lacking = [name for name in _REQUIRED if columns[name] is None]
    if lacking:
        must, got = "have the columns of a data dictionary", f"none called {', '.join(lacking)}"
        hint = "In REDCap: Designer, then Download the current Data Dictionary."
        raise InvalidInput(Problem(sheet.file, must, got, hint, sheet.header))
    fields: dict[str, Field] = {}
    problems: list[Problem] = []
    for row, cells in sheet.records():
        text = {
            ours: unguarded(str(cells.get(theirs or "", "")).strip())
            for ours, theirs in columns.items()
        }
        name = text[HEADER[0]]
        if not name:
            problems.append(Problem(sheet.file, "name the field", "nothing", "", row, HEADER[0]))
            continue
        if name in fields:
            got = f'"{name}" again, after row {fields[name].row}'
            hint = "Delete one of the rows."
            problems.append(
                Problem(sheet.file, "name each field once", got, hint, row, columns[HEADER[0]])
            )
            continue
        kind = text[HEADER[3]].lower()
        choices = dict(_BUILT_IN.get(kind, {}))
        if kind in _WITH_CHOICES:
            place = (sheet.file, row, columns[HEADER[5]] or HEADER[5])
            choices = _choices(text[HEADER[5]], place, problems)
        fields[name] = Field(
            name, text[HEADER[1]], kind, plain_words(text[HEADER[4]]), choices,
            annotation=text[HEADER[17]], row=row,
        )  # fmt: skip
    if not fields and not problems:
        problems.append(Problem(sheet.file, "hold the fields of a project", "none"))
    if problems:
        raise InvalidInput(problems)
    return fields


def plain_words(text: str) -> str:
    """Give a label as an export writes it: on one line, without tags.

    Example:
        >>> plain_words("<b>Is it  safe?</b> &gt; 5 < 6")
        'Is it safe? > 5 < 6'
    """
    return " ".join(html.unescape(_TAG.sub("", text)).split())


def _choices(text: str, place: tuple[str, int, str], problems: list[Problem]) -> dict[str, str]:
    file, row, column = place
    choices: dict[str, str] = {}
    for choice in filter(None, map(str.strip, text.split("|"))):
        code, comma, label = (part.strip() for part in choice.partition(","))
        if not comma or not code or not plain_words(label):
            must = "hold choices such as 1, Good | 2, Bad"
            problems.append(Problem(file, must, f'"{choice}"', "", row, column))
        elif code in choices:
            got = f'"{code}" for "{choices[code]}" and "{label}"'
            problems.append(
                Problem(file, "give each choice a code of its own", got, "", row, column)
            )
        else:
            choices[code] = plain_words(label)
    if not text:
        must = "hold the choices of the field"
        problems.append(Problem(file, must, "none", "Write 1, Good | 2, Bad.", row, column))
    return choices
