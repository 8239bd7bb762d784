"""Tables as REDCap writes them: columns may share a name, which no table of ours does."""

from collections.abc import Iterable
from pathlib import Path
from typing import Final

from medassay.errors import MedassayError
from medassay.exchange.glimpse import Glimpse, sheet_at
from medassay.exchange.redcap.dictionary import is_dictionary
from medassay.tables import Sheet, file_bytes, read_sheet
from medassay.tables.grid import read_delimited
from medassay.tables.workbooks import is_workbook

__all__ = ["SPECIAL", "is_redcap", "read_table"]

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
        columns = (sheet_at(path) if seen.names else read_table(path)).columns
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
