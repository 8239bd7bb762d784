"""Rating sheets: the workbooks and CSV files that raters fill in, out and in again.

What enters: what one rater is to rate, with everything that stands beside it. What leaves: the
bytes of a workbook or CSV file; and, of files that came back, their cells with their addresses.
"""

from medassay.campaign.rating_sheet.files import (
    ReturnedFile,
    ReturnedTable,
    SentRow,
    about_word,
    csv_sheet_bytes,
    instructions_bytes,
    marked_csv,
    read_returned,
    rows_as_sent,
    rubric_bytes,
)
from medassay.campaign.rating_sheet.sheet import (
    ABOUT,
    ABOUT_KINDS,
    CODE,
    HEADINGS,
    NOTES,
    PASSAGE,
    RATIONALE,
    REASON_WORDS,
    SENT_HEADINGS,
    SYNTHETIC,
    RatingSheet,
    SaidColumn,
    SheetRow,
    dimension_headings,
    said_columns,
)
from medassay.campaign.rating_sheet.workbook import workbook_bytes

__all__ = [
    "ABOUT",
    "ABOUT_KINDS",
    "CODE",
    "HEADINGS",
    "NOTES",
    "PASSAGE",
    "RATIONALE",
    "REASON_WORDS",
    "SENT_HEADINGS",
    "SYNTHETIC",
    "RatingSheet",
    "ReturnedFile",
    "ReturnedTable",
    "SaidColumn",
    "SentRow",
    "SheetRow",
    "about_word",
    "csv_sheet_bytes",
    "dimension_headings",
    "instructions_bytes",
    "marked_csv",
    "read_returned",
    "rows_as_sent",
    "rubric_bytes",
    "said_columns",
    "workbook_bytes",
]
