"""What do raters and metrics give each system, in the mean, and how far does it spread?"""

from medassay.analyses.builtin.summaries.compute import dimension_summaries, metric_summaries
from medassay.analyses.builtin.summaries.record import Summaries, Summary
from medassay.analyses.builtin.summaries.tables import summary_tables
from medassay.analyses.declaration import Declaration, analysis
from medassay.analyses.inputs.readable import Columns, Design, Rules
from medassay.analyses.results.records import Records
from medassay.cases import Cases
from medassay.judgements import Judgements, Rubric

__all__ = ["summaries", "summaries_in"]


@analysis(
    Declaration(
        id="summaries",
        title="Mean and spread",
        question="What do raters and metrics give each system, and how far does it spread?",
        section="ratings",
        infers=False,
        reader="clinician",
        place=10,
        shown_in="described",
        tables=lambda record, names: summary_tables(record.summaries, names),
    )
)
def summaries(
    rubric: Rubric,
    judgements: Judgements,
    cases: Cases,
    columns: Columns,
    design: Design,
    rules: Rules,
) -> Summaries | None:
    """Describe each system on each dimension; where nothing else is said of metrics, by each."""
    described = dimension_summaries(rubric, judgements, design.systems, cases)
    if rules.describes:
        known = columns.score_columns
        metrics = [column.name for column in known.columns if column.kind == "metric"]
        described += metric_summaries(known.table, metrics, design.systems, cases)
    return Summaries(tuple(described)) if described else None


def summaries_in(records: Records) -> tuple[Summary, ...]:
    """Give what a run describes; nothing where it was not asked."""
    record = records.of(summaries)
    return record.summaries if record else ()
