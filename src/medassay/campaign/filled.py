"""What a rater filled in for one dimension: a label, a number or a kind, and what goes with it."""

from typing import NamedTuple

from medassay.campaign.labels import read_label, read_number, read_word
from medassay.campaign.rating_sheet import REASON_WORDS, SaidColumn
from medassay.judgements import NO_SPAN, Dimension
from medassay.judgements.rubric import words_for

__all__ = ["Filled", "read_cell"]


class Filled(NamedTuple):
    """What was said of one thing on one dimension.

    Attributes:
        word: The label, the number in its shortest form, or the kind of a passage.
        reason: Why there is none.
        severity: How bad the passage is.
        confidence: How sure the rater is.
    """

    word: str | None = None
    reason: str | None = None
    severity: str | None = None
    confidence: str | None = None

    def __str__(self) -> str:
        """Say it in words."""
        text = self.word if self.word is not None else (self.reason or "").replace("_", " ")
        more = [part for part in (self.severity, self.confidence) if part]
        return f"{text} ({', '.join(more)})" if more else text

    def columns(self, dimension: Dimension) -> dict[str, object]:
        """Give what columns of a judgement hold."""
        return {
            dimension.column: self.word,
            "reason": self.reason,
            "severity": self.severity,
            "confidence": self.confidence,
        }

    @classmethod
    def held(cls, row: dict[str, object]) -> "Filled":
        """Read what a row of judgements says."""
        number = row["number"]
        word = row["label"] or row["kind"]
        word = f"{number:.15g}" if isinstance(number, float) else word
        cells = (word, row["reason"], row["severity"], row["confidence"])
        return cls(*(None if cell is None else str(cell) for cell in cells))


def read_cell(text: str, column: SaidColumn) -> Filled | str:
    """Read a cell of a sheet.

    Returns:
        What it says, in its place; or, where it says nothing that was asked, what to try.

    Example:
        >>> from medassay.judgements import load_rubric
        >>> quality = SaidColumn("Quality", load_rubric("likert5").dimensions[0])
        >>> read_cell("4.0", quality)
        Filled(word='4', reason=None, severity=None, confidence=None)
    """
    dimension = column.dimension
    if column.what != "said":
        word_or_hint = (
            read_number(text, column.bounds)
            if column.bounds is not None
            else read_word(text, _words(column), ())
        )
        if isinstance(word_or_hint, str):
            return word_or_hint
        return Filled(**{column.what: word_or_hint[0]})
    if dimension.labels:
        label_or_hint = read_label(text, dimension)
    elif column.bounds is not None:
        label_or_hint = read_number(text, column.bounds, REASON_WORDS)
    else:
        label_or_hint = read_word(text, _words(column), REASON_WORDS)
    return label_or_hint if isinstance(label_or_hint, str) else Filled(*label_or_hint)


def _words(column: SaidColumn) -> dict[str, str]:
    dimension = column.dimension
    match column.what:
        case "severity":
            return words_for(dimension.severities)
        case "confidence":
            return {word: word for word in dimension.confidence}
        case "said":
            return {**words_for(dimension.kinds), NO_SPAN: NO_SPAN}
