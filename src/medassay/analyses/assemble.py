"""Put everything that was computed into the one structure that the report renders."""

from medassay.__about__ import __version__
from medassay.analyses import results as r
from medassay.analyses.answer_marks import answer_marks
from medassay.analyses.ask import asked_of, cautions_of, not_asked
from medassay.analyses.case import case_results
from medassay.analyses.chain_reading import ChainsRead
from medassay.analyses.dangers import Dangers
from medassay.analyses.describe import methods_of, notes_of, ranking_rule
from medassay.analyses.descriptive import as_told, kinds_of_statistics
from medassay.analyses.inputs import Inputs
from medassay.analyses.judged_by import judged_by
from medassay.analyses.overview import dimension_result, study_info, system_result
from medassay.analyses.registry import broken_analyses
from medassay.analyses.score_columns import (
    StudyColumns,
    primary_source,
    ranking_cases,
)
from medassay.analyses.shortened import shortened_results
from medassay.analyses.shown_cases import describe_shown, shown_cases
from medassay.analyses.statement import find_statements
from medassay.study.folder import Study
from medassay.study.scoring.score_study import Progress, Scored

__all__ = ["assemble"]


def assemble(
    study: Study,
    scored: Scored,
    score_columns: StudyColumns,
    run_name: str,
    progress: Progress | None = None,
) -> r.Results:
    """Compute what is left to compute, and lay everything out."""
    table, columns = score_columns.table, score_columns.columns
    primary, fallback = primary_source(study, columns)
    inputs = Inputs(study, score_columns, progress)
    sources = list(inputs.part(tuple[r.SourceResult, ...]))
    dangers = inputs.part(Dangers)
    shown = shown_cases(study, dangers)
    statements = find_statements(study, columns, shown)
    asked = list(
        dict.fromkeys(place.question for place in score_columns.places.values() if place.question)
    )
    answered, failed = asked_of(inputs)
    results = r.Results(
        study=study_info(study),
        run=r.RunInfo(
            name=run_name,
            seed=study.config.run.seed,
            replicates=study.config.run.replicates,
            software=f"medassay {__version__}",
            inputs=study.inputs,
        ),
        systems=[system_result(study, system) for system in study.systems],
        dimensions=[dimension_result(study, name) for name in study.rubric.ids],
        sources=sources,
        questions=asked,
        shortened=shortened_results(table, columns),
        verdicts=statements.verdicts,
        ranking_rule=ranking_rule(study),
        ranking_cases=list(ranking_cases(study)),
        primary=primary,
        primary_asked=not fallback,
        judged_by=judged_by(study),
        analyses=answered,
        not_asked=not_asked(study),
        cases=case_results(
            study,
            table,
            columns,
            statements.shown,
            answer_marks(study, inputs.part(ChainsRead), dangers.flags, statements.shown),
            shown,
        ),
        methods=methods_of(study, columns),
        warnings=[
            *notes_of(study, sources),
            *asked,
            *(f"Left out: {problem}" for problem in broken_analyses()),
            *failed,
            *fallback,
            *describe_shown(study, shown),
            *scored.cautions,
            *cautions_of(answered),
        ],
    )
    results = as_told(study, results)
    return results.model_copy(update={"statistics": kinds_of_statistics(results)})
