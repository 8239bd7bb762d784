"""Cases as rows of a sheet, and back."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from medassay.cases.record import Case
from medassay.errors import InvalidInput, Problem
from medassay.tables import (
    Sheet,
    check_columns,
    gathered,
    parse_json_cells,
    read_record,
    without_nulls,
)
from medassay.text import Counted, count_of

_NESTED: Final = {
    "evidence": 'Write [{"id": "1", "text": "...", "relevance": "essential"}].',
    "references": 'One reference as plain text: call the column "reference".',
    "options": 'Write {"A": "...", "B": "..."}.',
    "turns": 'Write [{"role": "user", "text": "..."}, {"role": "assistant", "text": "..."}].',
    "criteria": 'Write [{"id": "c1", "text": "...", "points": 5}].',
    "documents": 'Write [{"id": "...", "grade": 1}].',
    "tags": 'A tag as plain text: call the column "tag." and its name, such as "tag.specialty".',
}
"""Columns that hold JSON, and what to try where they do not."""
_TAG: Final = "tag."
CASE_COLUMNS: Final = (*Case.model_fields, "reference")


def cases_of_sheet(sheet: Sheet) -> tuple[Sequence[Case], tuple[Problem, ...]]:
    """Read the cases of a sheet of any form, with the warnings a reader should see.

    Raises:
        InvalidInput: Every problem of the sheet, with row and column.
    """
    problems: list[Problem] = []
    sheet = check_columns(sheet, CASE_COLUMNS, ("case",), problems, also=_is_tag)
    if sheet.empty_is_none:
        sheet = sheet.trimmed(["case", "gold", *filter(_is_tag, sheet.columns)])
    records: list[Case] = []
    first_row: dict[str, int] = {}
    for row, cells in sheet.records():
        nested = parse_json_cells(cells, _NESTED, file=sheet.file, row=row, problems=problems)
        record_cells = _gather_flat(nested, sheet.file, row, problems)
        record = read_record(Case, record_cells, file=sheet.file, row=row, problems=problems)
        if record is None:
            continue
        if record.case in first_row:
            got = f'"{record.case}", as in row {first_row[record.case]}'
            problems.append(Problem(sheet.file, "name each case once", got, row=row, column="case"))
        first_row.setdefault(record.case, row)
        records.append(record)
    if not len(sheet):
        problems.append(Problem(sheet.file, "hold at least one case", "none"))
    if problems:
        raise InvalidInput(problems)
    twins = Counted()
    for record in records:
        count_twins(record, twins)
    alike = look_alikes(sheet.file, "case", first_row)
    return gathered(records), (*sheet.notes, *alike, *same_options(sheet.file, twins))


def same_options(file: str, twins: Counted) -> list[Problem]:
    """Warn of questions of which two options read the same: only the letter tells them apart."""
    if not twins.count:
        return []
    counted = f"{count_of(twins.count, 'case')} with two that do not"
    return [
        Problem(
            file,
            "have options that differ in their words",
            f"{counted}, {twins.first}",
            "An answer in an option's words alone chooses neither; a letter still does.",
            None,
            "options",
            counted=counted,
        )
    ]


def count_twins(record: Case, twins: Counted) -> None:
    """Count a question of which two options read the same."""
    first: dict[str, str] = {}
    for letter, text in record.options.items():
        words = " ".join(text.lower().split())
        if words and first.setdefault(words, letter) != letter:
            twins.add(f"{record.case} first: {first[words]} and {letter}")
            return


def _is_tag(column: str) -> bool:
    return column.startswith(_TAG) and len(column) > len(_TAG)


def _gather_flat(
    cells: Mapping[str, object], file: str, row: int, problems: list[Problem]
) -> dict[str, object]:
    """Put `reference` and `tag.NAME` where the record has them."""
    fields: dict[str, object] = {}
    tags: dict[str, object] = {}
    for column, cell in cells.items():
        if _is_tag(column):
            tags[column.removeprefix(_TAG)] = cell
        elif column != "reference":
            fields[column] = without_nulls(cell)
    flat: dict[str, object] = {"tags": tags} if tags else {}
    if "reference" in cells:
        flat["references"] = [{"text": cells["reference"]}]
    for nested in flat.keys() & fields.keys():
        must = f"have {nested} either in one column or in flat ones"
        problems.append(Problem(file, must, "both", row=row, column=nested))
    return fields | flat


def case_row(case: Case, *, nested: bool) -> dict[str, object]:
    """Give a case as a row; what was not given is left out.

    Args:
        case: The case.
        nested: Whether a cell may be an object; else each tag has a column.
    """
    row = case.model_dump(mode="json", exclude_none=True, exclude_defaults=True)
    if not nested:
        row |= {f"tag.{name}": value for name, value in row.pop("tags", {}).items()}
    return row


def look_alikes(file: str, column: str, ids: Iterable[str]) -> tuple[Problem, ...]:
    """Warn of ids that differ only in leading zeros, as a spreadsheet likes to drop them.

    Example:
        >>> print(*look_alikes("cases.csv", "case", ["1", "01", "2"]))
        cases.csv, column case: must tell ids apart; got "01", "1". They count as different.
    """
    different = set(ids)
    if len({name.lstrip("0") or "0" for name in different}) == len(different):
        return ()  # nearly always
    alike: dict[str, set[str]] = {}
    for name in different:
        alike.setdefault(name.lstrip("0") or "0", set()).add(name)
    return tuple(
        Problem(
            file,
            "tell ids apart",
            ", ".join(f'"{name}"' for name in sorted(names)),
            "They count as different.",
            column=column,
            counted=f"{len(names)} that differ in leading zeros alone",
        )
        for _, names in sorted(alike.items())
        if len(names) > 1
    )
