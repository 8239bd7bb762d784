"""A rater's sheet as CSV, and the rubric beside it."""

from collections.abc import Iterable, Sequence

from medassay.campaign.rating_sheet.rubric_page import rubric_rows
from medassay.campaign.rating_sheet.sheet import (
    ABOUT,
    BATCH,
    CODE,
    HEADINGS,
    INVENTED,
    NOTES,
    PASSAGE,
    RATIONALE,
    SYNTHETIC,
    RatingSheet,
    said_columns,
)
from medassay.campaign.rating_sheet.start_page import instructions
from medassay.judgements import Rubric
from medassay.tables import csv_bytes, guarded, text_bytes

__all__ = ["csv_sheet_bytes", "instructions_bytes", "marked_csv", "rubric_bytes"]


def marked_csv(header: Sequence[str], rows: Iterable[Sequence[str]]) -> bytes:
    """Write CSV that spreadsheets open rightly: UTF-8 with its mark, and nothing to run."""
    cells = [[guarded(cell) for cell in row] for row in rows]
    return b"\xef\xbb\xbf" + csv_bytes([guarded(cell) for cell in header], cells)


def csv_sheet_bytes(sheet: RatingSheet) -> bytes:
    """Write a rater's rows as CSV."""
    kinds = [kind for kind in HEADINGS if sheet.has(kind)]
    asked = [PASSAGE] if sheet.has_passages else []
    asked += [column.heading for column in said_columns(sheet.rubric)]
    about = [ABOUT] if sheet.is_parted else []
    header = [CODE, *about, BATCH, *(HEADINGS[kind] for kind in kinds), *asked, RATIONALE, NOTES]
    rows = [
        [
            row.code,
            *([row.about] if about else []),
            str(row.batch),
            *("\n".join(row.texts.get(kind, ())) for kind in kinds),
            *("" for _ in [*asked, RATIONALE, NOTES]),
        ]
        for row in sheet.rows
    ]
    if sheet.synthetic:
        header.append(INVENTED)
        rows = [[*row, SYNTHETIC] for row in rows]
    return marked_csv(header, rows)


def rubric_bytes(rubric: Rubric) -> bytes:
    """Write the rubric as CSV."""
    header = ["Column", "Question", "Label", "Choose it when", "Example"]
    return marked_csv(header, rubric_rows(rubric))


def instructions_bytes(sheet: RatingSheet) -> bytes:
    """Write what to do as plain text, in words that fit a CSV file."""
    lines = [SYNTHETIC, ""] if sheet.synthetic else []
    lines += [sheet.title, "", "What to do", ""]
    steps = instructions(sheet, plain=True)
    lines += [f"{number}. {step}" for number, step in enumerate(steps, start=1)]
    return text_bytes("".join(f"{line}\n" for line in lines))
