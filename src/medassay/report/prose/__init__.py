"""What was done and what was found, as paragraphs for a paper.

What enters: `Results`. What leaves: `Statement`s, each with the tables that hold its numbers, and
what to cite. Numbers are taken from the cells of the tables, so that both print the same digits;
no sentence says more than its interval allows.
"""

from medassay.report.prose.citation import SOFTWARE, ListedSource, references
from medassay.report.prose.found import found_statements
from medassay.report.prose.methods import methods_statements
from medassay.report.prose.statement import Statement

__all__ = [
    "SOFTWARE",
    "ListedSource",
    "Statement",
    "found_statements",
    "methods_statements",
    "references",
]
