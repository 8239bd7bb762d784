"""Systems that met different cases, allotted by chance: what each case says counts."""

from medassay.stats.allotted.compare import Allotted, AllottedDifference, compare_allotted
from medassay.stats.allotted.max_t import max_t_adjusted
from medassay.stats.allotted.random_cases import RandomCases
from medassay.stats.allotted.redrawn import Redrawn, redrawn
from medassay.stats.allotted.score_intervals import PairCounts, joined_score_interval

__all__ = [
    "Allotted",
    "AllottedDifference",
    "PairCounts",
    "RandomCases",
    "Redrawn",
    "compare_allotted",
    "joined_score_interval",
    "max_t_adjusted",
    "redrawn",
]
