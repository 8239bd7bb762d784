"""The words that raters and their lead read, language by language: a file each.

Pages of the rating room and invitations take all their words from here. A file of a campaign's
folder adds a language, or says texts of one otherwise.
"""

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from pathlib import Path
from typing import Final

from medassay.campaign.options import language_files
from medassay.campaign.people import PEOPLE, Person
from medassay.errors import InvalidInput, Problem, nearest
from medassay.judgements.campaign import FOLDER
from medassay.tables import file_bytes

_FIRST: Final = "en"
_ABOUT: Final = {
    "name": "say what the language calls itself",
    "about.made": "say who made it",
    "about.checked": "say whether a native speaker checked it",
}
_CODE: Final = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8})?")
_ISOLATES: Final = {"rtl": ("\u2068", "\u2069")}
"""What stands about a value, so that it keeps its own direction where the text runs leftward."""
_PLACE: Final = re.compile(r"\{\w+\}")


@dataclass(frozen=True)
class Texts:
    """The words of one language.

    Attributes:
        language: Its code, as browsers write it.
        words: All words by their key.
    """

    language: str
    words: Mapping[str, str]

    @property
    def direction(self) -> str:
        """Say which way it is written: `ltr` or `rtl`."""
        return self.words["direction"]

    def __call__(self, key: str, **values: object) -> str:
        """Give a text with its values in their places.

        Raises:
            KeyError: There is no such text; a test reads every key that pages and modules use.
        """
        text, begin, end = self.words[key], *_ISOLATES.get(self.direction, ("", ""))
        for name, value in values.items():
            text = text.replace(f"{{{name}}}", f"{begin}{value}{end}")
        return text


class Catalogues:
    """All languages, one of which is the first choice of whoever asks.

    Args:
        texts: The languages; what one of them lacks is said in English.
    """

    def __init__(self, texts: Sequence[Texts]) -> None:
        self.texts = {texts_of.language: texts_of for texts_of in texts}

    def choose(self, chosen: str, wished: str) -> Texts:
        """Give the language that somebody chose, or that their browser wishes for, or English.

        Args:
            chosen: A code, or nothing.
            wished: The header `Accept-Language`.

        Example:
            >>> shipped().choose("", "nl;q=0.9, de-AT;q=0.8, en;q=0.1").language
            'de'
        """
        wishes = [(1.1, chosen)]
        for wished_language in wished.split(",")[:20]:
            code, _, rest = wished_language.strip().partition(";")
            wishes.append((_weight(rest), code))
        for _, code in sorted(wishes, key=lambda wish: -wish[0]):
            for name in (code, code.partition("-")[0]):
                if name in self.texts:
                    return self.texts[name]
        return self.texts[_FIRST]

    @cached_property
    def languages(self) -> tuple[tuple[str, str], ...]:
        """Give each language's code and what it calls itself."""
        return tuple((texts.language, texts("name")) for texts in self.texts.values())

    def with_files(self, paths: Sequence[Path]) -> tuple["Catalogues", list[str]]:
        """Add languages, or say some of them otherwise: a file each, named by its code.

        Args:
            paths: Files such as `fr.toml`, with the keys of `en.toml`.

        Returns:
            The languages, and a note for each file that lacks texts: those are said in English.

        Raises:
            InvalidInput: With every text that the room does not have, or whose values in braces are
                others, and every file that does not say who made it, and who checked it.
        """
        texts, notes, problems = dict(self.texts), list[str](), list[Problem]()
        english = self.texts[_FIRST].words
        for path in paths:
            own = read_catalogue(path.name, file_bytes(path, path.name).decode("utf-8", "replace"))
            problems += _faults(path.name, own.words, english)
            there = texts.get(own.language)
            lacking = len(english.keys() - own.words.keys())
            if lacking and there is None:
                notes.append(f"{path.name}: {lacking} of {len(english)} texts are said in English.")
            words = english if there is None else there.words
            texts[own.language] = Texts(own.language, {**words, **own.words})
        if problems:
            raise InvalidInput(problems)
        return Catalogues(tuple(texts.values())), notes


def _faults(name: str, words: Mapping[str, str], english: Mapping[str, str]) -> list[Problem]:
    """Name what in a catalogue cannot be used."""
    problems = []
    if not _CODE.fullmatch(Path(name).stem):
        must = "be named by the code of its language, such as fr.toml or pt-BR.toml"
        problems.append(Problem(name, must, f'"{name}"'))
    for key, text in words.items():
        places = sorted(_PLACE.findall(text))
        if key not in english:
            hint = nearest(key, list(english))
            problems.append(Problem(name, "be a text of the room", f'"{key}"', hint, column=key))
        elif places != (wanted := sorted(_PLACE.findall(english[key]))):
            must = f"have the values {' '.join(wanted)}" if wanted else "have no value in braces"
            problems.append(Problem(name, must, " ".join(places) or "none", column=key))
    if words.get("direction") not in {"ltr", "rtl"}:
        got = f'"{words.get("direction", "")}"'
        problems.append(Problem(name, "be ltr or rtl", got, column="direction"))
    for key, must in _ABOUT.items():
        if not words.get(key):
            problems.append(Problem(name, must, "nothing", column=key))
    return problems


def _weight(text: str) -> float:
    try:
        return float(text.strip().removeprefix("q=") or 1)
    except ValueError:
        return 0.0


def read_catalogue(name: str, text: str, first: Mapping[str, str] | None = None) -> Texts:
    """Read a catalogue: keys and texts in TOML; what it lacks is taken from the first.

    Raises:
        InvalidInput: It is not TOML, or a text is not one.
    """
    try:
        parsed = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InvalidInput(Problem(name, "be TOML", str(error))) from error
    words: dict[str, str] = {}
    for group, value in parsed.items():
        texts = value if isinstance(value, dict) else {"": value}
        for key, words_given in texts.items():
            if not isinstance(words_given, str):
                raise InvalidInput(
                    Problem(name, "hold texts", repr(words_given), column=f"{group}.{key}")
                )
            words[f"{group}.{key}" if key else group] = words_given
    return Texts(Path(name).stem, {**(first or {}), **words})


def refuse_unspoken(people: Iterable[Person], catalogues: Catalogues, campaign: str) -> None:
    """Refuse languages of people that no catalogue of the campaign speaks.

    Raises:
        InvalidInput: With every such person.
    """
    home = f"{FOLDER}/{campaign}"
    problems = [
        Problem(
            f"{home}/{PEOPLE}",
            f"be a language of the campaign: {', '.join(catalogues.texts)}",
            f'"{person.language}" of {person.rater}',
            f"Add it as {home}/languages/{person.language}.toml.",
            None,
            "language",
        )
        for person in people
        if person.language and person.language not in catalogues.texts
    ]
    if problems:
        raise InvalidInput(problems)


def catalogues_of(study: Path, campaign: str) -> tuple[Catalogues, list[str]]:
    """Give the languages that a campaign speaks, those of its own files among them, and notes.

    Raises:
        InvalidInput: As `Catalogues.with_files` does.
    """
    return shipped().with_files(language_files(study, campaign))


@cache
def shipped() -> Catalogues:
    """Give the languages that come with medassay."""
    folder = files("medassay") / "data" / "catalogues"
    first = read_catalogue("en.toml", (folder / "en.toml").read_text("utf-8"))
    others = [
        read_catalogue(file.name, file.read_text("utf-8"), first.words)
        for file in sorted(folder.iterdir(), key=lambda file: file.name)
        if file.name.endswith(".toml") and file.name != "en.toml"
    ]
    return Catalogues([first, *others])
