"""Markers on a record's fields: what a string may be of, and what can name a place."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any, TypeVar, get_args, get_origin

__all__ = [
    "CaseId",
    "DesignName",
    "DocumentId",
    "Guarded",
    "Kind",
    "RaterName",
    "SystemName",
    "Tag",
    "TagName",
    "Text",
    "Words",
    "mark_on",
]

_Mark = TypeVar("_Mark", bound=StrEnum)


class Kind(StrEnum):
    """What a string is of.

    A marker may stand on a string, or on a whole field: a list of marks in an answer is of the
    answer's text, whatever is in it.
    """

    CASE = "case"
    DOCUMENT = "document"
    TEXT = "text"
    TAG_NAME = "tag name"
    TAG = "tag"
    SYSTEM = "system"
    RATER = "rater"
    DESIGN = "design"
    WORDS = "words"


CaseId = Annotated[str, Kind.CASE]
"""The id of a case."""


DocumentId = Annotated[str, Kind.DOCUMENT]
"""The id of a document or a piece of evidence."""


Text = Annotated[str, Kind.TEXT]
"""What a case, an answer, a document or a rater's comment says, whole or in part."""


TagName = Annotated[str, Kind.TAG_NAME]
"""The key of a tag."""


Tag = Annotated[str, Kind.TAG]
"""The value of a tag, or another word for what a case is about, such as a condition."""


SystemName = Annotated[str, Kind.SYSTEM]
"""The id, title or family of a system."""


RaterName = Annotated[str, Kind.RATER]
"""The name of a rater, a person's or a model's."""


DesignName = Annotated[str, Kind.DESIGN]
"""A name that the study's design chose, and that every reader must know to read a number: of a
dimension, label, option, metric, method or protocol."""


Words = Annotated[str, Kind.WORDS]
"""Words of ours, from a list of the code or written around numbers and names of the design."""


def mark_on(hint: Any, of: type[_Mark]) -> _Mark | None:  # noqa: ANN401 - types of every shape
    """Give the marker of one sort that stands on a type itself."""
    if get_origin(hint) is not Annotated:
        return None
    return next((get_arg for get_arg in get_args(hint)[1:] if isinstance(get_arg, of)), None)


@dataclass(frozen=True, slots=True)
class Guarded:
    """A field of a study's file may name a host, a path or code; this says what stops it.

    A study may come from anybody, so a test refuses such a field without this marker.

    Attributes:
        by: The function that refuses or asks, by its full name; a test looks that it is there.

    Example:
        >>> Guarded("medassay.study.config.own_files.outside_problem").by
        'medassay.study.config.own_files.outside_problem'
    """

    by: str
