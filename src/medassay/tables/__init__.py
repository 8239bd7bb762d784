"""Files of rows, whatever their form.

What enters: a path to CSV, JSONL or Parquet, or the bytes of a TOML file. What leaves: a `Sheet`,
columns of cells that remember which file and row they came from, so that every later check can
point at the place; and records that were checked one by one. On the way out, `write_rows` picks the
form by the file's ending and `write_atomically` writes beside and renames: a reader never sees half
a file.
"""

from medassay.tables.read import Sheet, read_sheet
from medassay.tables.record import parse_json_cells, read_record, without_nulls, wrong
from medassay.tables.rows import write_rows
from medassay.tables.toml import read_toml
from medassay.tables.write import csv_bytes, json_bytes, jsonl_bytes, make_folder, write_atomically

__all__ = [
    "Sheet",
    "csv_bytes",
    "json_bytes",
    "jsonl_bytes",
    "make_folder",
    "parse_json_cells",
    "read_record",
    "read_sheet",
    "read_toml",
    "without_nulls",
    "write_atomically",
    "write_rows",
    "wrong",
]
