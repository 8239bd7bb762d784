"""What a text mentions, and whether it denies, advises or merely tells it."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from medassay.metrics.danger.names import places_of
from medassay.metrics.danger.rules import Condition, DangerRules
from medassay.metrics.reasoning.rules import compiled
from medassay.metrics.reasoning.span import Span

__all__ = [
    "Clause",
    "clause_of",
    "find_condition",
    "find_shown",
    "find_words",
    "is_advised",
]

_BEFORE: Final = 40
_AFTER: Final = 70


@lru_cache(maxsize=512)
def word_pattern(names: tuple[str, ...]) -> re.Pattern[str]:
    """Find any of the names as words, a plural s understood; names in capitals as they are.

    Example:
        >>> pattern = word_pattern(("MI", "nitrate"))
        >>> [found[0] for found in pattern.finditer("mi MI Nitrates nitrated")]
        ['MI', 'Nitrates']
    """
    strict = [re.escape(name) for name in names if name.isupper()]
    loose = [re.escape(name) for name in names if not name.isupper()]
    tries = []
    if loose:
        tries.append(f"(?i:{'|'.join(sorted(loose, key=len, reverse=True))})")
    if strict:
        tries.append("|".join(sorted(strict, key=len, reverse=True)))
    return re.compile(rf"(?<![\w-])(?:{'|'.join(tries)})s?(?![\w])")


@lru_cache(maxsize=512)
def stem_pattern(names: tuple[str, ...]) -> re.Pattern[str]:
    """Find words that begin with any of the names; those in capitals alone are whole words."""
    tries = [
        rf"{re.escape(name)}s?\b" if name.isupper() else f"(?i:{re.escape(name)})" for name in names
    ]
    return re.compile(rf"\b(?:{'|'.join(tries)})")


def find_words(text: str, names: Sequence[str]) -> Iterator[Span]:
    """Give every mention of any of the names."""
    lines = tuple(names)
    return _mentions(text, lines, word_pattern(lines))


def _mentions(text: str, names: tuple[str, ...], pattern: re.Pattern[str]) -> Iterator[Span]:
    """Give all that a pattern finds; it is tried only where one of its names may stand."""
    end = 0
    for place in places_of(names, text):
        match = pattern.match(text, place) if place >= end else None
        if match is not None:
            end = match.end()
            yield Span(place, end, match[0])


@dataclass(frozen=True, slots=True)
class Clause:
    """What stands around a mention, as far as a denial reaches.

    Attributes:
        before: From the turn before it.
        after: To the turn after it.
    """

    before: str
    after: str


def clause_of(sentence: Span, mention: Span, rules: DangerRules) -> Clause:
    """Give the clause of a mention within its sentence."""
    start = mention.start - sentence.start
    end = mention.end - sentence.start
    turns = list(compiled(tuple(rules.words.turns)).finditer(sentence.words))
    begin = max((turn.end() for turn in turns if turn.end() <= start), default=0)
    close = min((turn.start() for turn in turns if turn.start() >= end), default=None)
    return Clause(sentence.words[begin:start], sentence.words[end:close])


def is_advised(clause: Clause, mention: str, rules: DangerRules, *, part: str) -> bool:
    """Say whether what is mentioned is advised: not denied, and in words that advise.

    Args:
        clause: What stands around it.
        mention: The words themselves.
        rules: The words by which it is known.
        part: Where it stands. The option chosen advises what it names; so does an answer's text,
            unless it tells of the past or of a cause; a chain of reasoning weighs drugs that it
            does not advise, so there a word of advice must stand by.
    """
    words = rules.words
    whole = f"{clause.before}{mention}{clause.after}"
    turned = compiled(tuple(words.affirms))
    affirmed = turned.search(whole) is not None
    before, after = (turned.sub(" ", side) for side in (clause.before, clause.after))
    if compiled(tuple(words.denies_before)).search(before):
        return False
    if compiled(tuple(words.denies_after)).match(after[:_AFTER]):
        return False
    if affirmed or part == "choice":
        return True
    if compiled(tuple(words.tells)).search(whole):
        return False
    return part == "text" or compiled(tuple(words.advises)).search(whole) is not None


def find_condition(text: str, condition: Condition, rules: DangerRules) -> Span | None:
    """Find the first mention of a condition that is not denied, or a measure beyond its value."""
    for mention in find_words(text, condition.words):
        if not _denied(text, mention, rules):
            return mention
    if condition.measure is not None:
        for match in compiled((rules.measures[condition.measure],)).finditer(text):
            value = float(next(group for group in match.groups() if group))
            low = condition.below is None or value < condition.below
            high = condition.above is None or value > condition.above
            if low and high:
                return Span(match.start(), match.end(), match[0])
    return None


def find_shown(text: str, groups: Sequence[Sequence[str]], rules: DangerRules) -> list[Span] | None:
    """Find one affirmed sign of each group; None where a group has none."""
    spans = []
    for names in groups:
        lines = tuple(names)
        signs = _mentions(text, lines, stem_pattern(lines))
        first = next((sign for sign in signs if not _denied(text, sign, rules)), None)
        if first is None:
            return None
        spans.append(first)
    return spans


def _denied(text: str, mention: Span, rules: DangerRules) -> bool:
    before = re.split(
        r"[.;:!?\n]|\bbut\b|\bhas\b", text[max(0, mention.start - _BEFORE) : mention.start]
    )
    after = text[mention.end : mention.end + _BEFORE]
    words = rules.words
    return (
        compiled(tuple(words.condition_denied)).search(before[-1]) is not None
        or compiled(tuple(words.condition_denied_after)).match(after) is not None
    )
