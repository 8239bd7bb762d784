"""Read cases from a table of any form."""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final

from medassay.cases.collection import Cases, look_alikes, placed
from medassay.cases.record import Case
from medassay.cases.same_documents import SameDocuments
from medassay.errors import InvalidInput, Problem
from medassay.surface import checked
from medassay.tables import (
    Doubt,
    Gathering,
    check_columns,
    gathered,
    good_lines,
    parse_json_cells,
    read_record,
    read_sheet,
    without_nulls,
)
from medassay.text import Counted, count_of

__all__ = ["read_cases"]

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
_KNOWN: Final = (*Case.model_fields, "reference")


@checked
def read_cases(path: Path | str) -> Cases:
    """Read a file of cases and check all of it.

    The columns are the keys of `Case`. In a flat file such as CSV, `reference` holds one human
    reference, `tag.NAME` one tag, and a nested column (turns, evidence, references, options,
    documents, criteria, tags) holds JSON text. An empty cell or a null is nothing given.

    Raises:
        InvalidInput: Every problem of the file, with row and column.
    """
    path = Path(path)
    return _read_lines(path) or _read_sheet(path)


def _read_lines(path: Path) -> Cases | None:
    """Read a file of which nothing needs to be said; each case is looked at once, as it comes."""
    same, twins = SameDocuments(), Counted()
    records: Gathering[Case] = Gathering(same.shared)
    places: dict[str, int] = {}
    try:
        for _, case in good_lines(path, Case, prepare=same):
            if places.setdefault(case.case, len(records)) != len(records):
                return None
            records.add(case)
            _count_twins(case, twins)
    except Doubt:
        return None
    alike = look_alikes(path.name, "case", places)
    warnings = (*alike, *_same_options(path.name, twins))
    return placed(records.all(), MappingProxyType(places), warnings) if places else None


def _read_sheet(path: Path) -> Cases:
    """Read the cases of a file of any form, with a word on everything that is wrong."""
    problems: list[Problem] = []
    sheet = check_columns(read_sheet(path), _KNOWN, ("case",), problems, also=_is_tag)
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
        _count_twins(record, twins)
    alike = look_alikes(sheet.file, "case", first_row)
    return Cases(gathered(records), (*sheet.notes, *alike, *_same_options(sheet.file, twins)))


def _same_options(file: str, twins: Counted) -> list[Problem]:
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


def _count_twins(record: Case, twins: Counted) -> None:
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
