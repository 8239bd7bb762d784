"""What is looked for in an export of REDCap's."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from medassay.exchange.redcap.dictionary import Field
from medassay.judgements import Rubric

__all__ = ["Kept", "Wanted"]

Kept = Sequence[tuple[Collection[str], Mapping[str, Field]]]
"""Of each hand-out its codes, and what its project asked."""


@dataclass(frozen=True)
class Wanted:
    """What is looked for in an export.

    Attributes:
        rubric: What raters were asked.
        names: Our name of a dimension, or of `rater`, `system` and `case`, to the field's name.
        kept: What the study's own projects asked: an export of theirs needs no dictionary.
        items: The record's id to what is known of it, where a file says that.
    """

    rubric: Rubric
    names: Mapping[str, str]
    kept: Kept = ()
    items: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def field_of(self, ours: str) -> str:
        """Give what their field is called, in small letters."""
        return self.names.get(ours, ours).casefold()

    @cached_property
    def named(self) -> frozenset[str]:
        """The fields that the user named, in small letters."""
        return frozenset(name.casefold() for name in self.names.values())

    @cached_property
    def questions(self) -> dict[str, str]:
        """The fields of dimensions, in small letters, to what ratings call the question."""
        return {self.field_of(name): self.names.get(name, name) for name in self.rubric.ids}

    @cached_property
    def words(self) -> frozenset[str]:
        """What raters may say, in small letters."""
        return frozenset(
            word.casefold() for asked in self.rubric.dimensions for word in asked.words
        )
