"""What one rater is given to rate, before it has a form."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from medassay.campaign.catalogues import Texts, shipped
from medassay.exhibits.table import SYNTHETIC
from medassay.judgements import NO_SPAN, Dimension, Rubric

__all__ = [
    "ABOUT",
    "ABOUT_KINDS",
    "BATCH",
    "CODE",
    "GENERAL",
    "HEADINGS",
    "INVENTED",
    "JOINED",
    "NOTES",
    "PASSAGE",
    "RATIONALE",
    "REASON_WORDS",
    "SENT_HEADINGS",
    "SYNTHETIC",
    "WHOLE_TEXT",
    "RatingSheet",
    "SaidColumn",
    "SheetRow",
    "dimension_headings",
    "said_columns",
]

CODE: Final = "Code"
ABOUT: Final = "About"
"""Says of a row whether it is about the answer, or a criterion, statement, document of it."""
PASSAGE: Final = "Passage"
"""Takes the words of the answer that a rater marks."""
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
    "subject": "What it says",
    "confidence": "The system's confidence",
}
"""What stands above each kind of text."""
JOINED: Final = "To judge it by"
"""What stands above several kinds of sources in one column."""
BATCH: Final = "Batch"
INVENTED: Final = "Synthetic"
"""What stands above the words that say so in each row of a CSV file."""
WHOLE_TEXT: Final = "Whole text"
"""What stands above the links to texts that are too long for a cell."""
SENT_HEADINGS: Final = frozenset({
    CODE, ABOUT, PASSAGE, RATIONALE, NOTES, *HEADINGS.values(), JOINED, BATCH, INVENTED, WHOLE_TEXT
})  # fmt: skip
"""All that stands above columns whatever the rubric asks."""

GENERAL: Final = {
    CODE: "code",
    ABOUT: "about",
    PASSAGE: "passage",
    RATIONALE: "rationale",
    NOTES: "notes",
    **{heading: kind for kind, heading in HEADINGS.items()},
    JOINED: "joined",
    BATCH: "batch",
    INVENTED: "synthetic",
    WHOLE_TEXT: "whole_text",
}
"""What each of these is called in the catalogues, under `sheet`."""

ABOUT_KINDS: Final = ("answer", "criterion", "statement", "citation", "span", "document")
"""What a row can be about; `sheet` of the catalogues has a word for each."""

REASON_WORDS: Final = {"cannot judge": "cannot_judge", "not applicable": "not_applicable"}
"""What a rater chooses where there is no label to give, and what judgements call it."""


@dataclass(frozen=True)
class SheetRow:
    """One answer, or one pair of answers, to rate; or one criterion, document and the like of it.

    Attributes:
        code: What stands for it.
        batch: The batch, from 1.
        texts: The kind of each text to its paragraphs; see `HEADINGS`.
        about: What the row is about, such as `Criterion 2`; empty where all rows are answers.
        asks: The dimensions that it asks; None for all.
        passage: Whether raters put a passage of the answer here, if they find one.
    """

    code: str
    batch: int
    texts: Mapping[str, tuple[str, ...]]
    about: str = ""
    asks: frozenset[str] | None = None
    passage: bool = False

    def is_asked(self, dimension: str) -> bool:
        """Say whether the row asks a dimension."""
        return self.asks is None or dimension in self.asks


@dataclass(frozen=True)
class SaidColumn:
    """One column that a rater fills in.

    Attributes:
        heading: What stands above it.
        dimension: The dimension that it belongs to.
        what: Whether it takes what is said, how bad a passage is, or how sure the rater is.
    """

    heading: str
    dimension: Dimension
    what: Literal["said", "severity", "confidence"] = "said"

    @property
    def words(self) -> tuple[str, ...]:
        """List what may be chosen, reasons apart; nothing where a number is asked."""
        asked = self.dimension
        if self.what == "confidence":
            return () if asked.confidence_is_number else asked.confidence
        if self.what == "severity":
            return tuple(severity.label for severity in asked.severities)
        return (
            (*(span_kind.label for span_kind in asked.kinds), NO_SPAN)
            if asked.kinds
            else asked.names
        )

    @property
    def bounds(self) -> tuple[float | None, float | None] | None:
        """Give the lowest and the highest number; None where words are asked."""
        if self.words:
            return None
        number = self.dimension.number
        if self.what == "confidence" or number is None:
            return (0, 1)
        return number.low, number.high

    @property
    def must(self) -> str:
        """Say what a cell must be."""
        if self.words:
            return f"be one of {', '.join(self.words)}"
        number = self.dimension.number if self.what == "said" else None
        return f"be {number}" if number is not None else "be a number from 0 to 1"


def english() -> Texts:
    """Give the words of sheets where nobody named a language."""
    return shipped().texts["en"]


def said_columns(rubric: Rubric, texts: Texts | None = None) -> tuple[SaidColumn, ...]:
    """Give the columns that raters fill in, left to right, rationale and notes apart.

    Args:
        rubric: What is asked, in the words that raters read.
        texts: The language of the sheet; English if not given.
    """
    texts = texts or english()
    columns = []
    for name, heading in dimension_headings(rubric, texts).items():
        dimension = rubric.dimension(name)
        columns.append(SaidColumn(heading, dimension))
        if dimension.severities:
            columns.append(
                SaidColumn(texts("sheet.of_severity", title=heading), dimension, "severity")
            )
        if dimension.confidence:
            sure = texts("sheet.of_sure", title=heading)
            columns.append(SaidColumn(sure, dimension, "confidence"))
    return tuple(columns)


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
        texts: The words of the language that the rater reads.
    """

    title: str
    campaign: str
    rater: str
    kind: Literal["answers", "preferences"]
    rubric: Rubric
    rows: tuple[SheetRow, ...]
    synthetic: bool = False
    part: Literal[0, 1, 2] = 0
    texts: Texts = field(default_factory=english)

    def say(self, key: str, **values: object) -> str:
        """Give a text of sheets in the rater's language."""
        return self.texts(f"sheet.{key}", **values)

    @property
    def batches(self) -> int:
        """Count the batches."""
        return max((row.batch for row in self.rows), default=0)

    @property
    def numbers(self) -> dict[str, int]:
        """Number the answers, or pairs of them, by code, from 1."""
        codes = dict.fromkeys(row.code for row in self.rows)
        return {code: number for number, code in enumerate(codes, start=1)}

    @property
    def is_parted(self) -> bool:
        """Say whether rows are about criteria, documents or other parts of an answer."""
        return any(row.about for row in self.rows)

    @property
    def has_passages(self) -> bool:
        """Say whether raters mark passages."""
        return any(row.passage for row in self.rows)

    def has(self, *kinds: str) -> bool:
        """Say whether any row has a text of one of these kinds."""
        return any(row.texts.get(kind) for row in self.rows for kind in kinds)


def dimension_headings(rubric: Rubric, texts: Texts | None = None) -> dict[str, str]:
    """Name each dimension's column: its title, with its id where two have the same one.

    Example:
        >>> from medassay.judgements import load_rubric
        >>> dimension_headings(load_rubric("archehr"))["uses-evidence"]
        'Uses the evidence'
    """
    titles = [dimension.title or dimension.id for dimension in rubric.dimensions]
    reserved = {ABOUT, CODE, NOTES, PASSAGE, RATIONALE, *HEADINGS.values()}
    if texts is not None:
        reserved |= {texts(f"sheet.{key}") for key in GENERAL.values()}
    return {
        dimension.id: title
        if titles.count(title) == 1 and title not in reserved
        else f"{title} ({dimension.id})"
        for dimension, title in zip(rubric.dimensions, titles, strict=True)
    }
