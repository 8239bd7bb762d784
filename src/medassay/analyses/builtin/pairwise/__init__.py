"""How far does every expert agree with every other?"""

from medassay.analyses.builtin.pairwise.compute import (
    agreement_on_documents,
    over_pairs,
)
from medassay.analyses.builtin.pairwise.record import OverPairs, Pairwise
from medassay.analyses.builtin.pairwise.tables import pairwise_table
from medassay.analyses.declaration import Declaration, analysis
from medassay.analyses.inputs.rater_agreement import Agreed
from medassay.analyses.inputs.readable import DocumentLabels
from medassay.analyses.results.records import Records
from medassay.judgements import Rubric

__all__ = ["over_pairs_in", "pairwise"]


@analysis(
    Declaration(
        id="pairwise",
        title="Agreement of every two experts",
        question="How far does every expert agree with every other?",
        section="panel",
        part="panel-agreement",
        infers=False,
        reader="organiser",
        place=21,
        shown_in="described",
        tables=lambda pairwise, names: [pairwise_table(pairwise.dimensions, names)],
    )
)
def pairwise(rubric: Rubric, agreed: Agreed, document_labels: DocumentLabels) -> Pairwise | None:
    """Sum up kappa over every two raters of answers, and of documents."""
    over = (*agreement_on_documents(document_labels.labels), *over_pairs(rubric, agreed.parts))
    return Pairwise(over) if over or agreed.judgements else None


def over_pairs_in(records: Records) -> tuple[OverPairs, ...]:
    """Give what a run says of every two raters; nothing where it was not asked."""
    record = records.of(pairwise)
    return record.dimensions if record else ()
