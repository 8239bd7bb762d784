"""What do the experts jointly say of the documents that were returned?"""

from medassay.analyses.declaration import Declaration, analysis
from medassay.analyses.inputs.readable import DocumentLabels
from medassay.analyses.results.records import Records
from medassay.answers import Answers
from medassay.cases import Cases
from medassay.exhibits.cells import count, missing, text
from medassay.exhibits.natural_order import natural_order
from medassay.exhibits.numbers import PROPORTION, count_of
from medassay.exhibits.table import Bar, Cell, Column, Row, Table
from medassay.marks import CaseId, DocumentId, record
from medassay.study.contents.document_labels import joint_labels

__all__ = ["DocumentRelevance", "JudgedDocument", "document_relevance", "documents_in"]


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
    rows = [
        Row((
            text(row.case),
            text(row.document),
            count(row.labels),
            Cell(PROPORTION(row.share), (row.relevant, row.share), draw=Bar(row.share)),
            missing("as many experts find it relevant as not") if row.consensus is None
            else Cell("relevant" if row.consensus else "not relevant", (row.consensus,)),
        ))
        for row in sorted(relevance.documents, key=lambda row: natural_order(row.case))
    ]  # fmt: skip
    ties = sum(row.consensus is None for row in relevance.documents)
    split = sum(0 < row.share < 1 for row in relevance.documents)
    return Table(
        "relevance",
        "Documents returned, as the experts see them",
        f"In the order returned. The experts are of one mind on {len(rows) - split} of "
        f"{count_of(len(rows), 'document')}; {count_of(ties, 'tie')}.",
        (
            Column("Query", ("case",)),
            Column("Document", ("document",)),
            Column("Experts", ("experts",), numeric=True),
            Column("Find it relevant", ("relevant", "share"), numeric=True),
            Column("Most say", ("consensus",)),
        ),
        tuple(rows),
        empty="No expert labelled single documents.",
    )


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
