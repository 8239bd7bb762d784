"""Which option an answer in free text chooses, or why it chooses none."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from medassay.answers.choice_phrases import (
    BEFORE,
    BUT,
    DENIED,
    IF,
    LEAVES,
    NOT,
    REFUSAL,
    RIGHT,
    SECOND,
    WRONG,
)
from medassay.answers.option_words import OptionWords, option_words

__all__ = ["NoChoice", "ParsedChoice", "parse_choice"]


class NoChoice(StrEnum):
    """Why an answer chooses no option."""

    EMPTY = "empty"
    REFUSAL = "refusal"
    SEVERAL = "several"
    NOT_AN_OPTION = "not-an-option"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class ParsedChoice:
    """The option that a text chooses, or the reason why it chooses none.

    Attributes:
        choice: The option's letter; None if none is chosen.
        reason: Why there is no choice; None if there is one.
        said: The words that decided.
    """

    choice: str | None
    reason: NoChoice | None
    said: str


_NEAR: Final = 40
"""How many characters before an option may deny it."""
_DEEPEST: Final = 3
"""How deep LaTeX boxes are opened."""
_WALK: Final = 3
"""So many items that begin with one option each are a discussion."""
_ITEMS: Final = re.compile(r"[\n,;]")
_PIECES: Final = re.compile(r"\n+|(?<!\b[A-Za-z]\.)(?<=[.!?;:])\s+")
_SENTENCE_END: Final = re.compile(r"[.!?;](?=\s)|\n")


def parse_choice(text: str, options: Mapping[str, str]) -> ParsedChoice:
    """Find which option an answer in free text chooses.

    Read in this order, and the first that speaks decides: the text is nothing but an option's
    letter or words; a sentence that chooses ('The answer is (B)', 'B is correct'; of several the
    last, for people and models correct themselves, but not what would hold 'if'); a last line or
    sentence that is nothing but an option; an
    option's letter at the start, unless the lines walk through the options; an option that the
    rest 'leaves' or 'points to'; a single option named by its letter, then by its words, and not
    denied. What a model thinks aloud before </think> is not its answer. 'A or B' is several, a
    letter that is no option is said to be none, and nothing is ever guessed. The phrases known are
    English.

    Args:
        text: The answer.
        options: The options of the case, letter to text.

    Returns:
        The letter, or the reason why there is none, with the words that decided.

    Example:
        >>> options = {"A": "Amoxicillin", "B": "Azithromycin"}
        >>> parse_choice("It could be A, but the answer is (B).", options).choice
        'B'
        >>> parse_choice("A or B", options).reason
        <NoChoice.SEVERAL: 'several'>
    """
    plain = _plain(text)
    if not plain:
        return ParsedChoice(None, NoChoice.EMPTY, "")
    words = option_words(tuple(options.items()))
    for read in (_whole, _chosen, _alone, _leading, _left, _named):
        parsed = read(plain, words)
        if parsed is not None:
            return parsed
    refused = REFUSAL.search(plain)
    if refused is not None:
        return ParsedChoice(None, NoChoice.REFUSAL, refused[0])
    return ParsedChoice(None, NoChoice.NONE, "")


def _plain(text: str) -> str:
    """Take out what only dresses the text: thinking aloud, Markdown, LaTeX boxes, code fences."""
    text = re.sub(r"(?is)^.*</think(?:ing)?>(?=.*\w)", "", text)
    for _ in range(_DEEPEST if "\\" in text else 0):
        text = re.sub(r"\\(?:boxed|text\w*|math\w*)\s*\{([^{}]*)\}", r"\1", text)
    text = re.sub(r"```\w*|[*`$#]+|\\[()\[\]]|\b_+|_+\b", " ", text).replace("’", "'")
    return text.strip()


def _whole(text: str, words: OptionWords) -> ParsedChoice | None:
    names = words.whole(text)
    return None if names is None else _parsed(names, text)


def _chosen(text: str, words: OptionWords) -> ParsedChoice | None:
    """Read the last sentence that chooses."""
    readings = [*_after(BEFORE, text, words), *_turned(text, words)]
    readings += _before(words.lists(text), text)
    if not readings:
        phrases = words.phrases(text)
        readings += _before((((name,), begin, end) for name, begin, end in phrases), text)
    own = _without_options(text, words)
    return _last([reading for reading in readings if not _conditional(own, reading[0])]) or _last(
        readings
    )


def _without_options(text: str, words: OptionWords) -> str:
    """Blank the options' words, each letter at its place: an 'if' of theirs is no condition."""
    letters = list(text)
    for _, begin, end in words.phrases(text):
        letters[begin:end] = " " * (end - begin)
    return "".join(letters)


def _before(
    named: Iterable[tuple[tuple[str, ...], int, int]], text: str
) -> Iterator[tuple[int, ParsedChoice]]:
    """Find each option that such a phrase stands after, and that is not denied before it."""
    for names, begin, end in named:
        right = RIGHT.match(text, end)
        if right is not None and not _denied_before(text, begin):
            yield begin, _parsed(names, text[begin : right.end()])


def _conditional(text: str, at: int) -> bool:
    """Say whether the sentence around a place says what would hold in another case."""
    begin = max(text.rfind(mark, 0, at) for mark in ".!?;\n") + 1
    end = _SENTENCE_END.search(text, at)
    return IF.search(text[begin : end.start() if end else None]) is not None


def _after(
    cue: re.Pattern[str], text: str, words: OptionWords
) -> Iterator[tuple[int, ParsedChoice]]:
    """Find each option that such a phrase stands before, and that is not denied after it."""
    for before in cue.finditer(_lower(text)):
        if SECOND.search(text, max(0, before.start() - _NEAR), before.start()):
            continue
        target = words.at_start(text[before.end() :])
        if target is not None:
            names, length = target
            end = before.end() + length
            if not WRONG.match(text, end):
                yield before.end(), _parsed(names, text[before.start() : end])


def _lower(text: str) -> str:
    """Give the text in lower case, every letter at its place."""
    low = text.lower()
    if len(low) == len(text):
        return low
    return "".join(letter.lower() if len(letter.lower()) == 1 else letter for letter in text)


def _turned(text: str, words: OptionWords) -> Iterator[tuple[int, ParsedChoice]]:
    """Find each 'not A but B'."""
    for denial in NOT.finditer(text):
        first = words.at_start(text[denial.end() :])
        turn = None if first is None else BUT.match(text, denial.end() + first[1])
        second = None if turn is None else words.at_start(text[turn.end() :])
        if turn is not None and second is not None:
            names, length = second
            yield turn.end(), _parsed(names, text[denial.start() : turn.end() + length])


def _last(readings: list[tuple[int, ParsedChoice]]) -> ParsedChoice | None:
    return max(readings, key=lambda reading: reading[0])[1] if readings else None


def _left(text: str, words: OptionWords) -> ParsedChoice | None:
    """Read the last sentence that leaves an option, by its letter."""
    letters = replace(words, phrase=None)
    return _last(
        [reading for reading in _after(LEAVES, text, letters) if reading[1].choice is not None]
    )


def _alone(text: str, words: OptionWords) -> ParsedChoice | None:
    """Read the last line or sentence, where it is nothing but an option and no other is one."""
    pieces = [piece for piece in _PIECES.split(text) if re.search(r"\w", piece)]
    choices_named = [words.whole(piece) for piece in pieces]
    if (
        choices_named[-1:] == [None]
        or len({names for names in choices_named if names is not None}) != 1
    ):
        return None
    return _parsed(choices_named[-1] or (), pieces[-1])


def _leading(text: str, words: OptionWords) -> ParsedChoice | None:
    start = words.at_start(text, leading=True)
    if start is None or WRONG.match(text, start[1]) or _walks_through(text, words):
        return None
    return _parsed(start[0], text[: start[1]])


def _walks_through(text: str, words: OptionWords) -> bool:
    """Say whether it begins with one option after the other: a discussion, not a choice."""
    pieces = [piece for piece in _ITEMS.split(text, maxsplit=2 * _WALK) if piece.strip()]
    starts = [words.at_start(piece, leading=True) for piece in pieces]
    named = [start[0] if start else () for start in starts[:_WALK]]
    return len(named) == _WALK and all(named) and len(set(named)) == _WALK


def _named(text: str, words: OptionWords) -> ParsedChoice | None:
    """Read the only option that is named and not denied, by letter or else by words."""
    for mentions in (words.letters(text), words.phrases(text), words.several(text)):
        left = {name: at for name, *at in mentions if not _denied(text, *at)}
        if left:
            begin, end = next(iter(left.values()))
            return _parsed(tuple(left), text[begin:end])
    return None


def _denied(text: str, begin: int, end: int) -> bool:
    return WRONG.match(text, end) is not None or _denied_before(text, begin)


def _denied_before(text: str, begin: int) -> bool:
    return DENIED.search(text, max(0, begin - _NEAR), begin) is not None


def _parsed(names: tuple[str, ...], text: str) -> ParsedChoice:
    if not names:
        return ParsedChoice(None, NoChoice.NOT_AN_OPTION, text)
    if len(names) > 1:
        return ParsedChoice(None, NoChoice.SEVERAL, text)
    return ParsedChoice(names[0], None, text)
