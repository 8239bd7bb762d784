"""Workbooks of any maker as pages of cells.

What enters: the bytes of an Excel workbook (.xlsx, .xls) or of an OpenDocument one (.ods). What
leaves: a `Page` for each sheet, which knows the text of its cells, and which of them hold an error
or a formula or are hidden by a merge: of such a cell no value may be taken without a word. All that
is unpacked and counted is bounded while it is read, and no entity of XML is ever expanded.
"""

from medassay.tables.workbooks.opening import is_workbook, open_workbook
from medassay.tables.workbooks.page import Page, cell_name, cell_place, column_name

__all__ = ["Page", "cell_name", "cell_place", "column_name", "is_workbook", "open_workbook"]
