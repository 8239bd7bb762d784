"""Files of rows, whatever their form.

What enters: a path to CSV, JSONL, Parquet or a workbook, in whatever encoding and with whatever
separator, or the bytes of a TOML file. What leaves: a `Sheet`, columns of cells that remember which
file and row they came from, so that every later check can point at the place, and what was odd
about the file; and records that were checked one by one. On the way out, `write_rows` picks the
form by the file's ending and `write_atomically` writes beside and renames: a reader never sees half
a file.
"""

from medassay.tables.by_content import name_by_content, write_by_content
from medassay.tables.columns import MOST_NAMED, check_columns, listed
from medassay.tables.contents import file_bytes, file_problem, folder_problem, is_there
from medassay.tables.decimal_commas import with_points
from medassay.tables.decode import decode
from medassay.tables.file_names import file_stem, file_stems
from medassay.tables.fold import folded, same_when_folded
from medassay.tables.gc_paused import gc_leaving_be, gc_paused
from medassay.tables.given_names import with_shared_names
from medassay.tables.good_lines import Doubt, good_lines
from medassay.tables.guard import guarded, guarded_cell, is_formula_like, unguarded
from medassay.tables.json_file import parse_json, read_json
from medassay.tables.long_json import json_bytes_with_rows, long_json_bytes
from medassay.tables.new_workbook import new_workbook
from medassay.tables.numbers import decimal, finite, number_hint
from medassay.tables.pages import read_pages
from medassay.tables.read import FORMS, read_sheet
from medassay.tables.record import parse_json_cells, read_record, without_nulls, wrong, wrong_in_all
from medassay.tables.rows import write_rows
from medassay.tables.set_aside import Gathering, SetAside, Shared, changed, gathered
from medassay.tables.sheet import Sheet
from medassay.tables.strict_json import json_fault, parse_strictly, parse_widely
from medassay.tables.strict_toml import parse_toml
from medassay.tables.toml import read_toml
from medassay.tables.unread import what_is_unread
from medassay.tables.visible import hidden_signs, holds_halves, printable, visible, without_halves
from medassay.tables.workbook import WORKBOOK, sheet_of_page
from medassay.tables.workbooks import Page, cell_name
from medassay.tables.write import (
    csv_bytes,
    json_bytes,
    jsonl_bytes,
    make_folder,
    remove_unfinished,
    staying_inside,
    text_bytes,
    write_all,
    write_atomically,
    writing_beside,
)

__all__ = [
    "FORMS",
    "MOST_NAMED",
    "WORKBOOK",
    "Doubt",
    "Gathering",
    "Page",
    "SetAside",
    "Shared",
    "Sheet",
    "cell_name",
    "changed",
    "check_columns",
    "csv_bytes",
    "decimal",
    "decode",
    "file_bytes",
    "file_problem",
    "file_stem",
    "file_stems",
    "finite",
    "folded",
    "folder_problem",
    "gathered",
    "gc_leaving_be",
    "gc_paused",
    "good_lines",
    "guarded",
    "guarded_cell",
    "hidden_signs",
    "holds_halves",
    "is_formula_like",
    "is_there",
    "json_bytes",
    "json_bytes_with_rows",
    "json_fault",
    "jsonl_bytes",
    "listed",
    "long_json_bytes",
    "make_folder",
    "name_by_content",
    "new_workbook",
    "number_hint",
    "parse_json",
    "parse_json_cells",
    "parse_strictly",
    "parse_toml",
    "parse_widely",
    "printable",
    "read_json",
    "read_pages",
    "read_record",
    "read_sheet",
    "read_toml",
    "remove_unfinished",
    "same_when_folded",
    "sheet_of_page",
    "staying_inside",
    "text_bytes",
    "unguarded",
    "visible",
    "what_is_unread",
    "with_points",
    "with_shared_names",
    "without_halves",
    "without_nulls",
    "write_all",
    "write_atomically",
    "write_by_content",
    "write_rows",
    "writing_beside",
    "wrong",
    "wrong_in_all",
]
