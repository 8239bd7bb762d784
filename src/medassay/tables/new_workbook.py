"""A workbook to write into that holds no formula and no moment."""

from datetime import UTC, datetime
from io import BytesIO
from typing import TYPE_CHECKING, Final

from medassay.tables.visible import without_halves

if TYPE_CHECKING:
    from xlsxwriter import Workbook

__all__ = ["new_workbook"]

# The first moment that a ZIP archive can name: the file tells nobody when or by whom it was made.
_NO_MOMENT: Final = datetime(1980, 1, 1, tzinfo=UTC).replace(tzinfo=None)


def new_workbook(out: BytesIO, title: str = "") -> "Workbook":
    """Begin a workbook whose bytes depend on its cells alone, and whose texts stay texts.

    Example:
        >>> out = BytesIO()
        >>> book = new_workbook(out)
        >>> book.add_worksheet("One").write(0, 0, "=1+1")
        0
        >>> book.close()
        >>> out.getvalue()[:2]
        b'PK'
    """
    import xlsxwriter
    from xlsxwriter.worksheet import Worksheet

    class WholeSigns(Worksheet):  # type: ignore[misc]  # xlsxwriter publishes no types
        def _write_string(self, row: int, col: int, string: str, *form: object) -> object:
            return super()._write_string(row, col, without_halves(string), *form)

    options = {
        "in_memory": True,
        "strings_to_formulas": False,
        "strings_to_urls": False,
        "strings_to_numbers": False,
    }
    book = xlsxwriter.Workbook(out, options)
    book.worksheet_class = WholeSigns
    book.set_properties({"created": _NO_MOMENT, **({"title": title} if title else {})})
    return book
