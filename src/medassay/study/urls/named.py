"""urls.toml: which files of a study lie elsewhere, and where."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final, TypeVar

from pydantic import BaseModel, ConfigDict

from medassay.errors import InvalidInput, Problem
from medassay.marks import Guarded
from medassay.study.urls.address import URLS_FILE, Url
from medassay.tables import FORMS, file_bytes, is_there, read_toml

__all__ = ["FOLDERS", "PARTS", "Named", "read_named"]

FOLDERS: Final = ("answers", "scores")
"""Parts of a study that are folders of tables."""
PARTS: Final = ("cases", "documents", *FOLDERS)


_Value = TypeVar("_Value")
_AskedWithFetch = Annotated[_Value, Guarded("medassay.study.urls.fetch.fetch_urls")]


class _UrlsFile(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

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
