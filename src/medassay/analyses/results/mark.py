"""Where in an answer the words stand that decided a score or a flag, as plain data."""

from typing import Literal

from medassay.annotations import DocumentId, Text
from medassay.annotations.record import Plain

AnswerPart = Literal["choice", "text", "reasoning"]


class PlaceResult(Plain, infers=False):
    """A stretch of one part of an answer, counted in characters."""

    part: AnswerPart
    start: int
    end: int


class MarkResult(Plain, infers=False):
    """One finding with every place that decided it."""

    kind: Literal["step", "document", "fault", "danger", "claim"]
    of: DocumentId
    """The step, the document, the kind of fault, the rule, or the verdict."""
    says: Text
    places: list[PlaceResult]
    """Empty where the finding is that something is missing."""
