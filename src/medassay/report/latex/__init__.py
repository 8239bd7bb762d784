"""Tables and texts as LaTeX.

What enters: `Table` and plain text. What leaves: code in seven-bit signs that any engine compiles
as it is. Nothing that a study says can become a command.
"""

from medassay.report.latex.escape import SIGNS, escaped
from medassay.report.latex.table import PACKAGES, breakable, table_latex

__all__ = ["PACKAGES", "SIGNS", "breakable", "escaped", "table_latex"]
