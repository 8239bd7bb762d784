"""Means of systems as if all had met the same raters: a mixed model with intervals by case."""

from medassay.stats.rater_adjusted.contrasts import Contrast, Contrasts
from medassay.stats.rater_adjusted.fit import Adjusted, adjust_for_raters
from medassay.stats.rater_adjusted.labels import Labels

__all__ = ["Adjusted", "Contrast", "Contrasts", "Labels", "adjust_for_raters"]
