"""Other people's files into studies, and studies into theirs: one folder a format.

What enters: files of shared tasks, tools and panels. What leaves: files of a study, or files as
those tools read them. A format is what its `declared.py` says of it; the registry finds ours, and
those of other packages.
"""

from medassay.exchange.declaration import API, Columns, Format, Glimpse, Option, Reads, Writes
from medassay.exchange.outcome import Outcome, Overview
from medassay.exchange.proposal import (
    EditableLine,
    Explained,
    ImportQuestion,
    Proposal,
    Undecided,
    asked_at_once,
    problem_of,
)

__all__ = [
    "API",
    "Columns",
    "EditableLine",
    "Explained",
    "Format",
    "Glimpse",
    "ImportQuestion",
    "Option",
    "Outcome",
    "Overview",
    "Proposal",
    "Reads",
    "Undecided",
    "Writes",
    "asked_at_once",
    "problem_of",
]
