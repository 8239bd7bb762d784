"""The room's words in the languages it speaks."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Final

from medassay.errors import InvalidInput, Problem

__all__ = ["Catalogues", "Texts", "shipped"]

_FIRST: Final = "en"


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
        text = self.words[key]
        for name, value in values.items():
            text = text.replace(f"{{{name}}}", str(value))
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
            >>> shipped().choose("", "fr;q=0.9, de-AT;q=0.8, en;q=0.1").language
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


@cache
def shipped() -> Catalogues:
    """Give the languages that come with medassay."""
    folder = files("medassay.web") / "catalogues"
    first = read_catalogue("en.toml", (folder / "en.toml").read_text("utf-8"))
    others = [
        read_catalogue(file.name, file.read_text("utf-8"), first.words)
        for file in sorted(folder.iterdir(), key=lambda file: file.name)
        if file.name.endswith(".toml") and file.name != "en.toml"
    ]
    return Catalogues([first, *others])
