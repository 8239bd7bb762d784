"""All that `medassay validity` says, laid out."""

from collections.abc import Sequence

from medassay.analyses.correlations import correlation_results
from medassay.analyses.human import (
    drawn_score_results,
    harm_bound_results,
    human_score_results,
)
from medassay.analyses.judged_share import judged_share_results
from medassay.analyses.primary import primary_of
from medassay.analyses.results import CorrelationResult
from medassay.analyses.results.trust import TrustResult
from medassay.analyses.results.unjudged import UnjudgedTrustResult
from medassay.analyses.results.validity import ValidityDetail
from medassay.analyses.score_columns import StudyColumns, collect_columns, validity_of
from medassay.analyses.trust import trust_results
from medassay.analyses.unjudged import (
    unjudged_results,
    unjudged_trust_results,
    with_unjudged_notes,
)
from medassay.analyses.validity import validity_detail
from medassay.marks.plain import Plain
from medassay.metrics import BoundMetric
from medassay.study.folder import Study
from medassay.study.scoring import Progress, score_study
from medassay.validity import DrawnScore, HumanScore, JudgedShare, SystemHarm, UnjudgedRank

__all__ = ["ValidityReport", "held_against_raters", "validity_report"]


class ValidityReport(Plain, infers=True):
    """Which metrics the raters bear out."""

    trust: list[TrustResult]
    detail: ValidityDetail | None
    human_scores: list[HumanScore]
    harm_bounds: list[SystemHarm]
    judged_shares: list[JudgedShare]
    unjudged: list[UnjudgedRank]
    unjudged_trust: list[UnjudgedTrustResult]
    drawn_scores: list[DrawnScore]
    correlations: list[CorrelationResult]


def validity_report(
    study: Study, metrics: Sequence[BoundMetric], progress: Progress | None = None
) -> ValidityReport:
    """Score what is stale, and hold every metric against the raters."""
    return held_against_raters(study, collect_columns(study, score_study(study, metrics, progress)))


def held_against_raters(study: Study, score_columns: StudyColumns) -> ValidityReport:
    """Hold every column of scores against the raters: a verb and a report say the same of it."""
    trusted, lacking = trust_results(study, score_columns), unjudged_results(study, score_columns)
    ruled = unjudged_trust_results(study, score_columns, trusted)
    return ValidityReport(
        trust=with_unjudged_notes(trusted, lacking, ruled),
        detail=validity_detail(study, score_columns),
        human_scores=human_score_results(study, score_columns),
        harm_bounds=harm_bound_results(study, score_columns),
        judged_shares=judged_share_results(study, score_columns),
        unjudged=lacking,
        unjudged_trust=ruled,
        drawn_scores=drawn_score_results(study, score_columns),
        correlations=correlation_results(
            score_columns.columns,
            validity_of(study, score_columns),
            primary_of(study, score_columns),
        ),
    )
