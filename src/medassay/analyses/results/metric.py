"""What a run says of its metrics beside their scores, as plain data."""

from typing import Literal

from medassay.annotations import DesignName, DocumentId, Text
from medassay.annotations.record import Plain

__all__ = [
    "ShortenedResult",
    "StatementResult",
    "StatementsResult",
    "VerdictsResult",
]


class StatementResult(Plain, infers=False):
    """One statement with its verdict and the sentence that decides."""

    text: Text | None
    """None under `texts = ids`."""
    verdict: Literal["supported", "contradicted", "not found"]
    strength: float
    """How strongly the judge holds it, 0 to 1."""
    evidence: DocumentId | None
    """The id of the evidence that the sentence stands in; None where no sentence decides."""
    sentence: Text | None
    why: Text | None


class StatementsResult(Plain, infers=False):
    """The statements of one answer, as some metrics count them."""

    metrics: list[DesignName]
    statements: list[StatementResult]


class VerdictsResult(Plain, infers=False):
    """How many statements of all answers are supported, contradicted and not found."""

    metrics: list[DesignName]
    supported: int
    contradicted: int
    not_found: int
    decided: int
    """Statements with a sentence that decides; the report shows it beside them."""


class ShortenedResult(Plain, infers=False):
    """Scores of texts that are longer than a model reads at once."""

    metric: DesignName
    scored: int
    cut: int
    """Scores made without the end of a text."""
    in_windows: int
    """Scores of texts that were read window by window, whole."""
