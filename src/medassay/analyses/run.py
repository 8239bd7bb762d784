"""Run a study from scores to results."""

from medassay.analyses.ask import check_analyses
from medassay.analyses.assemble import assemble
from medassay.analyses.leads_file import write_leads_file
from medassay.analyses.results import Results
from medassay.analyses.score_columns import collect_columns
from medassay.metrics.statements import keeping_tallies
from medassay.study.metric_choice import left_out_now
from medassay.study.runs.run import Run
from medassay.study.scoring.elsewhere import Elsewhere
from medassay.study.scoring.score_study import Progress, Scored, score_study
from medassay.tables import write_atomically

__all__ = ["run_study"]


def run_study(
    run: Run,
    progress: Progress | None = None,
    *,
    fresh: bool = False,
    elsewhere: Elsewhere | None = None,
) -> tuple[Results, Scored]:
    """Score, join, compare: everything that a report shows. Writes the run's scores.parquet.

    The key to raters' pseudonyms, and what was found of each by name, go into the study's folder,
    for the lead alone.

    Args:
        run: The run.
        progress: Told how far it is.
        fresh: Believe no score that is kept.
        elsewhere: Where metrics that run on a model are scored, if not in this process.

    Raises:
        InvalidInput: study.toml asks for an analysis that is not there.
    """
    check_analyses(run.study)
    run.pseudonyms.write_key(run.study.path, run.name)
    with keeping_tallies():
        scored = score_study(run.study, run.metrics, progress, fresh=fresh, elsewhere=elsewhere)
        score_columns = collect_columns(run.study, scored)
        write_atomically(run.folder / "scores.parquet", score_columns.table.to_parquet())
        results = assemble(run.study, scored, score_columns, run.name, progress)
    write_leads_file(run.study.path, run.pseudonyms, results)
    now = left_out_now(run.left_out, run.metrics)
    return results.model_copy(update={"left_out": list(now)}), scored
