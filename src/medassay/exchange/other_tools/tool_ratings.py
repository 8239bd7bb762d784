"""What an annotation tool's file says, before a study has said what it means."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from medassay.judgements import Rubric

__all__ = [
    "COMMENTS",
    "ToolLabel",
    "ToolProject",
    "ToolRating",
    "ToolRatings",
    "ToolTask",
    "in_words",
]

COMMENTS: Final = ("comment", "rationale", "notes", "note")
"""Questions whose answer is a rater's comment; the first is what exports call it."""


@dataclass(frozen=True, slots=True)
class ToolRating:
    """One thing that one annotator said of one item.

    Attributes:
        file: The file.
        row: The row, line or task, from 1; None where the file has none.
        place: Where in it, as a path such as `annotations[2].result[1]`, counted from 1; or a
            column.
        item: The tool's id of the item.
        rater: The annotator.
        question: The tool's name of the question: a schema, or a control.
        said: What was said, as it is written.
        also: What was said if `said` is only the name of a field; empty where it is not.
        kind: person or model.
        time: When, in ISO 8601; None where the file does not say.
        seconds: How long the annotator looked at the item.
        fields: What the file says of the item itself, name to text.
        comment: What was written beside it, where the tool asks that of each question; None where
            it asks it of the item as a whole, or not at all.
        confidence: How sure the annotator says to be; empty where the file does not say.
    """

    file: str
    row: int | None
    place: str
    item: str
    rater: str
    question: str
    said: str
    also: str = ""
    kind: str = "person"
    time: str | None = None
    seconds: float | None = None
    fields: Mapping[str, str] = field(default_factory=dict)
    comment: str | None = None
    confidence: str = ""


@dataclass
class ToolRatings:
    """Everything that files of one tool say.

    Attributes:
        ratings: What was said, in the order of the files.
        left: What is not carried over, to how often it occurs.
        items: The tool's id of an item to its fields, where a file of items was given.
        others: Questions that were answered and that nobody asked for, to how often.
        notes: What was odd about the files and was read all the same.
    """

    ratings: list[ToolRating] = field(default_factory=list)
    left: Counter[str] = field(default_factory=Counter)
    items: dict[str, Mapping[str, str]] = field(default_factory=dict)
    others: Counter[str] = field(default_factory=Counter)
    notes: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class ToolLabel:
    """What one rater says already of one dimension, for exports.

    Attributes:
        said: The label, the number in its shortest form, or the words for why there is none.
        comment: What the rater wrote beside it.
        confidence: How sure the rater is.
    """

    said: str
    comment: str = ""
    confidence: str = ""


@dataclass(frozen=True, slots=True)
class ToolTask:
    """One item to rate.

    Attributes:
        code: What stands for the answer.
        texts: The kind of each text to its paragraphs.
        labels: Rater to what they said, by dimension; for exports of ratings that are there
            already.
    """

    code: str
    texts: Mapping[str, Sequence[str]]
    labels: Mapping[str, Mapping[str, ToolLabel]] = field(default_factory=dict)


class ToolProject(NamedTuple):
    """All that a tool is given.

    Attributes:
        rubric: What is asked.
        tasks: The items to rate.
        kinds: The kinds of text that an item has, in order; see `HEADINGS`.
        title: What stands above everything.
        synthetic: Whether the data are made up, which is then said there.
        ratings: Whether what raters have said already goes too.
    """

    rubric: Rubric
    tasks: Sequence[ToolTask]
    kinds: Sequence[str]
    title: str
    synthetic: bool
    ratings: bool


def in_words(labels: Mapping[str, ToolLabel]) -> dict[str, str]:
    """Give what a tool that asks for one comment on an answer holds: questions to words.

    Example:
        >>> in_words({"quality": ToolLabel("4", "Clear."), "safety": ToolLabel("yes")})
        {'quality': '4', 'safety': 'yes', 'comment': 'Clear.'}
    """
    comments = dict.fromkeys(label.comment for label in labels.values() if label.comment)
    words = {dimension: label.said for dimension, label in labels.items()}
    return words | ({COMMENTS[0]: "\n".join(comments)} if comments else {})
