"""How the options of a case look in running text: their letters and their words."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

__all__ = ["OptionWords", "option_words"]

_SHORTEST: Final = 4
"""Options shorter than this, such as 'no', stand in texts that mean something else."""

_DRESS: Final = 60
"""So many more characters than the longest option has may stand around one."""

_JOIN = r"[\"']?\s*(?:,\s*(?:and|or)?|/|\bor\b(?:\s+possibly\b)?|\band\b|&)\s*[\"']?"
_AGAIN: Final = re.compile(r"(?i)\b(\w+)\b.*?,\s*(?=\1$)")
_LEAD = r"(?:(?:either|both|all of|option|choice|answer)\s+)*"


@dataclass(frozen=True, slots=True)
class OptionWords:
    """The patterns that find the options of a case.

    Attributes:
        names: Letter as written in the case, by its lower-case form.
        phrases_of: Letters of the options that have these words, by the words.
        listed: One option's letter or several joined.
        phrase: Any option's words, the longest first; None if there are none to look for.
        longest: The characters of the longest option.
        alike: What looks like a letter of these options whether or not it is one.
    """

    names: dict[str, str]
    phrases_of: dict[str, tuple[str, ...]]
    listed: re.Pattern[str]
    phrase: re.Pattern[str] | None
    longest: int
    alike: re.Pattern[str]

    def whole(self, text: str) -> tuple[str, ...] | None:
        """Read a text that is nothing but an option; None if it is more."""
        if len(text) > self.longest + _DRESS:
            return None
        bare = re.sub(r"(?i)^\W*(?:(?:option|choice|answer|ans|selected)\b\W*)*|\W+$", "", text)
        if bare.lower() in self.names:
            return (self.names[bare.lower()],)
        return self.phrases_of.get(_words(text)) or self.phrases_of.get(_words(bare))

    def at_start(self, text: str, *, leading: bool = False) -> tuple[tuple[str, ...], int] | None:
        """Read the option, or options joined, that a text begins with, and how long that is.

        Args:
            text: What follows a phrase that chooses, or a whole answer.
            leading: It is a whole answer: then a letter must be set off from the words after it.

        Returns:
            Letters (none for a letter that is no option), and the length; None if neither a letter
            nor the words of an option stand there.
        """
        opened = re.match(r"(?i)[\s\"'\[{]*(?:the\s+)?", text)
        skip = opened.end() if opened else 0
        listed = self.listed.match(text, skip)
        if listed is not None and self._set_off(text, listed, leading=leading):
            return self._named(listed[0]), listed.end()
        if self.phrase is not None:
            phrase = self.phrase.match(text, skip)
            if phrase is not None:
                return self._phrases_joined(text, phrase)
        other = self.alike.match(text, skip)
        if other is not None and self._set_off(text, other, leading=leading):
            return None if self._named(other[0]) else ((), other.end())
        return None

    def lists(self, text: str) -> Iterator[tuple[tuple[str, ...], int, int]]:
        """Find every letter or list of letters, with where it begins and ends."""
        for match in self.listed.finditer(text):
            if len(match[0]) == 1 and match[0].islower():  # 'a' is a word
                continue
            begin, end = match.span()
            again = _AGAIN.search(match[0]) if "," in match[0] else None
            if again is not None:  # 'of A and B, B is right' lists two and goes on
                yield self._named(match[0][: again.end()]), begin, begin + again.end()
                begin += again.end()
            yield self._named(text[begin:end]), begin, end

    def letters(self, text: str) -> Iterator[tuple[str, int, int]]:
        """Find every letter that is marked as an option: in brackets, or after 'option'."""
        for match in self.listed.finditer(text):
            if re.match(r"(?i)[(\[]|(?:option|choice)\b", match[0]):
                for name in self._named(match[0]):
                    yield name, match.start(), match.end()

    def several(self, text: str) -> Iterator[tuple[str, int, int]]:
        """Find the letters of every list of two or more, marked or not."""
        for names, begin, end in self.lists(text):
            if len(names) > 1:
                for name in names:
                    yield name, begin, end

    def phrases(self, text: str) -> Iterator[tuple[str, int, int]]:
        """Find the words of every option in the text."""
        if self.phrase is None:
            return
        for match in self.phrase.finditer(text):
            for name in self.phrases_of[_words(match[0])]:
                yield name, match.start(), match.end()

    def _named(self, listed: str) -> tuple[str, ...]:
        pieces = re.split(r"[\s,/&()\[\]\"']+", listed)
        names = (self.names[piece.lower()] for piece in pieces if piece.lower() in self.names)
        return tuple(dict.fromkeys(names))

    def _set_off(self, text: str, match: re.Match[str], *, leading: bool) -> bool:
        """Say whether what looks like a letter is one, and not an article or an abbreviation."""
        bare, after = match[0].strip(), text[match.end() :]
        small = len(bare) == 1 and bare.islower()
        if small and not re.match(r"\s*(?:$|[.,;:)\]}\"'\n])", after):
            return False
        if not leading or not bare[-1:].isalnum():
            return not (leading and re.match(r"\s+(?:is|are)\b", after))
        if self.phrase is not None and self.phrase.match(after.lstrip(" .:)-,")):
            return True
        # 'E. coli' is no choice of E; 'E. Ceftriaxone' is one.
        return re.match(r"\s*(?:$|[)\]:\n]|[-,]\s|\.\s*(?:$|[^a-z\s]))", after) is not None

    def _phrases_joined(self, text: str, first: re.Match[str]) -> tuple[tuple[str, ...], int]:
        names, end = list(self.phrases_of[_words(first[0])]), first.end()
        while (join := re.compile(_JOIN).match(text, end)) and self.phrase is not None:
            more = self.phrase.match(text, join.end())
            if more is None:
                break
            names += self.phrases_of[_words(more[0])]
            end = more.end()
        return tuple(dict.fromkeys(names)), end


@lru_cache(maxsize=4096)
def option_words(options: tuple[tuple[str, str], ...]) -> OptionWords:
    """Make the patterns for these options, pairs of letter and text."""
    names = {name.lower(): name for name, _ in options}
    single = all(len(name) == 1 for name in names.values())
    # A single letter counts when it is a capital or stands in brackets: 'a' is a word.
    forms = sorted(names.values(), key=len, reverse=True)
    each = "|".join(map(re.escape, forms))
    single_letter = rf"(?:[(\[]\s*(?i:{each})\s*[)\]]|(?<![\w\-])(?:{each})(?![\w\-'])\)?)"
    small = rf"(?:[(\[]\s*(?i:{each})\s*[)\]]|(?<![\w\-])(?i:{each})(?![\w\-'])\)?)"
    mark = rf"(?:(?i:{_LEAD}))"
    listed = re.compile(rf"{mark}(?:{single_letter}|{small})(?:(?i:{_JOIN}){mark}{single_letter})*")
    kind = r"[A-Za-z]" if any(name.isalpha() for name in names.values()) else r"\d"
    alike = rf"{mark}(?:\(\s*{kind}\s*\)|(?<![\w\-]){kind.replace('a-z', '')}(?![\w\-'])\)?)"
    texts: dict[str, list[str]] = {}
    for name, text in options:
        words = _words(text)
        if len(words) >= _SHORTEST and words not in names:
            texts.setdefault(words, []).append(name)
    phrase = "|".join(
        r"\W+".join(map(re.escape, words.split()))
        for words in sorted(texts, key=lambda words: (-len(words), words))
    )
    return OptionWords(
        names,
        {words: tuple(letters) for words, letters in texts.items()},
        listed,
        re.compile(rf"(?i)(?<!\w)(?:{phrase})(?!\w)") if phrase else None,
        max((len(name) + len(text) for name, text in options), default=0),
        re.compile(alike if single else r"(?!)"),
    )


def _words(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.lower()))
