"""What an annotation tool's file says, before a study has said what it means."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

__all__ = ["COMMENTS", "ToolRating", "ToolRatings", "ToolTask"]

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


@dataclass
class ToolRatings:
    """Everything that files of one tool say.

    Attributes:
        ratings: What was said, in the order of the files.
        left: What is not carried over, to how often it occurs.
        items: The tool's id of an item to its fields, where a file of items was given.
    """

    ratings: list[ToolRating] = field(default_factory=list)
    left: Counter[str] = field(default_factory=Counter)
    items: dict[str, Mapping[str, str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ToolTask:
    """One item to rate.

    Attributes:
        code: What stands for the answer.
        texts: The kind of each text to its paragraphs.
        labels: Rater to what they said: the dimension to the label and the comment; for exports of
            ratings that are there already.
    """

    code: str
    texts: Mapping[str, Sequence[str]]
    labels: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
