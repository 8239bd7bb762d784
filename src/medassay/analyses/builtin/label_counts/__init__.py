"""How often was each label given?"""

from medassay.analyses.builtin.label_counts.by_system import labels_by_system
from medassay.analyses.builtin.label_counts.compute import (
    given_counts,
    reconciled_counts,
    system_counts,
)
from medassay.analyses.builtin.label_counts.picture import label_pictures
from medassay.analyses.builtin.label_counts.record import LabelCounts
from medassay.analyses.builtin.label_counts.table import labels_table
from medassay.analyses.declaration import Declaration, analysis
from medassay.analyses.inputs.readable import Columns, Design
from medassay.judgements import Judgements, Rubric

__all__ = ["label_counts"]


@analysis(
    Declaration(
        id="label_counts",
        title="Labels given",
        question="How often was each label given, and how often do the raters jointly give it?",
        section="ratings",
        part="ratings-given",
        infers=False,
        reader="clinician",
        place=1,
        tables=lambda record, names: [
            *([labels_by_system(record.by_system, names)] if record.by_system else []),
            labels_table(record.counts, names),
        ],
        pictures=lambda record, names: label_pictures(record.counts, names),
    )
)
def label_counts(
    rubric: Rubric, judgements: Judgements, columns: Columns, design: Design
) -> LabelCounts:
    """Count labels over judgements, and over answers by each way that settles on a label."""
    counts = [*given_counts(rubric, judgements), *reconciled_counts(rubric, columns.score_columns)]
    by_system = system_counts(rubric, judgements, design.systems)
    return LabelCounts(tuple(counts), tuple(by_system))
