"""What a run found about the documents that were returned, as the experts see them."""

from typing import Final

from medassay.marks import CaseId, DocumentId
from medassay.marks.plain import Plain

__all__ = ["DOCUMENTS", "RelevanceResult"]

DOCUMENTS: Final = "relevance"
"""What stands in the place of a dimension where experts label documents, not answers."""


class RelevanceResult(Plain, infers=False):
    """One document that was returned for one query, and what the experts say of it."""

    case: CaseId
    document: DocumentId
    labels: int
    """Experts who labelled it."""
    relevant: int
    """How many of them find it relevant."""
    share: float
    consensus: int | None
    """What most of them say; None for a tie."""
