"""Why systems fail: which options and conditions they take for others, and what made them err.

What enters: what was right and what was chosen, case by case, with what was retrieved. What leaves:
counts and the figures that follow from them. Nothing here judges; what rules find is for a person
to look at.
"""

from medassay.error_analysis.causes import (
    Cause,
    ErrorCause,
    ErrorVerdict,
    Flip,
    FlipKind,
    OptionChosen,
    choice_flips,
    error_cause,
    harm_verdicts,
)
from medassay.error_analysis.confusions import (
    Condition,
    ConditionConfusion,
    ConditionGroups,
    ConditionPair,
    Likeness,
    OptionConfusion,
    OptionFigures,
    condition_groups,
    read_condition_groups,
)

__all__ = [
    "Cause",
    "Condition",
    "ConditionConfusion",
    "ConditionGroups",
    "ConditionPair",
    "ErrorCause",
    "ErrorVerdict",
    "Flip",
    "FlipKind",
    "Likeness",
    "OptionChosen",
    "OptionConfusion",
    "OptionFigures",
    "choice_flips",
    "condition_groups",
    "error_cause",
    "harm_verdicts",
    "read_condition_groups",
]
