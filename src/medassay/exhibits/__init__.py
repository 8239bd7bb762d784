"""What is shown, as data: tables with declared columns, numbers as they print, sentences, names.

What enters: records, and what things are called. What leaves: tables and sentences that every form
of a report renders alike. Rounding is here and nowhere else. Knows nothing of studies.
"""

from medassay.exhibits.claim import Claim, Finding, VerdictKind, VerdictRow
from medassay.exhibits.columns import shown, table_of
from medassay.exhibits.drawing import Picture
from medassay.exhibits.names import Names
from medassay.exhibits.numbers import PROPORTION, Style
from medassay.exhibits.table import Table

__all__ = [
    "PROPORTION",
    "Claim",
    "Finding",
    "Names",
    "Picture",
    "Style",
    "Table",
    "VerdictKind",
    "VerdictRow",
    "shown",
    "table_of",
]
