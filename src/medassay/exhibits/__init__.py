"""What is shown, as data: tables with declared columns, numbers as they print, sentences, names.

What enters: records, and what things are called. What leaves: tables and sentences that every form
of a report renders alike. Rounding is here and nowhere else. Knows nothing of studies.
"""

from medassay.exhibits.names import Names

__all__ = ["Names"]
