"""All that `medassay validity` says: what a report's section on metrics and raters holds."""

from collections.abc import Sequence
from dataclasses import dataclass

from medassay.analyses.ask import chosen
from medassay.analyses.inputs.readable import Inputs
from medassay.analyses.inputs.study_columns import StudyColumns, collect_columns
from medassay.analyses.inputs.study_description import describe_source
from medassay.analyses.registry import is_ours
from medassay.analyses.results.whole import Records
from medassay.exhibits import Names
from medassay.metrics import BoundMetric
from medassay.study.folder import Study
from medassay.study.scoring.score_study import Progress, score_study


@dataclass(frozen=True)
class ValidityReport:
    """Which metrics agree with raters.

    Attributes:
        records: What each analysis of the section found.
        names: What systems, columns and dimensions are called.
    """

    records: Records
    names: Names


def validity_report(
    study: Study, metrics: Sequence[BoundMetric], progress: Progress | None = None
) -> ValidityReport:
    """Score what is stale, and hold every metric against the raters."""
    score_columns = collect_columns(study, score_study(study, metrics, progress))
    inputs = Inputs(study, score_columns)
    own = [
        analysis
        for analysis in chosen(study)
        if is_ours(analysis) and analysis.declared.section == "validity"
    ]
    records = Records(
        {analysis.id: analysis.compute(**inputs.of(analysis)) for analysis in own}
    ).known()
    return ValidityReport(records, _names(study, score_columns))


def _names(study: Study, score_columns: StudyColumns) -> Names:
    columns = score_columns.columns
    names = Names(
        {system: study.system(system).title for system in study.systems},
        {c.name: describe_source(study, score_columns.table, c).title for c in columns},
        {dimension.id: dimension.title for dimension in study.rubric.dimensions},
        synthetic=study.config.synthetic,
    )
    names.judged = {column.name: column.dimension for column in columns if column.dimension}
    names.controls = frozenset(column.name for column in columns if column.control)
    return names
