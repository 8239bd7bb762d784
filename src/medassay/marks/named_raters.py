"""People by their names, in records that were computed under pseudonyms."""

import re
from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Final

from medassay.marks.kinds import Kind, mark_on

__all__ = ["NamedRaters"]

_TOLD: Final = frozenset({Kind.RATER, Kind.WORDS})
"""What may hold a rater's pseudonym: a rater's name, a pair of them, a sentence of ours."""


class NamedRaters:
    """A reader who is told people by their names.

    Args:
        names: Pseudonym to name.

    Example:
        >>> reader = NamedRaters({"rater-1": "Maya", "rater-12": "Tom"})
        >>> reader.take("rater-12 and rater-1", Kind.RATER), reader.take("rater-3", Kind.RATER)
        ('Tom and Maya', 'rater-3')
    """

    def __init__(self, names: Mapping[str, str]) -> None:
        self._names = names
        longest = sorted(names, key=len, reverse=True)
        self._any = re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, longest))})(?![\w-])")

    @classmethod
    def mark_of(cls, hint: Any) -> Kind | None:  # noqa: ANN401 - types of every shape
        """Give what a type is of, where it may name a rater."""
        kind = mark_on(hint, Kind)
        return kind if kind in _TOLD else None

    def take(self, value: object, mark: StrEnum) -> object:
        """Give a value with names in place of pseudonyms."""
        if isinstance(value, str):
            return self._any.sub(lambda match: self._names[match[0]], value)
        if isinstance(value, list | tuple):
            return type(value)(self.take(item, mark) for item in value)
        return value
