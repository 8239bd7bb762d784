"""Whether a study lets other packages speak in their own words."""

from medassay.study.config import StudyConfig

__all__ = ["hushes_packages"]


def hushes_packages(config: StudyConfig) -> bool:
    """Say whether coefficients and consensus methods of other packages keep their words.

    Where `[privacy]` keeps texts they may quote one; where the protocol describes only they may
    speak of a test or an interval, and nothing reads what they say.
    """
    return config.privacy.texts != "full" or config.rules.descriptive
