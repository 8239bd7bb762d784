"""Which raters each system met, found once for the leaderboards and for what is said of them."""

from collections.abc import Mapping
from dataclasses import dataclass

from medassay.analyses.score_columns import ranking_cases
from medassay.study.allotted import RaterShares, rater_shares
from medassay.study.folder import Study

__all__ = ["RatersMet", "raters_met"]


@dataclass(frozen=True)
class RatersMet:
    """Which raters each system met on the ranking cases.

    Attributes:
        dimensions: Each judged dimension to how its raters fell to the systems.
    """

    dimensions: Mapping[str, RaterShares]


def raters_met(study: Study) -> RatersMet:
    """Look at how raters fell to systems on the ranking cases."""
    return RatersMet(rater_shares(study, ranking_cases(study)))
