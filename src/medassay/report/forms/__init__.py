"""A run in the forms that a paper needs.

What enters: `Results`. What leaves: bytes of files: Markdown, LaTeX that compiles as it is, and a
workbook, each with the same paragraphs and the same tables.
"""

from medassay.report.forms.document import Document, Drawn
from medassay.report.forms.latex import latex_files
from medassay.report.forms.markdown import markdown
from medassay.report.forms.workbook import workbook

__all__ = ["Document", "Drawn", "latex_files", "markdown", "workbook"]
