"""Find the names of a vocabulary in a text."""

import unicodedata
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from medassay.models.concepts.words import BREAK, split_words

__all__ = ["Found", "Vocabulary"]


class Found(NamedTuple):
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
        [Found(start=0, end=11, concept='B'), Found(start=24, end=29, concept='A')]
    """

    def __init__(
        self,
        keys: Sequence[str],
        places: Sequence[int],
        concepts: Sequence[tuple[str, str]],
        everyday: frozenset[str] = frozenset(),
    ) -> None:
        ids = [concept for concept, _ in concepts]
        self._names: Mapping[str, str] = dict(concepts)
        self._concept = {key: ids[place] for key, place in zip(keys, places, strict=True)}
        self._everyday = everyday
        # The most words of any name that starts with a word: no longer one need be tried.
        self._reach: dict[str, int] = {}
        for key in keys:
            first, _, rest = key.partition(" ")
            words = rest.count(" ") + 2 if rest else 1
            if words > self._reach.get(first, 0):
                self._reach[first] = words

    def __len__(self) -> int:
        """Count the names."""
        return len(self._concept)

    def name_of(self, concept: str) -> str:
        """Give what a concept is called."""
        return self._names[concept]

    def find(self, text: str) -> list[Found]:
        """Give the names in a text from left to right; none overlap."""
        words = split_words(text if text.isascii() else unicodedata.normalize("NFC", text))
        forms = [word.form for word in words]
        found: list[Found] = []
        place = 0
        while place < len(words):
            reach = self._reach.get(forms[place], 0)
            if reach:
                length, concept = self._longest(forms, place, reach)
                alone = length == 1 and forms[place] in self._everyday
                if concept is not None and not (alone and not words[place].capitals):
                    end = words[place + length - 1].end
                    found.append(Found(words[place].start, end, concept))
                    place += length
                    continue
            place += 1
        return found

    def concepts(self, text: str) -> frozenset[str]:
        """Give the concepts that a text names, however often."""
        return frozenset(one.concept for one in self.find(text))

    def _longest(self, forms: Sequence[str], place: int, reach: int) -> tuple[int, str | None]:
        if reach > 1 and place + 1 < len(forms):
            for length in range(min(reach, len(forms) - place), 1, -1):
                concept = self._concept.get(" ".join(forms[place : place + length]))
                if concept is not None and forms[place + length - 1] != BREAK:
                    return length, concept
        return 1, self._concept.get(forms[place])
