"""Files of rows, whatever their form.

What enters: a path to CSV, JSONL or Parquet. What leaves: a `Sheet`, columns of cells that remember
which file and row they came from, so that every later check can point at the place. On the way out,
`write_atomically` writes beside and renames: a reader never sees half a file.
"""

from medassay.tables.read import Sheet, read_sheet
from medassay.tables.validate import validation_problems
from medassay.tables.write import csv_bytes, json_bytes, jsonl_bytes, write_atomically

__all__ = [
    "Sheet",
    "csv_bytes",
    "json_bytes",
    "jsonl_bytes",
    "read_sheet",
    "validation_problems",
    "write_atomically",
]
