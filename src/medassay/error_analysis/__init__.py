"""Why systems fail: which options and conditions they take for others, and what made them err.

What enters: what was right and what was chosen, case by case. What leaves: counts and the figures
that follow from them. Nothing here judges; what rules find is for a person to look at.
"""

from medassay.error_analysis.options import OptionConfusion, OptionFigures

__all__ = ["OptionConfusion", "OptionFigures"]
