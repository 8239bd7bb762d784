"""What is shown, as data: tables with declared columns, numbers as they print, sentences, names.

What enters: records, and what things are called. What leaves: tables and sentences that every form
of a report renders alike. Rounding is here and nowhere else. Knows nothing of studies.
"""

from medassay.exhibits.claim import Claim, VerdictKind
from medassay.exhibits.columns import shown, table_of
from medassay.exhibits.finding import Finding
from medassay.exhibits.names import Names
from medassay.exhibits.numbers import PROPORTION, Style
from medassay.exhibits.picture import Picture
from medassay.exhibits.table import Table
from medassay.exhibits.verdict_row import VerdictRow

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
