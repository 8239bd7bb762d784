"""A text cut where findings begin and end, so that each stretch can be marked."""

from itertools import pairwise
from typing import TYPE_CHECKING, Final

from medassay.web.laid_out import MarkedStretch
from medassay.web.viewer.records import ShownFinding

if TYPE_CHECKING:
    from collections.abc import Sequence

    from medassay.analyses.results.mark import AnswerPart, MarkResult

__all__ = ["found_in", "pieces_of"]

_GRAVEST: Final = ("danger", "fault", "claim", "step", "document")


def found_in(marks: "Sequence[MarkResult]") -> tuple[ShownFinding, ...]:
    """Number the findings of an answer."""
    return tuple(
        ShownFinding(number, mark.kind, mark.of, mark.says)
        for number, mark in enumerate(marks, start=1)
    )


def pieces_of(
    text: str | None, part: "AnswerPart", marks: "Sequence[MarkResult]"
) -> tuple[MarkedStretch, ...]:
    """Cut one part of an answer; findings may lie over each other.

    Example:
        >>> from medassay.analyses.results.mark import MarkResult, PlaceResult
        >>> place = PlaceResult(part="text", start=0, end=4)
        >>> mark = MarkResult(kind="danger", of="dose", says="too much", places=[place])
        >>> [(piece.words, piece.marks, piece.kind) for piece in pieces_of("Take", "text", [mark])]
        [('Take', (1,), 'danger')]
    """
    if not text:
        return ()
    spans = [
        (place.start, min(place.end, len(text)), number, mark.kind)
        for number, mark in enumerate(marks, start=1)
        for place in mark.places
        if place.part == part and place.start < len(text)
    ]
    cuts = sorted({0, len(text), *(end for span in spans for end in span[:2])})
    pieces = []
    for start, end in pairwise(cuts):
        here = [span for span in spans if span[0] <= start and end <= span[1]]
        numbers = tuple(sorted({number for _, _, number, _ in here}))
        kind = min((kind for *_, kind in here), key=_GRAVEST.index, default="")
        pieces.append(MarkedStretch(text[start:end], numbers, kind))
    return tuple(pieces)
