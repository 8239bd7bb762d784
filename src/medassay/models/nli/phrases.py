"""Find phrases in a row of tokens, the longest first."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Generic, TypeVar

from medassay.models.nli.tokens import tokens

__all__ = ["Phrases"]

T = TypeVar("T")


class Phrases(Generic[T]):
    """A list of phrases, each with what it means.

    Example:
        >>> found = Phrases({"a day": 1.0, "twice a day": 2.0})
        >>> found.at(("take", "twice", "a", "day"), 1)
        (3, 2.0)
    """

    def __init__(self, meanings: Mapping[str, T] | Iterable[tuple[str, T]]) -> None:
        pairs = meanings.items() if isinstance(meanings, Mapping) else meanings
        self._by_first: dict[str, list[tuple[tuple[str, ...], T]]] = {}
        for text, meaning in pairs:
            phrase = tokens(text)
            self._by_first.setdefault(phrase[0], []).append((phrase, meaning))
        for known in self._by_first.values():
            known.sort(key=lambda entry: -len(entry[0]))
        self.first = frozenset(self._by_first)
        """The words that phrases begin with: nothing is found at any other."""

    def at(self, words: Sequence[str], place: int) -> tuple[int, T] | None:
        """Give how many tokens the longest phrase at a place has, and its meaning; or None."""
        if place >= len(words):
            return None
        for phrase, meaning in self._by_first.get(words[place], ()):
            if len(phrase) == 1 or tuple(words[place : place + len(phrase)]) == phrase:
                return len(phrase), meaning
        return None

    def ending_at(self, words: Sequence[str], end: int) -> tuple[int, T] | None:
        """Give the same for the longest phrase that ends before a place."""
        for start in range(max(end - 4, 0), end):
            phrase = self.at(words, start)
            if phrase is not None and start + phrase[0] == end:
                return phrase
        return None
