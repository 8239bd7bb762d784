"""Where the files lie that a study is read from: in it, or among what was fetched for it.

A part of a study (its cases, its documents, all its answers, all its scores) lies in one place:
either in the study or at URLs. What was fetched has its place under the name that it would have in
the study, so that nothing that is read or written depends on where it came from.
"""

from pathlib import Path
from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, ValidationError

from medassay.annotations import Guarded
from medassay.errors import InvalidInput, Problem
from medassay.study.files.urls import FOLDERS, URLS_FILE, read_named
from medassay.tables import FORMS, is_there, json_bytes, write_atomically

FETCHED: Final = "fetched"
"""The folder of copies: outside of the results, which are passed on, since it holds texts."""
_INDEX: Final = "index.json"


class Origin(BaseModel):
    """Where a fetched file came from.

    Attributes:
        url: Its URL.
        mark: What the store calls this version of it, such as its ETag.
        size: Its bytes.
        sha256: The hash of its bytes.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    url: Annotated[str, Guarded("medassay.study.files.fetch.fetch_urls")]
    mark: str
    size: int
    sha256: str


class Index(BaseModel):
    """What was fetched for a study.

    Attributes:
        parts: Part of the study to the URLs of urls.toml of which everything is there; empty while
            anything is being fetched.
        files: Place among what was fetched to where that came from.
    """

    model_config = ConfigDict(extra="forbid", defer_build=True)

    parts: Annotated[dict[str, list[str]], Guarded("medassay.study.files.fetch.fetch_urls")] = {}
    files: Annotated[dict[str, Origin], Guarded("medassay.study.files.placed.home_of")] = {}

    @classmethod
    def read(cls, study: Path) -> "Index":
        """Read it; one that cannot be read says that nothing was fetched."""
        try:
            return cls.model_validate_json((study / FETCHED / _INDEX).read_bytes())
        except (OSError, ValidationError):
            return cls()

    def write(self, study: Path) -> None:
        """Write it beside what was fetched."""
        write_atomically(study / FETCHED / _INDEX, json_bytes(self.model_dump(mode="json")))


def home_of(study: Path, part: str) -> Path:
    """Give the folder in which a part of a study lies: the study, or what was fetched for it.

    Args:
        study: The study's folder.
        part: `cases`, `documents`, `answers`, `scores`; of any other, the study.

    Raises:
        InvalidInput: urls.toml is not as it must be; the part lies in the study too; or it has not
            been fetched.
    """
    named = read_named(study)
    if named is None or part not in named.parts:
        return study
    own = _own_tables(study, part)
    if own:
        must = "lie either in the study or at its URLs"
        got = f"{own[0].relative_to(study).as_posix()}, and {URLS_FILE} names {part} too"
        raise InvalidInput(Problem(part, must, got, "Remove one of the two."))
    urls = [url.text for url in named.parts[part]]
    index = Index.read(study)
    if index.parts.get(part) != urls or _lost(study, part, index):
        got = f"nothing fetched yet from {urls[0] if urls else 'no URL'}"
        if index.parts.get(part):
            got = "other URLs than those that were fetched, or a copy that is gone"
        # Whoever sent the study wrote the addresses.
        hint = f"If these are addresses that you mean to read: medassay run {study} --fetch"
        raise InvalidInput(
            Problem(URLS_FILE, "be fetched before it is read", got, hint, None, part)
        )
    return study / FETCHED


def refuse_at_urls(study: Path, part: str) -> None:
    """Refuse to write a part of a study that lies at URLs: nobody would read it.

    Raises:
        InvalidInput: urls.toml names it.
    """
    named = read_named(study)
    if named is not None and part in named.parts:
        must = "lie in the study, to be written"
        got = f"{part} at URLs ({URLS_FILE})"
        hint = f"Add to what lies there yourself; or copy it into the study, and take {part} out."
        raise InvalidInput(Problem(part, must, got, hint))


def _own_tables(study: Path, part: str) -> list[Path]:
    if part not in FOLDERS:
        return [path for form in FORMS if is_there(path := study / f"{part}{form}")]
    inner = study / part
    files = sorted(inner.iterdir()) if inner.is_dir() else []
    return [file for file in files if file.suffix.lower() in FORMS and file.name[0] != "."]


def _lost(study: Path, part: str, index: Index) -> bool:
    """Say whether a file that was fetched is there no longer, or of another size."""
    place = study / FETCHED
    for name, origin in index.files.items():
        if name.startswith((f"{part}/", f"{part}.")):
            path = place / name
            if path.is_symlink() or not path.is_file() or path.stat().st_size != origin.size:
                return True
    return False
