"""Every page of a file as it stands: cells with their addresses, nothing taken as a header."""

from medassay.errors import Problem
from medassay.tables.decode import decode
from medassay.tables.delimited import delimited_grid, separator_of
from medassay.tables.workbooks import Page, is_workbook, open_workbook

__all__ = ["read_pages"]


def read_pages(content: bytes, file: str) -> tuple[list[Page], tuple[Problem, ...]]:
    """Read a workbook's every sheet, or a CSV file, whatever its ending, encoding and separator.

    No formula is ever computed: of a cell with one, the value is read that it showed when saved.

    Returns:
        The pages, and what was odd and read all the same.

    Raises:
        InvalidInput: The file is no workbook, and no well-formed CSV.
    """
    if not is_workbook(content):
        text, notes = decode(content, file)
        cells = delimited_grid(text, file, separator_of(text, ","))
        return [Page("", cells, from_text=True)], notes
    return open_workbook(content, file), ()
