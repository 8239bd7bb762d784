"""A rater's workbook: instructions, the ratings, the rubric, and long texts."""

import io

from medassay.campaign.rating_sheet.ratings_page import PAGE, write_ratings_page
from medassay.campaign.rating_sheet.rubric_page import write_rubric_page
from medassay.campaign.rating_sheet.sheet import RatingSheet
from medassay.campaign.rating_sheet.start_page import write_start_page
from medassay.campaign.rating_sheet.styles import SheetStyles
from medassay.campaign.rating_sheet.texts_page import TITLE, LongTexts
from medassay.tables import new_workbook

__all__ = ["workbook_bytes"]


def workbook_bytes(sheet: RatingSheet) -> bytes:
    """Write an Excel workbook; the same sheet gives the same bytes, and no cell is a formula."""
    out = io.BytesIO()
    book = new_workbook(out)
    styles = SheetStyles(book)
    start = book.add_worksheet("Start")
    ratings = book.add_worksheet(PAGE)
    rubric = book.add_worksheet("Rubric")
    long_texts = LongTexts()
    write_start_page(start, sheet, styles)
    write_ratings_page(ratings, sheet, styles, long_texts)
    write_rubric_page(rubric, sheet, styles)
    if long_texts:
        long_texts.write(book.add_worksheet(TITLE), styles)
    book.close()
    return out.getvalue()
