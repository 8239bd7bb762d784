"""The waist of the house: a score, its name, its signature, its table.

What enters: values or reasons, from metrics, raters or imported files. What leaves: one table that
validity and report read without asking who made the numbers.
"""

from medassay.scores.columns import ScoreColumns
from medassay.scores.names import Name, is_word
from medassay.scores.parameters import Number, read_parameters
from medassay.scores.read import scores_from_sheet
from medassay.scores.score import Reason, Score, Unscored
from medassay.scores.signature import Signature
from medassay.scores.table import Grid, ScoreTable
from medassay.scores.unit import UNIT, Unit, with_defaults, without_defaults

__all__ = [
    "UNIT",
    "Grid",
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
    "scores_from_sheet",
    "with_defaults",
    "without_defaults",
]
