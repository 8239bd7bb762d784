"""Open a workbook of any kind, or say why it cannot be read."""

import zipfile
import zlib
from typing import Final

from medassay.errors import InvalidInput, Problem
from medassay.tables.workbooks.archive import MARKUP_ERRORS, Archive
from medassay.tables.workbooks.excel import read_excel, read_old_excel
from medassay.tables.workbooks.open_document import MARK, read_open_document
from medassay.tables.workbooks.page import Damaged, Page

__all__ = ["is_workbook", "open_workbook"]

_ARCHIVE: Final = b"PK\x03\x04"
_OLD: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_DAMAGED: Final = (
    Damaged, zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, RuntimeError,
    OverflowError, *MARKUP_ERRORS,
)  # fmt: skip


def is_workbook(content: bytes) -> bool:
    """Say whether bytes begin as workbooks do."""
    return content.startswith((_ARCHIVE, _OLD))


def open_workbook(content: bytes, file: str) -> list[Page]:
    """Read every sheet: its cells as text, its errors, formulas and merges.

    Raises:
        InvalidInput: The file is no workbook, damaged, or holds more than any table.
    """
    try:
        if content.startswith(_OLD):
            return read_old_excel(content, file)
        with Archive(content, file) as archive:
            read = read_open_document if archive.start_of("mimetype", 99) == MARK else read_excel
            return read(archive, file)
    except _DAMAGED as error:
        got = f"a workbook or archive that cannot be read ({error})"
        raise InvalidInput(Problem(file, "be a table", got, "Save it as CSV UTF-8.")) from error
