"""What one rater is given to rate, before it has a form."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from medassay.exhibits.table import SYNTHETIC
from medassay.judgements import Rubric

__all__ = [
    "CODE",
    "HEADINGS",
    "NOTES",
    "RATIONALE",
    "REASON_WORDS",
    "SYNTHETIC",
    "RatingSheet",
    "SheetRow",
    "dimension_headings",
]

CODE: Final = "Code"
RATIONALE: Final = "Rationale"
NOTES: Final = "Notes"
HEADINGS: Final = {
    "case": "Case",
    "question": "Question",
    "narrative": "Story",
    "evidence": "Evidence",
    "retrieved": "Retrieved by the system",
    "documents": "Reference documents",
    "references": "Reference",
    "reasoning": "Reasoning",
    "answer": "Answer",
    "answer_a": "Answer A",
    "answer_b": "Answer B",
    "confidence": "The system's confidence",
}
"""What stands above each kind of text."""

REASON_WORDS: Final = {"cannot judge": "cannot_judge", "not applicable": "not_applicable"}
"""What a rater chooses where there is no label to give, and what judgements call it."""


@dataclass(frozen=True)
class SheetRow:
    """One answer, or one pair of answers, to rate.

    Attributes:
        code: What stands for it.
        batch: The batch, from 1.
        texts: The kind of each text to its paragraphs; see `HEADINGS`.
    """

    code: str
    batch: int
    texts: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True)
class RatingSheet:
    """Everything that one rater is given.

    Attributes:
        title: The study's title.
        campaign: The campaign's name.
        rater: The rater.
        kind: Whether answers are rated, or one is preferred to another.
        rubric: What is asked.
        rows: What is rated, in order.
        synthetic: Whether the study is made up; every page says so then.
        part: Of a sheet in two parts, which this is: 1, judged blind, or 2, with the system's own
            confidence in view; 0 where there is one part.
    """

    title: str
    campaign: str
    rater: str
    kind: Literal["answers", "preferences"]
    rubric: Rubric
    rows: tuple[SheetRow, ...]
    synthetic: bool = False
    part: Literal[0, 1, 2] = 0

    @property
    def batches(self) -> int:
        """Count the batches."""
        return max((row.batch for row in self.rows), default=0)

    def has(self, *kinds: str) -> bool:
        """Say whether any row has a text of one of these kinds."""
        return any(row.texts.get(kind) for row in self.rows for kind in kinds)


def dimension_headings(rubric: Rubric) -> dict[str, str]:
    """Name each dimension's column: its title, with its id where two have the same one.

    Example:
        >>> from medassay.judgements import load_rubric
        >>> dimension_headings(load_rubric("archehr"))["uses-evidence"]
        'Uses the evidence'
    """
    titles = [dimension.title or dimension.id for dimension in rubric.dimensions]
    reserved = {CODE, RATIONALE, NOTES, *HEADINGS.values()}
    return {
        dimension.id: title
        if titles.count(title) == 1 and title not in reserved
        else f"{title} ({dimension.id})"
        for dimension, title in zip(rubric.dimensions, titles, strict=True)
    }
