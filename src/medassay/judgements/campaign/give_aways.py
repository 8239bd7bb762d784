"""Answers whose own words tell the rater which system wrote them."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final, NamedTuple

from pydantic import BaseModel, ConfigDict

from medassay.tables import read_toml
from medassay.text import main_script

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
_SHORT: Final = 2
_PIECES: Final = re.compile(
    r"[A-Z]{2,}(?![a-z])|[A-Z]?[a-z]+|[A-Z]+|[^\W\d_A-Za-z]+|\d+|[^\w\s.:/|\-]+"
)
_RUNS: Final = re.compile(r"[^\W\d_]+")
_DIGITS: Final = "0-9"
_LATIN: Final = "A-Za-z\u00c0-\u024f"
_BETWEEN: Final = r"[\s_.:/\-‐‑]?"
_WORD: Final = re.compile(r"[^\W\d_]+")
_ENOUGH: Final = 8  # words: fewer say little of a language
_MANY: Final = 20  # words: so many without one small word of a known language are of another
_LEAST: Final = 0.1  # of its words, small words of its own, in each of these languages
_CLEAR: Final = 2  # small words more than any searched language has: one may be chance
_KANA: Final = re.compile("[\u3040-\u30ff]")
_NOT_ARABIC: Final = re.compile("[پچژگٹڈںےکی]")
_SCRIPTS: Final = {"Cjk", "Arabic"}
_Patterns = tuple[re.Pattern[str], ...]


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


@dataclass(frozen=True)
class ModelNames:
    """What is looked for in the answers of a study.

    Attributes:
        own: Names of the study's systems that no sentence holds by chance.
        models: Names of known models of which that is true.
        makers: Names of their makers of which that is true.
        plain: Names of the study's systems, and parts of them, that may be everyday words.
        generic: Of these, what any system may be called.
        related: Everyday words that are products or makers of the study's models, as written.
        everyday: The plain names, and everyday words that are models.
        everyday_makers: Everyday words that are makers.
        short: Names of one or two letters.
    """

    own: tuple[str, ...]
    models: tuple[str, ...]
    makers: tuple[str, ...]
    plain: frozenset[str]
    generic: frozenset[str]
    related: frozenset[str]
    everyday: tuple[str, ...]
    everyday_makers: tuple[str, ...]
    short: tuple[str, ...]


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
        own = _squeezed(name.word) in names.plain
        if own or name.word in names.everyday:
            yield _Place(name.start, name.end, _OWN if own else _MODEL)


def _read_around(text: str, name: _Name, names: ModelNames) -> _Place | None:
    """Say what an everyday word is by what stands around it; None where nobody need look."""
    key = _squeezed(name.word)
    own, generic, model = key in names.plain, key in names.generic, key in _models()
    around = _Around.of(text, name)
    why = _BY_NAME if own else _ITSELF
    start, end = around.with_maker(name)
    end = max(end, around.end_of_version(name))
    if model and (name.has_version or (start, end) != (name.start, name.end)):
        return _Place(start, end, _MODEL)
    if _has_inner_capital(name.word) and not generic:
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
        (re.compile(_alone(names.own), re.IGNORECASE), None, _OWN),
        (re.compile(_alone(names.models), re.IGNORECASE), _LOOSE, _MODEL),
        (re.compile(_alone(names.makers), re.IGNORECASE), None, _MAKER),
    )


@cache
def _everyday(names: ModelNames) -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    """Give the patterns of everyday words, of such makers, and of names of a letter or two."""
    words, makers = _alone(names.everyday), _alone(names.everyday_makers)
    short = re.compile(_alone(names.short))
    return re.compile(words, re.IGNORECASE), re.compile(makers, re.IGNORECASE), short


@cache
def _models() -> frozenset[str]:
    return frozenset(map(_squeezed, names_of(()).everyday))


@cache
def _maker_before() -> re.Pattern[str]:
    return re.compile(rf"(?:{_every_maker()})(?:'?s)?[\s\-–,:(的]*$", re.IGNORECASE)


@cache
def _maker_behind() -> re.Pattern[str]:
    made = (
        r"(?:(?:made|built|trained|developed)?\s*(?:by|from|of|at|von|aus|de|da|do|par|por|من)\s+)?"
    )
    return re.compile(rf"^[\s,(*_\"'）]*{made}(?:the\s+)?{_every_maker()}", re.IGNORECASE)


class _Maker(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    makers: tuple[str, ...] = ()
    everyday_makers: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    everyday: tuple[str, ...] = ()


class _File(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    makers: tuple[_Maker, ...]
    generic: str


def _spelling(name: str) -> str:
    """Give a pattern of all spellings of a name: hyphens, blanks, dots and underscores are one.

    Example:
        >>> spelt = re.compile(_spelling("TinyLlama2"), re.IGNORECASE)
        >>> [word for word in ("tinyllama-2", "Tiny Llama 2", "tinyllama") if spelt.fullmatch(word)]
        ['tinyllama-2', 'Tiny Llama 2']
    """
    return _BETWEEN.join(re.escape(piece) for piece in _PIECES.findall(name))


def _alone(names: Iterable[str]) -> str:
    """Give a pattern of any of these names as words of their own; digits may follow.

    Chinese has no blanks between words, and in it a Latin name may touch the next sign.
    """
    latin, chinese, other = list[str](), list[str](), list[str]()
    for name in sorted(set(names), key=lambda name: (-len(name), name)):
        kind = latin if name[0] < "\u0250" else chinese if _is_chinese(name[0]) else other
        kind.append(_spelling(name))
    every = [
        rf"(?<![{_DIGITS}{_LATIN}])(?:{'|'.join(latin)})(?![{_LATIN}])" if latin else "",
        "|".join(chinese),
        rf"(?<!\w)[وبلفك]?(?:{'|'.join(other)})(?![^\W\d])" if other else "",
    ]
    return "|".join(filter(None, every)) or r"(?!)"


@cache
def names_of(called: tuple[str, ...]) -> ModelNames:
    """Sort what a study calls its systems, and what is known of models, by what a match tells."""
    known = _known()
    usual = frozenset(known.generic.split())
    telling = {_squeezed(name) for maker in known.makers for name in (*maker.makers, *maker.names)}
    own, plain, short = set[str](), set[str](), set[str]()
    parts = set[str]()
    for name in filter(_squeezed, called):
        runs = _RUNS.findall(name)
        parts |= {_squeezed(part) for part in (*runs, *_PIECES.findall(name), "".join(runs))}
        generic = all(run.casefold() in usual for run in runs)
        if len(_squeezed(name)) <= _SHORT:
            short.add(name)
        elif _squeezed(name) in telling:
            own.add(name)
        elif (name.isalpha() and not _has_inner_capital(name)) or (
            generic and not any(map(str.isdigit, name))
        ):
            plain.add(name)
        else:
            own.add(name)
            plain |= {run for run in runs if len(run) > _SHORT and run.casefold() not in usual}
    related = set[str]()
    for maker in known.makers:
        every = {*maker.makers, *maker.everyday_makers, *maker.names, *maker.everyday}
        if parts & {_squeezed(name) for name in every}:
            related |= {*maker.everyday_makers, *maker.everyday}
    plain = {word for word in plain if _squeezed(word) not in telling}
    return ModelNames(
        tuple(sorted(own)),
        tuple(name for maker in known.makers for name in maker.names),
        tuple(name for maker in known.makers for name in maker.makers),
        frozenset(map(_squeezed, plain)),
        frozenset(_squeezed(word) for word in plain if word.casefold() in usual),
        frozenset(related),
        tuple({*plain, *(name for maker in known.makers for name in maker.everyday)}),
        tuple(name for maker in known.makers for name in maker.everyday_makers),
        tuple(sorted(short)),
    )


def _squeezed(name: str) -> str:
    """Give the letters and digits of a name alone.

    Example:
        >>> _squeezed("Med-PaLM 2")
        'medpalm2'
    """
    return re.sub(r"[\W_]", "", name).casefold()


def _has_inner_capital(word: str) -> bool:
    """Say whether a word is written as only names are: with capitals and small letters mixed.

    Example:
        >>> [_has_inner_capital(word) for word in ("PaLM", "LLaMA", "Palm", "GPT")]
        [True, True, False, False]
    """
    return bool(re.search(r"[^\W\d_]\w*[A-Z]", word)) and not word.isupper()


def _every_maker() -> str:
    """Give a pattern of any maker, everyday words too: for where the text says that it is one."""
    every = [name for maker in _known().makers for name in (*maker.makers, *maker.everyday_makers)]
    return rf"(?:{_alone(every)})"


@cache
def _known() -> _File:
    content = (files("medassay") / "data" / "blinding" / "models.toml").read_bytes()
    return read_toml(_File, content, "models.toml")


def _is_chinese(sign: str) -> bool:
    return "\u3400" <= sign <= "\u9fff"


class _Language(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True, populate_by_name=True)

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
    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

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
    maker = _every_maker()
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
