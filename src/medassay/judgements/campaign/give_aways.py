"""Answers whose own words tell the rater which system wrote them."""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final, NamedTuple

from medassay.judgements.campaign.model_names import (
    ModelNames,
    alone,
    every_maker,
    has_inner_capital,
    names_of,
    squeezed,
)
from medassay.judgements.campaign.self_reference import of_itself, phrases

__all__ = ["GiveAway", "find_give_aways"]

_OWN: Final = "names a system of the study"
_MODEL: Final = "names a model"
_MAKER: Final = "names a maker of models"
_ITSELF: Final = "speaks of itself as a model"
_BY_NAME: Final = "speaks of itself by the name of a system"
_EVERYDAY: Final = "may name a system, or be an everyday word"
_ABOUT: Final = 100  # letters before and behind a name that are read to tell what it is
_SENTENCE: Final = 160
_ENDS: Final = ".!?\n。！？"
_LOOSE: Final = re.compile(r"[-_.: ]?v?\d[\d.]*\w{0,3}")
_TIGHT: Final = re.compile(
    r"(?:[-_‐‑]?v?\d+(?:\.\d+)*[a-zB]{0,2}|:\d+(?:\.\d+)?[bB])(?![0-9A-Za-z\u00c0-\u024f])"
)
_UNITS: Final = (
    r"(?:[%x×/°]|U\b|IU\b|UI\b|mg|ml|g\b|years?|months?|weeks?|days?|hours?|times?|Jahre?|Monate?|"
    r"Tage?|Stunden?|Mal\b|ans?\b|mois|jours?|heures?|fois|años?|meses|días?|horas?|veces|anos?|"
    r"dias?|vezes|岁|天|次|个)"
)
_BLANK_VERSION: Final = re.compile(
    rf"^ (?:\d(?:\.\d+)?[a-z]?|\d\d?[bB])(?![0-9A-Za-z\u00c0-\u024f])(?!\.\d)(?!\s?{_UNITS})"
)
_HEAD: Final = re.compile(r"(?:^|\n)[\s>#*_\-•|\"'“«`【\[(（<]*$")
_BOLD: Final = re.compile(r"(?:^|\n)\s*(?:\*\*|__)$")
_BOLD_ENDS: Final = re.compile(r"^(?:\*\*|__)(?!\s*[<>≤≥~≈]?\s*\d)")
_HEAD_ENDS: Final = re.compile(
    r"^[\s*_\"'”»`】\])）>]*?(?:[:：|>\n]|$|\s?[–—]|\s-\s)(?!\s*[<>≤≥~≈]?\s*\d)"
)
_BRACKET: Final = re.compile(r"[\[【<{《]\s*$")
_BRACKET_ENDS: Final = re.compile(r"^\s*[\]】>}》]")
_PARENTHESIS: Final = re.compile(r"(?:^|\n)\s*[(（]\s*$")
_SIGNED: Final = re.compile(r"(?:\n|[.!?。！？\"”]\s*)\s*[-–—~]{1,2}\s*[*_]*$")
_LAST: Final = re.compile(r"^[\s.*_!)]*$")
_SURNAME: Final = re.compile(r"^\s+[A-ZÀ-Þ][a-zà-ÿ]")
_CLOSED: Final = re.compile(
    r"^[^\S\n]*(?:[\n,.!:;，。！：、)\]\"'*_”»]|$|(?:and|from|by|und|von|et|de|y|e|da|do)\b|وأ?)",
    re.IGNORECASE,
)
_COMMA: Final = re.compile(r"^[*_\"'”]*\s*(?:[,:，：،]|I\b)")
_WITHIN: Final = re.compile(r"(?:[^\W\d_A-Z]|,) $|[\u4e00-\u9fff]$")


@dataclass(frozen=True, slots=True)
class GiveAway:
    """One place where a text gives its system away, or may do so.

    Attributes:
        words: The words.
        around: The words with what stands about them; the sentence where somebody must decide.
        why: What they give away.
        certain: False where the words may be everyday words, such as phi or Gemma: somebody must
            decide by the sentence.
    """

    words: str
    around: str
    why: str
    certain: bool = True


class _Name(NamedTuple):
    word: str
    start: int
    end: int
    has_version: bool


class _Place(NamedTuple):
    start: int
    end: int
    why: str
    certain: bool = True


def find_give_aways(text: str, names: Iterable[str], *, title: bool = False) -> list[GiveAway]:
    """Find words that tell who wrote a text: names, and how models speak of themselves.

    Names are found in any spelling: capitals, hyphens, blanks and underscores do not matter. With a
    system's name its parts, its family and its maker are looked for. A name that is an everyday
    word too gives a system away where the words around it say so: a version, the maker beside it,
    "I am", "model:", a bracket, the beginning of a line before a colon. Elsewhere it is given for a
    decision.

    Args:
        text: What the rater reads.
        names: What the study calls the system: its id, title and family, and those of the others.
        title: Whether it is a heading, where a name is a name.

    Returns:
        Each place once, in the order of the text. Nothing is taken out: whether to change an answer
        is for the study's authors to decide.

    Example:
        >>> text = "[Phi] Rest it. The phi coefficient is low. Ask gpt 4."
        >>> for found in find_give_aways(text, ["phi", "gpt-4"]):
        ...     print(found.words, "-", found.why)
        Phi - speaks of itself by the name of a system
        phi - may name a system, or be an everyday word
        gpt 4 - names a system of the study
    """
    searched = names_of(tuple(sorted(set(names))))
    read = text if text.isascii() else _plain(text)
    places: list[_Place] = []
    every = _in_title(read, searched) if title else _places(read, searched)
    for place in sorted(every, key=lambda place: not place.certain):
        if not any(place.start < other.end and other.start < place.end for other in places):
            places.append(place)
    return [_shown(text, place) for place in sorted(places)]


def _shown(text: str, place: _Place) -> GiveAway:
    start, end = max(0, place.start - 30), place.end + 30
    if not place.certain:
        least, most = max(0, place.start - _SENTENCE // 2), place.end + _SENTENCE // 2
        start = max(least, 1 + max(text.rfind(mark, 0, place.start) for mark in _ENDS))
        ends = [at + 1 for mark in _ENDS if (at := text.find(mark, place.end)) >= 0]
        end = min([most, *ends])
    words = text[place.start : place.end].strip(" ,:\n\"'“‘(*_")
    return GiveAway(words, " ".join(text[start:end].split()), place.why, place.certain)


def _plain(text: str) -> str:
    """Give a text of the same length with straight apostrophes and no letters of full width."""
    signs = (unicodedata.normalize("NFKC", sign) for sign in text)
    return "".join(
        "'" if sign in "’‘ʼ" else (new if len(new) == 1 else sign)
        for sign, new in zip(text, signs, strict=True)
    )


def _places(text: str, names: ModelNames) -> Iterator[_Place]:
    for pattern, version, why in _telling(names):
        for name in _found(pattern, version, text):
            # "Open AI" is a name, "open AI" two words.
            two_words = " " in name.word and name.word[0].islower() and why is not _OWN
            yield _Place(name.start, name.end, _EVERYDAY if two_words else why, not two_words)
    for match in of_itself(text):
        yield _Place(*match.span(), _ITSELF)
    for match in _everyday(names)[2].finditer(text):
        name = _Name(match[0], *match.span(), has_version=False)
        if phrases().naming.search(_Around.of(text, name).before):
            yield _Place(*match.span(), _BY_NAME)
    yield from _everyday_places(text, names)


def _everyday_places(text: str, names: ModelNames) -> Iterator[_Place]:
    models, makers, _ = _everyday(names)
    for name in _found(models, _TIGHT, text):
        place = _read_around(text, name, names)
        if place is not None:
            yield place
    for name in _found(makers, None, text):
        if _Around.of(text, name).names_itself(closed=True):
            yield _Place(name.start, name.end, _MAKER)
        elif name.word in names.related:
            yield _Place(name.start, name.end, _EVERYDAY, certain=False)


def _in_title(text: str, names: ModelNames) -> Iterator[_Place]:
    for pattern, version, why in _telling(names):
        yield from (_Place(name.start, name.end, why) for name in _found(pattern, version, text))
    for name in _found(_everyday(names)[0], _TIGHT, text):
        own = squeezed(name.word) in names.plain
        if own or name.word in names.everyday:
            yield _Place(name.start, name.end, _OWN if own else _MODEL)


def _read_around(text: str, name: _Name, names: ModelNames) -> _Place | None:
    """Say what an everyday word is by what stands around it; None where nobody need look."""
    key = squeezed(name.word)
    own, generic, model = key in names.plain, key in names.generic, key in _models()
    around = _Around.of(text, name)
    why = _BY_NAME if own else _ITSELF
    start, end = around.with_maker(name)
    end = max(end, around.end_of_version(name))
    if model and (name.has_version or (start, end) != (name.start, name.end)):
        return _Place(start, end, _MODEL)
    if has_inner_capital(name.word) and not generic:
        why = _OWN if own else _MODEL
    elif not (
        around.names_itself(closed=not model) or (not generic and around.is_label(model=model))
    ):
        declared = name.word in names.everyday and around.is_within()
        shown = own or name.word in names.related or declared
        return _Place(name.start, name.end, _EVERYDAY, certain=False) if shown else None
    return _Place(name.start, name.end, why)


@dataclass(frozen=True, slots=True)
class _Around:
    """What stands before and behind a name."""

    before: str
    behind: str

    @classmethod
    def of(cls, text: str, name: _Name) -> "_Around":
        before = text[max(0, name.start - _ABOUT) : name.start]
        # A letter before what is read, so that its beginning is taken for that of no line.
        cut = "x" if name.start > _ABOUT else ""
        return cls(cut + before, text[name.end : name.end + _ABOUT])

    def names_itself(self, *, closed: bool) -> bool:
        """Say whether a text calls itself by the name: I am ..., as ..., ... here."""
        said = phrases()
        introduced = bool(said.introductions.search(self.before)) and not _SURNAME.match(
            self.behind
        )
        if introduced and (not closed or _CLOSED.match(self.behind)):
            return True
        if said.openings.search(self.before) and _COMMA.match(self.behind):
            return True
        begins = re.search(r"(?:^|[.!?:;,\n。！，])[\s\"'“(*_]*$", self.before)
        return bool(begins and said.speaking.match(self.behind))

    def is_label(self, *, model: bool) -> bool:
        """Say whether the name labels the text: before a colon, in brackets, at its end."""
        said = phrases()
        return bool(
            (_HEAD.search(self.before) and _HEAD_ENDS.match(self.behind))
            or (_BOLD.search(self.before) and _BOLD_ENDS.match(self.behind))
            or (_PARENTHESIS.search(self.before) and re.match(r"^\s*[)）]", self.behind))
            or (_BRACKET.search(self.before) and _BRACKET_ENDS.match(self.behind))
            or (_SIGNED.search(self.before) and _LAST.match(self.behind))
            or said.answers.search(self.before)
            or (said.labels.search(self.before) and _CLOSED.match(self.behind))
            or (model and said.after.match(self.behind))
        )

    def end_of_version(self, name: _Name) -> int:
        """Give the end of a version behind a capital and a blank; a number of something is none."""
        version = _BLANK_VERSION.match(self.behind) if name.word[0].isupper() else None
        return name.end + version.end() if version else name.end

    def with_maker(self, name: _Name) -> tuple[int, int]:
        """Give the place of a name together with a maker that stands right before or behind it."""
        before = _maker_before().search(self.before)
        behind = _maker_behind().match(self.behind)
        start = name.start - len(before[0]) if before else name.start
        return start, name.end + behind.end() if behind else name.end

    def is_within(self) -> bool:
        """Say whether a sentence goes on before the name, so that its capital is no sentence's."""
        return bool(_WITHIN.search(self.before)) and not _SURNAME.match(self.behind)


def _found(pattern: re.Pattern[str], version: re.Pattern[str] | None, text: str) -> Iterator[_Name]:
    for match in pattern.finditer(text):
        numbered = version.match(text, match.end()) if version else None
        end = numbered.end() if numbered else match.end()
        if not text[end : end + 1].isdigit():
            yield _Name(match[0], match.start(), end, numbered is not None)


@cache
def _telling(names: ModelNames) -> tuple[tuple[re.Pattern[str], re.Pattern[str] | None, str], ...]:
    return (
        (re.compile(alone(names.own), re.IGNORECASE), None, _OWN),
        (re.compile(alone(names.models), re.IGNORECASE), _LOOSE, _MODEL),
        (re.compile(alone(names.makers), re.IGNORECASE), None, _MAKER),
    )


@cache
def _everyday(names: ModelNames) -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    """Give the patterns of everyday words, of such makers, and of names of a letter or two."""
    words, makers = alone(names.everyday), alone(names.everyday_makers)
    short = re.compile(alone(names.short))
    return re.compile(words, re.IGNORECASE), re.compile(makers, re.IGNORECASE), short


@cache
def _models() -> frozenset[str]:
    return frozenset(map(squeezed, names_of(()).everyday))


@cache
def _maker_before() -> re.Pattern[str]:
    return re.compile(rf"(?:{every_maker()})(?:'?s)?[\s\-–,:(的]*$", re.IGNORECASE)


@cache
def _maker_behind() -> re.Pattern[str]:
    made = (
        r"(?:(?:made|built|trained|developed)?\s*(?:by|from|of|at|von|aus|de|da|do|par|por|من)\s+)?"
    )
    return re.compile(rf"^[\s,(*_\"'）]*{made}(?:the\s+)?{every_maker()}", re.IGNORECASE)
