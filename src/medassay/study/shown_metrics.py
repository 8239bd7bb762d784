"""Metrics as a study's [privacy] lets them speak."""

from medassay.metrics import BoundMetric, without_own_words
from medassay.study.config import StudyConfig

__all__ = ["as_shown"]


def as_shown(metric: BoundMetric, config: StudyConfig) -> BoundMetric:
    """Give a metric that computes the same and, where texts are kept, quotes nothing."""
    return metric if config.privacy.texts == "full" else without_own_words(metric)
