"""Find the names of a vocabulary in a text."""

import unicodedata
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from medassay.models.concepts.words import forms_of_ascii, split_words

__all__ = ["FoundConcept", "Vocabulary"]


class FoundConcept(NamedTuple):
    """A name found in a text.

    Attributes:
        start: Where it starts in the text (in form NFC).
        end: Where it ends.
        concept: The identifier of what it stands for.
    """

    start: int
    end: int
    concept: str


class Vocabulary:
    """Names in one form, each with the concept that it stands for.

    From left to right the longest name wins, and a word belongs to one name only: "type 2 diabetes
    mellitus" is one concept, not three. Whether the text affirms or denies it is not looked at.

    Args:
        keys: Names as `key_of` gives them.
        places: For each name, the place of its concept.
        concepts: Identifier and preferred name of each concept.
        everyday: Names that count only where the text has them in capitals (AIDS, not aids).

    Example:
        >>> known = Vocabulary(["fever", "lassa fever"], [0, 1], [("A", "Fever"), ("B", "Lassa")])
        >>> known.find("Lassa fever starts with fever.")
        [FoundConcept(start=0, end=11, concept='B'), FoundConcept(start=24, end=29, concept='A')]
    """

    def __init__(
        self,
        keys: Sequence[str],
        places: Sequence[int],
        concepts: Sequence[tuple[str, str]],
        everyday: frozenset[str] = frozenset(),
    ) -> None:
        ids = [concept for concept, _ in concepts]
        self._concept = {key: ids[place] for key, place in zip(keys, places, strict=True)}
        self._everyday = everyday
        # The most words of any name that starts with these two: most pairs start none, and no
        # longer stretch is tried.
        self._reach: dict[str, int] = {}
        for key in keys:
            words = key.split(" ", 2)
            if len(words) > 1:
                pair = f"{words[0]} {words[1]}"
                self._reach[pair] = max(self._reach.get(pair, 2), key.count(" ") + 1)

    def __len__(self) -> int:
        """Count the names."""
        return len(self._concept)

    def find(self, text: str) -> list[FoundConcept]:
        """Give the names in a text from left to right; none overlap."""
        words = split_words(text if text.isascii() else unicodedata.normalize("NFC", text))
        return [
            FoundConcept(words[place].start, words[place + length - 1].end, concept)
            for place, length, concept in self._matches(
                [word.form for word in words], lambda place: words[place].capitals
            )
        ]

    def concepts(self, text: str) -> frozenset[str]:
        """Give the concepts that a text names, however often."""
        if not text.isascii():
            return frozenset(mention.concept for mention in self.find(text))
        pieces, forms = forms_of_ascii(text)
        return frozenset(
            concept
            for _, _, concept in self._matches(
                forms, lambda place: len(pieces[place]) > 1 and pieces[place].isupper()
            )
        )

    def _matches(
        self, forms: Sequence[str], in_capitals: Callable[[int], bool]
    ) -> Iterator[tuple[int, int, str]]:
        """Give place, number of words and concept of each name, the longest at each place."""
        known, reach, last = self._concept, self._reach, len(forms) - 1
        place = 0
        while place <= last:
            form = forms[place]
            most = reach.get(f"{form} {forms[place + 1]}", 1) if place < last else 1
            for length in range(min(most, last - place + 1), 1, -1):
                concept = known.get(" ".join(forms[place : place + length]))
                if concept is not None:
                    yield place, length, concept
                    place += length
                    break
            else:
                concept = known.get(form)
                if concept is not None and (form not in self._everyday or in_capitals(place)):
                    yield place, 1, concept
                place += 1
