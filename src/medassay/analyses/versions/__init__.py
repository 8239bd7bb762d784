"""Two versions side by side, as a gate asks: is the new one worse?"""

from medassay.analyses.versions.changed import (
    MOST_CHANGED,
    ChangedAnswers,
    are_studies,
    draw_changed,
)
from medassay.analyses.versions.compare import VersionComparison, compare_versions

__all__ = [
    "MOST_CHANGED",
    "ChangedAnswers",
    "VersionComparison",
    "are_studies",
    "compare_versions",
    "draw_changed",
]
