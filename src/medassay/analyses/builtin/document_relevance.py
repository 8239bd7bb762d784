"""Which of the documents that were returned do most experts find relevant?"""

from medassay.analyses.declaration import Declaration, analysis
from medassay.analyses.inputs.readable import DocumentLabels
from medassay.analyses.results.whole import Records
from medassay.annotations import CaseId, DocumentId, record
from medassay.answers import Answers
from medassay.cases import Cases
from medassay.exhibits.columns import counted, shown, table_of
from medassay.exhibits.names import natural_order
from medassay.exhibits.numbers import PROPORTION, count_of
from medassay.exhibits.table import Bar, Table
from medassay.study.contents.document_labels import joint_labels


@record(infers=False)
class JudgedDocument:
    """One document that was returned for one query, and what the experts say of it.

    Attributes:
        labels: Experts who labelled it.
        relevant: How many of them find it relevant.
        share: Their share.
        consensus: What most of them say; None for a tie.
        rank: Its best place in a ranking of any system, from 1; None where none returned it.
    """

    case: CaseId
    document: DocumentId
    labels: int
    relevant: int
    share: float
    consensus: int | None
    rank: int | None = None


@record(infers=False)
class DocumentRelevance:
    """What the experts say of each document, in the order of the cases and of their rankings."""

    documents: tuple[JudgedDocument, ...]


def _table(relevance: DocumentRelevance) -> Table:
    """Show what the experts say of each document that was returned."""
    documents = sorted(relevance.documents, key=lambda row: natural_order(row.case))
    ties = sum(row.consensus is None for row in documents)
    split = sum(0 < row.share < 1 for row in documents)
    return table_of(
        documents,
        (
            shown("Query", "case"),
            shown("Document", "document"),
            counted("Experts", "labels", file="experts"),
            shown(
                "Find it relevant", "relevant", says=lambda row: PROPORTION(row.share),
                adds=("share",), draw=lambda row: Bar(row.share), numeric=True,
            ),
            shown(
                "Most say", "consensus",
                says=lambda row: "relevant" if row.consensus else "not relevant",
                why_not=lambda _: "as many experts find it relevant as not",
            ),
        ),
        id="relevance",
        title="Documents returned, as the experts see them",
        caption=f"In the order returned. All experts agree on {len(documents) - split} of "
        f"{count_of(len(documents), 'document')}; {count_of(ties, 'tie')}.",
        empty="No expert labelled single documents.",
    )  # fmt: skip


@analysis(
    Declaration(
        id="document_relevance",
        title="Documents returned",
        question="Which of the documents that were returned do the experts find relevant?",
        section="ratings",
        infers=False,
        reader="organiser",
        place=11,
        shown_in="described",
        tables=lambda relevance, _: [_table(relevance)],
    )
)
def document_relevance(
    document_labels: DocumentLabels, cases: Cases, answers: Answers
) -> DocumentRelevance | None:
    """Count each document's labels, in the order of the cases and of their rankings.

    The consensus is what most experts say; an even split is a tie and no label. It is the same
    that metrics of retrieval read.
    """
    if not document_labels.labels:
        return None
    joint = joint_labels(document_labels.labels)
    ranks: dict[tuple[str, str], int] = {}
    for answer in answers:
        for rank, retrieved in enumerate(answer.retrieved or ()):
            key = (answer.case, retrieved.document)
            ranks[key] = min(rank, ranks.get(key, rank))
    order = {case: place for place, case in enumerate(cases.ids)}
    keys = sorted(joint, key=lambda key: (order[key[0]], ranks.get(key, len(ranks)), key[1]))
    return DocumentRelevance(
        tuple(
            JudgedDocument(
                case,
                document,
                label.labels,
                label.relevant,
                label.share,
                None if label.grade is None else int(label.grade),
                ranks[case, document] + 1 if (case, document) in ranks else None,
            )
            for case, document in keys
            for label in [joint[case, document]]
        )
    )


def documents_in(records: Records) -> tuple[JudgedDocument, ...]:
    """Give what a run says of documents; nothing where it was not asked, or nobody labelled any."""
    relevance = records.of(document_relevance)
    return relevance.documents if relevance else ()
