"""urls.toml: which files of a study lie elsewhere, and where; never a key to one."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final, Self, TypeVar
from urllib.parse import quote, unquote

from pydantic import BaseModel, ConfigDict

from medassay.annotations import Guarded
from medassay.errors import InvalidInput, Problem
from medassay.tables import FORMS, file_bytes, is_there, read_toml, visible

URLS_FILE: Final = "urls.toml"
"""Where a study says what of it lies elsewhere; no input: the same files elsewhere are one run."""

_SCHEMES: Final = ("s3", "gs", "az", "file")
_KEYS: Final = "Keys come from the environment alone, such as AWS_ACCESS_KEY_ID."
_BEGINNINGS: Final = "s3://BUCKET/, gs://BUCKET/, az://CONTAINER/ or file:///"


@dataclass(frozen=True, slots=True)
class Url:
    """Where a file or a folder of files lies.

    Attributes:
        text: The URL as it is written; one of a folder ends in `/`.
    """

    text: str

    @classmethod
    def parse(cls, text: str, column: str) -> Self:
        """Check what was written in urls.toml. What may be a key is refused, and never quoted.

        Args:
            text: What was written.
            column: Where.

        Raises:
            InvalidInput: It is none of the URLs that are known, or may hold a key.

        Example:
            >>> Url.parse("s3://ward/2026/cases.jsonl", "cases").name
            'cases.jsonl'
            >>> Url.parse("s3://AKIA1:word@ward/cases.jsonl", "cases")
            Traceback (most recent call last):
            ...
            medassay.errors.InvalidInput: urls.toml, column cases: must hold no key or name of a \
user; got s3://... with something before an @ or after a colon. Keys come from the environment \
alone, such as AWS_ACCESS_KEY_ID.
        """
        scheme, found, rest = text.partition("://")
        place = rest.partition("/")[0]
        if found and ("@" in place or ":" in place):
            # Of what is no scheme either, nothing can be quoted.
            shown = f"{scheme}://..." if scheme in _SCHEMES else "a URL"
            got = f"{shown} with something before an @ or after a colon"
            raise _refused(column, "hold no key or name of a user", got, _KEYS)
        if "?" in text or "#" in text:
            must = "hold no ? and no #: what follows may be a signature"
            got = f'"{visible(text.replace("#", "?").partition("?")[0])}" and more'
            raise _refused(column, must, got, _KEYS)
        if scheme not in _SCHEMES or not found:
            raise _refused(column, f"begin with {_BEGINNINGS}", f'"{visible(text)}"')
        if (not place) != (scheme == "file"):
            raise _refused(column, f"begin with {_BEGINNINGS}", f'"{visible(text)}"')
        if ".." in unquote(rest).split("/") or not unquote(rest).isprintable():
            must = "lead straight to what it names"
            raise _refused(column, must, f'"{visible(text)}"')
        return cls(text)

    def __str__(self) -> str:
        """Give the URL."""
        return self.text

    @property
    def scheme(self) -> str:
        """Say how it is reached."""
        return self.text.partition("://")[0]

    @property
    def is_here(self) -> bool:
        """Say whether it is a file: URL, for which no network is needed."""
        return self.scheme == "file"

    @property
    def is_folder(self) -> bool:
        """Say whether it stands for all files of a folder."""
        return self.text.endswith("/")

    @property
    def bucket(self) -> str:
        """Give the bucket or container; empty for a file: URL."""
        return self.text.partition("://")[2].partition("/")[0]

    @property
    def path(self) -> str:
        """Give the place as its store names it: bucket and key, or the path of a file: URL."""
        from urllib.request import url2pathname

        rest = self.text.partition("://")[2]
        return url2pathname(rest) if self.is_here else rest

    @property
    def name(self) -> str:
        """Give the last part; empty for a folder."""
        last = self.text.rpartition("/")[2]
        return unquote(last) if self.is_here else last

    def inside(self, name: str) -> "Url":
        """Give what lies under a name in this folder.

        Example:
            >>> str(Url("file:///a%20b/").inside("c d.csv"))
            'file:///a%20b/c%20d.csv'
        """
        folder = self.text if self.is_folder else f"{self.text}/"
        return Url(f"{folder}{quote(name) if self.is_here else name}")


def _refused(column: str, must: str, got: str, hint: str = "") -> InvalidInput:
    return InvalidInput(Problem(URLS_FILE, must, got, hint, None, column))


FOLDERS: Final = ("answers", "scores")
"""Parts of a study that are folders of tables."""
PARTS: Final = ("cases", "documents", *FOLDERS)


_Value = TypeVar("_Value")
_AskedWithFetch = Annotated[_Value, Guarded("medassay.study.files.fetch.fetch_urls")]


class _UrlsFile(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    cases: _AskedWithFetch[str | None] = None
    documents: _AskedWithFetch[str | None] = None
    answers: _AskedWithFetch[str | list[str] | None] = None
    """A table, a folder of tables (its URL ends in /), or a list of either."""
    scores: _AskedWithFetch[str | list[str] | None] = None
    kept: _AskedWithFetch[str | None] = None
    """The folder that runs take kept scores from, and add theirs to."""


@dataclass(frozen=True, slots=True)
class Named:
    """What urls.toml names.

    Attributes:
        parts: Part of the study to the URLs that it is read from.
        kept: Where scores are kept for other runs too; None if nowhere.
    """

    parts: dict[str, tuple[Url, ...]]
    kept: Url | None

    @property
    def urls(self) -> list[Url]:
        """Give all of them."""
        parts = [url for urls in self.parts.values() for url in urls]
        return parts if self.kept is None else [*parts, self.kept]


def read_named(folder: Path) -> Named | None:
    """Read and check a study's urls.toml; None where it has none.

    Raises:
        InvalidInput: Everything that is wrong with it.
    """
    path = folder / URLS_FILE
    if not is_there(path):
        return None
    record = read_toml(_UrlsFile, file_bytes(path, URLS_FILE), URLS_FILE)
    problems: list[Problem] = []
    parts = {}
    for part in PARTS:
        named = getattr(record, part)
        if named is not None:
            texts = [named] if isinstance(named, str) else list(named)
            parts[part] = tuple(
                url
                for number, text in enumerate(texts, start=1)
                if (url := _parsed(text, part, number if len(texts) > 1 else 0, problems))
            )
    kept = None if record.kept is None else _parsed(record.kept, "kept", 0, problems)
    if problems:
        raise InvalidInput(problems)
    return Named(parts, kept)


def _parsed(text: str, part: str, number: int, problems: list[Problem]) -> Url | None:
    column = f"{part}[{number}]" if number else part
    try:
        url = Url.parse(text, column)
    except InvalidInput as error:
        problems += error.problems
        return None
    forms = f"a table ({', '.join(FORMS)})"
    table = Path(url.name).suffix.lower() in FORMS and not url.name.startswith(".")
    if part == "kept":
        fits, must = url.is_folder, "be the URL of a folder, which ends in /"
    elif part in FOLDERS:
        fits, must = table or url.is_folder, f"be the URL of {forms}, or of a folder and end in /"
    else:
        fits, must = table, f"be the URL of {forms}"
    if not fits:
        problems.append(Problem(URLS_FILE, must, f'"{text}"', "", None, column))
    return url
