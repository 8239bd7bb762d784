"""What a value of an export means: a code, a label, a number, or why there is none."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from medassay.errors import InvalidInput, Problem, nearest
from medassay.exchange.redcap.columns import ExportColumn
from medassay.exchange.redcap.dictionary import Field, plain_words
from medassay.tables import Sheet, unguarded

__all__ = ["Values", "are_labels", "code_of"]

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
            hint = "Export the file anew, as raw data or as labels."
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
