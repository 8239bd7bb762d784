"""The family of tests that a study names, in the names of its columns."""

from medassay.analyses.score_columns import StudyColumns
from medassay.study.folder import Study
from medassay.study.opening.choices import primary_metrics
from medassay.validity import Primary

__all__ = ["primary_of"]


def primary_of(study: Study, score_columns: StudyColumns) -> Primary:
    """Give the metrics, and the consensuses on the dimensions, that the study was made to test."""
    dimensions = study.config.report.primary_dimensions
    consensuses = [
        column.name for column in score_columns.columns if column.dimension in (dimensions or ())
    ]
    return Primary(
        primary_metrics(study.config), None if dimensions is None else frozenset(consensuses)
    )
