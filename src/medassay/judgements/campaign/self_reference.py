"""How texts speak of themselves as a model, language by language, and which languages are known."""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files
from typing import Final

from pydantic import BaseModel, ConfigDict

from medassay.judgements.campaign.model_names import every_maker
from medassay.tables import read_toml
from medassay.text import main_script

__all__ = ["Phrases", "of_itself", "phrases", "searched_languages", "unsearched_language"]

_WORD: Final = re.compile(r"[^\W\d_]+")
_ENOUGH: Final = 8  # words: fewer say little of a language
_MANY: Final = 20  # words: so many without one small word of a known language are of another
_LEAST: Final = 0.1  # of its words, small words of its own, in each of these languages
_CLEAR: Final = 2  # small words more than any searched language has: one may be chance
_KANA: Final = re.compile("[\u3040-\u30ff]")
_NOT_ARABIC: Final = re.compile("[پچژگٹڈںےکی]")
_SCRIPTS: Final = {"Cjk", "Arabic"}

_Patterns = tuple[re.Pattern[str], ...]


class _Language(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)

    language: str
    small_words: str
    kinds: tuple[str, ...]
    of_itself: tuple[str, ...]
    introductions: tuple[str, ...]
    openings: tuple[str, ...]
    naming: tuple[str, ...]
    labels: tuple[str, ...]
    answers: tuple[str, ...]
    speaking: tuple[str, ...]
    after: tuple[str, ...] = ()


class _Others(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    small_words: dict[str, str]


class Phrases:
    """What stands around a name by which a text calls itself, in all languages at once.

    Attributes:
        introductions: Ends where the name begins: "my name is ".
        openings: The same at the beginning of a sentence, before a name and a comma: "As ".
        naming: Ends where even a name of one letter is one: "I am system ".
        labels: A word and a colon or bracket before the name: "model: ".
        answers: A word and a bracket before the name: "answer (".
        speaking: Begins where a name ends that begins a sentence: " here".
        after: Begins where the name of a model ends: "'s answer".
    """

    def __init__(self, languages: Sequence[_Language]) -> None:
        """Compile the patterns of all languages."""
        between = r"[\s:\"“«'*_`]*$"
        self.introductions = _any(
            languages, "introductions", r"", rf"(?:\s+|(?<=[\u0600-\u9fff'])){between}"
        )
        self.openings = _any(languages, "openings", r"(?:^|[.!?:;\n。！？])[\s\"'“(*_]*", between)
        self.naming = _any(languages, "naming", "", between)
        mark = r"\s*[:：=([（【–—-]"
        self.labels = _any(languages, "labels", r"(?<![^\W_])", rf"{mark}{between}")
        self.answers = _any(languages, "answers", r"(?<![^\W_])", r"\s*[([（【]\s*$")
        self.speaking = _any(languages, "speaking", r"^[\s*_\"'”]*", "")
        self.after = _any(languages, "after", r"^[\s*_\"”]*", "")


@cache
def phrases() -> Phrases:
    """Give what stands around names."""
    return Phrases(_languages())


def of_itself(text: str) -> Iterator[re.Match[str]]:
    """Find what only a model says of itself; apostrophes are straight."""
    plain, with_maker, maker = _of_itself()
    patterns = (*plain, *with_maker) if maker.search(text) else plain
    for pattern in patterns:
        yield from pattern.finditer(text)


@cache
def _of_itself() -> tuple[_Patterns, _Patterns, re.Pattern[str]]:
    """Give the patterns without a maker, those with one, and the makers, which take longest."""
    maker = every_maker()
    plain, with_maker = list[re.Pattern[str]](), list[re.Pattern[str]]()
    for language in _languages():
        kinds = f"(?:{_spaced('|'.join(language.kinds))})"
        for pattern in language.of_itself:
            whole = _spaced(pattern).replace("{kind}", kinds).replace("{maker}", maker)
            kept = with_maker if "{maker}" in pattern else plain
            kept.append(re.compile(whole, re.IGNORECASE))
    return tuple(plain), tuple(with_maker), re.compile(maker, re.IGNORECASE)


def searched_languages() -> list[str]:
    """Name the languages in which phrases of self-reference are known.

    Example:
        >>> searched_languages()
        ['Arabic', 'Chinese', 'English', 'French', 'German', 'Portuguese', 'Spanish']
    """
    return sorted(language.language for language in _languages())


def unsearched_language(text: str) -> str | None:
    """Name the language of a text where its phrases of self-reference are not known.

    Returns:
        None where the text is in a language that is searched, or is too short to tell. A language
        of Latin letters that is not recognised, and any other script, is named by its letters.

    Example:
        >>> unsearched_language("Il paziente deve riposare e bere molto e non lavorare.")
        'Italian'
        >>> unsearched_language("Пейте больше воды.") or unsearched_language("Rest.")
        'a language in Cyrillic script'
    """
    script = main_script(text)
    if script == "Latin":
        return _unsearched_latin([word.casefold() for word in _WORD.findall(text)])
    if script in {"Hiragana", "Katakana"} or (script == "Cjk" and _KANA.search(text)):
        return "Japanese"
    other = script == "Arabic" and _NOT_ARABIC.search(text)
    known = script is None or (script in _SCRIPTS and not other)
    return None if known else f"a language in {script} script"


def _unsearched_latin(words: list[str]) -> str | None:
    if len(words) < _ENOUGH:
        return None
    every = _small_words()
    counts = {name: sum(word in small for word in words) for name, small in every.items()}
    known = max(counts[name] for name in searched_languages())
    most = max(counts.values())
    if most >= known + _CLEAR and most >= _LEAST * len(words):
        return next(name for name, count in sorted(counts.items()) if count == most)
    return "a language in Latin script" if len(words) >= _MANY and not known else None


@cache
def _languages() -> tuple[_Language, ...]:
    folder = files("medassay") / "data" / "blinding" / "languages"
    each = sorted(folder.iterdir(), key=lambda file: file.name)
    return tuple(read_toml(_Language, file.read_bytes(), file.name) for file in each)


@cache
def _small_words() -> dict[str, frozenset[str]]:
    content = (files("medassay") / "data" / "blinding" / "other_languages.toml").read_bytes()
    others = read_toml(_Others, content, "other_languages.toml")
    known = {language.language: language.small_words for language in _languages()}
    every = {**known, **others.small_words}
    return {name: frozenset(words.split()) for name, words in every.items()}


def _any(languages: Sequence[_Language], key: str, before: str, after: str) -> re.Pattern[str]:
    each = [pattern for language in languages for pattern in getattr(language, key)]
    return re.compile(f"{before}(?:{_spaced('|'.join(each))}){after}", re.IGNORECASE)


def _spaced(pattern: str) -> str:
    return pattern.replace(" ?", r"\s*").replace(" ", r"\s+")
