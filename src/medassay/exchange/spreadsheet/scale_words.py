"""The scale that a header, or the row below it, names: (1-6), 0–10, /5, [1..3], 1 = best."""

import re
from dataclasses import dataclass
from typing import Final

from medassay.exchange.spreadsheet.words import NAMED_SCALES, form, lexicon

_NUMBER: Final = r"((?:(?<![^\s(\[（【=:,;/])[+\-−–])?\d+(?:[.,]\d+)?)"
"""A number; a sign before it stands apart from what is before that."""
_HIGH: Final = r"([+\-−–]?\d+(?:[.,]\d+)?)"
_RANGE: Final = re.compile(
    rf"(?<![\d.,]){_NUMBER}\s*(?:-|–|—|−|\.\.+|…|to|\bbis\b|\bà\b|\ba\b|\baté\b|\btot\b|～|~|至|到|から|إلى)\s*{_HIGH}(?![\d.,])"
)
_OF: Final = re.compile(r"(?:/|\bout of\b|\bvon\b)\s*(\d+)(?!\d)")
_SENSE: Final = re.compile(rf"(?<![^\W_]){_NUMBER}\s*(?:=|:)\s*([^,;/()\[\]\d]+)")
_BESIDE: Final = re.compile(rf"{_NUMBER}\s*\(([^()\d]+)\)")
"""1 (best) to 5 (worst): words in brackets behind the numbers."""
_BRACKETS: Final = re.compile(r"[\(\[（【]([^()\[\]（）【】]*)[\)\]）】]")


_YES_OR_NO: Final = re.compile(r"[(\[（]\s*([^\W\d_]+)\s*[/|,]\s*([^\W\d_]+)\s*[)\]）]")


def _without_yes_or_no(match: re.Match[str]) -> str:
    """Take out "(Y/N)" behind a question: it names the labels, and nobody."""
    known = lexicon().yes | lexicon().no
    return " " if {match[1].casefold(), match[2].casefold()} <= known else match[0]


@dataclass(frozen=True, slots=True)
class Ends:
    """The ends of a scale.

    Attributes:
        low: The lowest number; None where only the highest is said.
        high: The highest.
        better: Which end is good; "" where nothing says.
        words: What single numbers mean.
    """

    low: float | None
    high: float | None
    better: str = ""
    words: tuple[tuple[float, str], ...] = ()


def read_ends(text: str) -> tuple[Ends | None, str]:
    """Find a scale in a text, and give the text without it.

    Example:
        >>> read_ends("Accuracy (1-6)")
        (Ends(low=1.0, high=6.0, better='', words=()), 'Accuracy ')
        >>> read_ends("Safety /5")[0], read_ends("Severity (1 = best, 6 = worst)")[0].better
        (Ends(low=None, high=5.0, better='', words=()), 'lower')
        >>> read_ends("GPT-4 accuracy"), read_ends("[0..3]")[0].high
        ((None, 'GPT-4 accuracy'), 3.0)
        >>> read_ends("Help (−2 … +2) R1"), read_ends("Help (-2 = bad, 2 = good)")[0].low
        ((Ends(low=-2.0, high=2.0, better='', words=()), 'Help R1'), -2.0)
        >>> read_ends("Qualität (Schulnote) R1")
        (Ends(low=1.0, high=6.0, better='', words=()), 'Qualität R1')
        >>> read_ends("Response (Llama-3-70B)")[0] is None
        True
    """
    text = _YES_OR_NO.sub(_without_yes_or_no, text)
    beside = [f"{match[1]} = {match[2]}" for match in _BESIDE.finditer(text)]
    if len(beside) > 1:
        first = next(_BESIDE.finditer(text)).start()
        return _sensed("; ".join(beside)), text[:first].rstrip(" ,:;-–")
    for match in _BRACKETS.finditer(text):
        ends = _ends(match[1]) or _named(match[1])
        if ends is not None:
            return ends, re.sub(r"\s{2,}", " ", text[: match.start()] + text[match.end() :])
    found = _OF.search(text) or _whole_range(text)
    if found is not None:
        rest = text[: found.start()] + text[found.end() :]
        return _ends(found[0]), rest.rstrip(" ,:;-–")
    sensed = _sensed(text)
    if sensed is not None:
        return sensed, _SENSE.sub("", text).rstrip(" ,:;-–")
    return _named(text), text


def _named(text: str) -> Ends | None:
    """Give the scale that has a name: German schools mark from 1, the best, to 6."""
    return next((Ends(*NAMED_SCALES[word]) for word in form(text) if word in NAMED_SCALES), None)


def _whole_range(text: str) -> re.Match[str] | None:
    """Find a range behind a blank or alone: GPT-4 and Llama 3-8 are names."""
    for match in _RANGE.finditer(text):
        alone = match.start() == 0 or text[match.start() - 1] in " ,:;_\n"
        ended = match.end() == len(text) or text[match.end()] in " ,:;)\n"
        low, high = _number(match[1]), _number(match[2])
        if alone and ended and low in {0, 1, -high} and low < high <= 100:  # noqa: PLR2004 - per cent
            return match
    return None


def _is_of_a_name(text: str, match: re.Match[str]) -> bool:
    """Say whether a range is part of a name, as in Llama-3-70B, GPT-4-32k and Claude 3-5."""
    before, after = text[: match.start()], text[match.end() :]
    joined = re.search(r"[A-Za-z]-$", before) or re.match(r"-?[A-Za-z]", after)
    called = re.search(r"\b[A-Z][\w-]*\s$", before) and _number(match[1]) > 1
    return bool(joined or called)


def _ends(text: str) -> Ends | None:
    match, sensed = _RANGE.search(text), _sensed(text)
    if match is not None and _is_of_a_name(text, match):
        match = None
    if match is not None and _number(match[1]) < _number(match[2]):
        better = sensed.better if sensed else ""
        return Ends(_number(match[1]), _number(match[2]), better, sensed.words if sensed else ())
    of = _OF.search(text)
    return Ends(None, float(of[1])) if of is not None else sensed


def _sensed(text: str) -> Ends | None:
    """Read what single numbers are said to mean: 1 = best, 5 = excellent."""
    words = [(_number(match[1]), match[2].strip()) for match in _SENSE.finditer(text)]
    if not words:
        return None
    known = lexicon()
    ends = known.best | known.worst
    if len(words) == 1 and "=" not in text and form(words[0][1]) not in ends:
        return None  # in "Rater 1: Accuracy" the number is of a name
    better = ""
    numbers = [number for number, _ in words]
    for number, word in words:
        good, bad = form(word) in known.best, form(word) in known.worst
        if good or bad:
            least = number == min(numbers) and (len(set(numbers)) > 1 or number <= 1)
            better = "lower" if least == good else "higher"
    if len(set(numbers)) > 1:
        return Ends(min(numbers), max(numbers), better, tuple(words))
    if numbers[0] <= 1:
        return Ends(numbers[0], None, better, tuple(words))
    return Ends(None, numbers[0], better, tuple(words))


def _number(text: str) -> float:
    return float(re.sub("[−–]", "-", text).replace(",", "."))
