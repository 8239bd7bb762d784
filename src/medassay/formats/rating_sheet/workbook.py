"""A rater's workbook: instructions, the ratings, the rubric, and long texts."""

import io
from datetime import UTC, datetime
from typing import Final

from medassay.formats.rating_sheet.looks import Looks
from medassay.formats.rating_sheet.ratings_page import PAGE, write_ratings_page
from medassay.formats.rating_sheet.rubric_page import write_rubric_page
from medassay.formats.rating_sheet.sheet import RatingSheet
from medassay.formats.rating_sheet.start_page import write_start_page
from medassay.formats.rating_sheet.texts_page import TITLE, LongTexts

__all__ = ["workbook_bytes"]

# The first moment that a ZIP archive can name: the file tells nobody when or by whom it was made.
_NO_MOMENT: Final = datetime(1980, 1, 1, tzinfo=UTC).replace(tzinfo=None)


def workbook_bytes(sheet: RatingSheet) -> bytes:
    """Write an Excel workbook; the same sheet gives the same bytes, and no cell is a formula."""
    import xlsxwriter

    out = io.BytesIO()
    options = {
        "in_memory": True,
        "strings_to_formulas": False,
        "strings_to_urls": False,
        "strings_to_numbers": False,
    }
    book = xlsxwriter.Workbook(out, options)
    book.set_properties({"created": _NO_MOMENT})
    looks = Looks(book)
    start = book.add_worksheet("Start")
    ratings = book.add_worksheet(PAGE)
    rubric = book.add_worksheet("Rubric")
    long_texts = LongTexts()
    write_start_page(start, sheet, looks)
    write_ratings_page(ratings, sheet, looks, long_texts)
    write_rubric_page(rubric, sheet, looks)
    if long_texts:
        long_texts.write(book.add_worksheet(TITLE), looks)
    book.close()
    return out.getvalue()
