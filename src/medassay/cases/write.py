"""Write cases in the form that `read_cases` reads."""

from collections.abc import Iterable
from pathlib import Path

from medassay.cases.record import Case
from medassay.tables import write_rows

__all__ = ["write_cases"]


def write_cases(path: Path | str, cases: Iterable[Case]) -> None:
    """Write cases to .jsonl, .csv or .parquet; what was not given is left out.

    In CSV and Parquet each tag has a column `tag.NAME` and nested values are JSON text.

    Raises:
        InvalidInput: The ending is another, or the file cannot be written.
    """
    path = Path(path)
    nested = path.suffix.lower() == ".jsonl"
    write_rows(path, [_row(case, nested=nested) for case in cases])


def _row(case: Case, *, nested: bool) -> dict[str, object]:
    row = case.model_dump(mode="json", exclude_none=True, exclude_defaults=True)
    if not nested:
        row |= {f"tag.{name}": value for name, value in row.pop("tags", {}).items()}
    return row
