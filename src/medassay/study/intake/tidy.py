"""A tidy table whose columns have other names than ours."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from medassay.errors import InvalidInput, Problem, nearest
from medassay.tables import Sheet, read_sheet

__all__ = ["read_tidy"]


def read_tidy(path: Path, columns: Mapping[str, str]) -> Sheet:
    r"""Read a table and give its columns our names.

    Args:
        path: A .csv, .jsonl or .parquet file, one row an observation.
        columns: Our name to theirs, such as `{"text": "model_answer"}`. Columns that are not named
            here keep their name.

    Raises:
        InvalidInput: The file cannot be read, or has no such column.

    Example:
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     file = Path(folder) / "theirs.csv"
        ...     _ = file.write_text("model,case,value\nA,1,0.5\n", encoding="utf-8")
        ...     sheet = read_tidy(file, {"system": "model"})
        >>> sheet.columns
        {'system': ['A'], 'case': ['1'], 'value': ['0.5']}
    """
    sheet = read_sheet(path)
    problems = []
    for ours, theirs in columns.items():
        if theirs not in sheet.columns:
            hint = nearest(theirs, sheet.columns) or f"It has: {', '.join(sheet.columns)}."
            problems.append(
                Problem(
                    sheet.file, f'have the column "{theirs}" for {ours}', "no such column", hint
                )
            )
        elif ours in sheet.columns and ours != theirs:
            must = f'have one column for {ours}, not "{ours}" and "{theirs}"'
            problems.append(Problem(sheet.file, must, "both", column=ours))
    named = list(columns.values())
    for theirs in sorted({column for column in named if named.count(column) > 1}):
        must = "have each of its columns named once"
        problems.append(Problem(sheet.file, must, f'"{theirs}" twice', column=theirs))
    if problems:
        raise InvalidInput(problems)
    our_name = {theirs: ours for ours, theirs in columns.items()}
    renamed = {our_name.get(name, name): cells for name, cells in sheet.columns.items()}
    return replace(sheet, columns=renamed, renamed=True)
