"""The waist of the house: a score, its name, its signature, its table.

What enters: values or reasons, from metrics, raters or imported files. What leaves: one table that
validity and report read without asking who made the numbers.
"""

from medassay.scores.names import (
    Members,
    Name,
    Number,
    Signature,
    is_word,
    read_parameters,
    refuse_unsaid,
)
from medassay.scores.score import (
    UNIT,
    Reason,
    Score,
    Unit,
    Unscored,
    with_defaults,
    without_defaults,
)
from medassay.scores.table import Grid, ScoreColumns, ScoreTable, scores_from_sheet

__all__ = [
    "UNIT",
    "Grid",
    "Members",
    "Name",
    "Number",
    "Reason",
    "Score",
    "ScoreColumns",
    "ScoreTable",
    "Signature",
    "Unit",
    "Unscored",
    "is_word",
    "read_parameters",
    "refuse_unsaid",
    "scores_from_sheet",
    "with_defaults",
    "without_defaults",
]
