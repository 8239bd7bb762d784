"""Rules that flag answers for review: contraindications, doses, missed and delayed emergencies.

What enters: a case and an answer. What leaves: flags, each with its kind, its rule, its source and
the words that decided. A flag is a reason to look, never a verdict.
"""

from medassay.metrics.danger.match import DangerFlag, find_dangers
from medassay.metrics.danger.rules import CATEGORIES, Category, DangerRules, danger_rules

__all__ = [
    "CATEGORIES",
    "Category",
    "DangerFlag",
    "DangerRules",
    "danger_rules",
    "find_dangers",
]
