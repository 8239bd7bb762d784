"""Rules that flag answers for review: contraindications, doses, missed and delayed emergencies.

What enters: a case and an answer. What leaves: flags, each with its kind, its rule, its source and
the words that decided. A flag is a reason to look, never a verdict. Who reads answers imports
`match` there: its patterns take longer to compile than all else here.
"""

from medassay.metrics.danger.rules import (
    CATEGORIES,
    Category,
    DangerFlag,
    DangerRules,
    danger_rules,
)

__all__ = [
    "CATEGORIES",
    "Category",
    "DangerFlag",
    "DangerRules",
    "danger_rules",
]
