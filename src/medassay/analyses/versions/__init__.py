"""Two versions side by side, as a gate asks: is the new one worse?"""

from medassay.analyses.versions.compare import VersionComparison, compare_versions

__all__ = ["VersionComparison", "compare_versions"]
