"""Pages and their texts, language by language, and the files that they ask for."""

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from medassay.errors import InvalidInput, Problem, nearest
from medassay.tables import file_bytes
from medassay.text import is_marked_up
from medassay.web.answers import Refused, as_json
from medassay.web.laid_out import as_markdown, pieces_as_markdown

if TYPE_CHECKING:
    from jinja2 import Environment
    from starlette.responses import Response


__all__ = ["Catalogues", "Texts", "page", "page_of_error", "shipped", "static_file"]

_FIRST: Final = "en"
_MADE: Final = "about.made"
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

    @property
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
                others, and every file that does not say who made it.
        """
        texts, notes, problems = dict(self.texts), list[str](), list[Problem]()
        english = self.texts[_FIRST].words
        for path in paths:
            own = read_catalogue(path.name, file_bytes(path, path.name).decode("utf-8", "replace"))
            problems += _faults(path.name, own.words, english)
            lacking = len(english.keys() - own.words.keys())
            if lacking:
                notes.append(f"{path.name}: {lacking} of {len(english)} texts are said in English.")
            texts[own.language] = Texts(own.language, {**english, **own.words})
        if problems:
            raise InvalidInput(problems)
        return Catalogues(tuple(texts.values())), notes


def _faults(name: str, words: Mapping[str, str], english: Mapping[str, str]) -> list[Problem]:
    """Name what in a catalogue cannot be used."""
    problems = []
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
    for key, must in (("name", "say what the language calls itself"), (_MADE, "say who made it")):
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


_KINDS: Final = {"js": "text/javascript", "css": "text/css", "svg": "image/svg+xml"}


def static_file(name: str, known: str) -> "Response":
    """Give a file, or say that the browser's copy is the same.

    Args:
        name: Its name.
        known: The header `If-None-Match`.

    Raises:
        Refused: There is no such file.
    """
    from starlette.responses import Response

    entry = _files().get(name)
    if entry is None:
        raise Refused(404, "not_there", "There is no such page.")
    kind, content, tag = entry
    headers = {"etag": tag, "cache-control": "no-cache"}
    if known == tag:
        return Response(status_code=304, headers=headers)
    return Response(content, media_type=kind, headers=headers)


@cache
def _files() -> dict[str, tuple[str, bytes, str]]:
    by_name = {}
    for path in (files("medassay.web") / "static").iterdir():
        content = path.read_bytes()
        kind = _KINDS[path.name.rpartition(".")[2]]
        by_name[path.name] = (kind, content, f'"{sha256(content).hexdigest()[:20]}"')
    return by_name


@cache
def _environment() -> "Environment":
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("medassay.web", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(data=_data, markdown=as_markdown, marked=pieces_as_markdown)
    environment.tests["marked_up"] = is_marked_up
    return environment


def _data(value: object) -> Any:  # noqa: ANN401 - Markup, which jinja2 does not type apart
    """Write JSON that can stand in a page: no sign of it ends the element that holds it."""
    from markupsafe import Markup

    text = as_json(value).decode()
    for sign in "<>&\u2028\u2029":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return Markup(text)  # noqa: S704 - every sign that HTML reads is escaped above


def page(name: str, texts: "Texts", status: int = 200, **values: object) -> "Response":
    """Give a page of `templates/`, in a language; `root` stands before each path in it."""
    from starlette.responses import HTMLResponse

    template = _environment().get_template(f"{name}.html.j2")
    return HTMLResponse(template.render(t=texts, **values), status)


def page_of_error(texts: "Texts", refused: "Refused", root: str) -> "Response":
    """Tell somebody what is wrong, in their language where its word has a text.

    Args:
        texts: The texts in their language.
        refused: What is wrong.
        root: What stands before the path of every page.
    """
    key = f"error.{refused.word}"
    sentence = texts(key) if key in texts.words else refused.sentence
    title = texts("error.title")
    return page("told", texts, refused.status, root=root, title=title, sentence=sentence)
