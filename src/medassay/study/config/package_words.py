"""How far a study lets other packages speak in their own words."""

from medassay.metrics import BoundMetric, without_own_words
from medassay.study.config.study_toml import StudyConfig

__all__ = ["as_shown", "hushes_packages"]


def hushes_packages(config: StudyConfig) -> bool:
    """Say whether coefficients and consensus methods of other packages keep their words.

    Where `[privacy]` keeps texts they may quote one; where the protocol describes only they may
    speak of a test or an interval, and nothing reads what they say.
    """
    return config.privacy.texts != "full" or config.rules.descriptive


def as_shown(metric: BoundMetric, config: StudyConfig) -> BoundMetric:
    """Give a metric that computes the same and, where texts are kept, quotes nothing."""
    return metric if config.privacy.texts == "full" else without_own_words(metric)
