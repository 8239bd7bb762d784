"""Statistics on plain arrays: what enters is numbers, what leaves is a result object.

Knows nothing of health, cases or raters. Randomness is always passed in as `rng`.
"""

from medassay.stats.intervals import Interval, basic_interval, percentile_interval
from medassay.stats.resample import bootstrap_counts

__all__ = ["Interval", "basic_interval", "bootstrap_counts", "percentile_interval"]
