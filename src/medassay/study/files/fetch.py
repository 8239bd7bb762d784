"""Fetch what urls.toml names: whole files or none, and none twice."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Final

from medassay.errors import InvalidInput, Problem
from medassay.study.files.lock import only_writer
from medassay.study.files.names import file_hash
from medassay.study.files.placed import FETCHED, Index, Origin
from medassay.study.files.stores import Facts, Store, open_store, telling
from medassay.study.files.urls import FOLDERS, URLS_FILE, Named, Url, read_named
from medassay.tables import FORMS, holds_halves, remove_unfinished, writing_beside
from medassay.text import plural

__all__ = ["Fetched", "fetch_urls", "refuse_offline"]

_MEANING: Final = ".toml"
"""What the file beside a table of scores ends in, which says what they mean."""
_AGAIN: Final = 2
"""How often a file is fetched that changes meanwhile."""
_SECONDS: Final = 1.0
"""What a run that is killed fetches anew at most, beside the file that it was at."""

Progress = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class Fetched:
    """What was fetched of a study's files.

    Attributes:
        new: URLs that were fetched now.
        changed: Those of them that had been fetched before, and held something else.
        known: URLs of what was there already, unchanged.
        unread: URLs of files in the folders that are no tables.
        size: The bytes fetched now.
    """

    new: tuple[str, ...]
    changed: tuple[str, ...]
    known: tuple[str, ...]
    unread: tuple[str, ...]
    size: int

    def words(self) -> str:
        """Say it on a line or more.

        Example:
            >>> print(Fetched(("s3://ward/cases.csv",), (), (), (), 1_200_000).words())
            Fetched 1 of 1 file (1.2 MB).
        """
        total = len(self.new) + len(self.known)
        files = f"{total:,} {plural(total, 'file')}"
        lines = [f"Fetched {len(self.new):,} of {files} ({self.size / 1e6:,.1f} MB)."]
        lines += [f"Changed since it was fetched: {url}" for url in self.changed]
        lines += [f"Not read, being no table: {url}" for url in self.unread]
        return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class _Wanted:
    url: Url
    store: Store
    facts: Facts


def fetch_urls(
    study: Path, *, offline: bool = False, fresh: bool = False, progress: Progress | None = None
) -> Fetched:
    """Fetch every file that a study's urls.toml names, unless it is here and has not changed.

    What is fetched is written beside its place and renamed, and held against the size that the
    store says, so that a copy is whole or not there. A fetch that is killed goes on where it was.

    Args:
        study: The study's folder.
        offline: Use no network: every URL must be a file: URL.
        fresh: Fetch everything, whatever is here.
        progress: Told how far it is.

    Raises:
        InvalidInput: There is no urls.toml, it is not as it must be, a URL cannot be read, or
            another command writes into the study.
        MissingBackend: A package lacks.
    """
    named = read_named(study)
    if named is None:
        hint = 'Write one beside study.toml, such as: cases = "s3://BUCKET/cases.jsonl"'
        raise InvalidInput(Problem(URLS_FILE, "be a file that exists", "nothing there", hint))
    if offline:
        refuse_offline(named.urls)
    with only_writer(study):
        wanted, unread = _wanted(named)
        return _fetch_all(study, named, wanted, unread, fresh=fresh, progress=progress)


def refuse_offline(urls: Sequence[Url]) -> None:
    """Refuse every URL that the network is needed for.

    Raises:
        InvalidInput: There is one; all are named.
    """
    must = "be a file: URL, since --offline was given"
    hint = "Leave out --fetch: what was fetched before is read without it."
    far = [Problem(URLS_FILE, must, str(url), hint) for url in urls if not url.is_here]
    if far:
        raise InvalidInput(far)


def _wanted(named: Named) -> tuple[dict[str, _Wanted], list[str]]:
    """Find out what lies at the URLs: the place of each file, and which files are no tables."""
    wanted: dict[str, _Wanted] = {}
    unread: list[str] = []
    problems: list[Problem] = []
    stores: dict[str, Store] = {}  # to open one takes half a second
    for part, urls in named.parts.items():
        for url in urls:
            try:
                store = stores.get(url.scheme) or stores.setdefault(url.scheme, open_store(url))
                for file, facts in _files_at(store, url, part, unread):
                    suffix = Path(file.name).suffix.lower()
                    place = f"{part}/{file.name}" if part in FOLDERS else f"{part}{suffix}"
                    if place in wanted:
                        got = f"{wanted[place].url} and {file}"
                        must = "name files of different names"
                        problems.append(Problem(URLS_FILE, must, got, "", None, part))
                    wanted[place] = _Wanted(file, store, facts)
            except InvalidInput as error:
                problems += error.problems
    if problems:
        raise InvalidInput(problems)
    return wanted, unread


def _files_at(store: Store, url: Url, part: str, unread: list[str]) -> Iterator[tuple[Url, Facts]]:
    if not url.is_folder:
        with telling(url):
            facts = store.facts(url)
        yield url, facts
        beside = Url(url.text[: -len(Path(url.name).suffix)] + _MEANING)
        if part == "scores":
            with telling(beside):
                try:
                    facts = store.facts(beside)
                except FileNotFoundError:
                    return  # scores need none
            yield beside, facts
        return
    with telling(url):
        files = store.files(url)
    forms = (*FORMS, _MEANING) if part == "scores" else FORMS
    for name, facts in files.items():
        if name.startswith("."):
            continue
        # A name that no file here can have would be another system's.
        if Path(name).suffix.lower() in forms and "\\" not in name and not holds_halves(name):
            yield url.inside(name), facts
        else:
            unread.append(str(url.inside(name)))


def _fetch_all(
    study: Path,
    named: Named,
    wanted: Mapping[str, _Wanted],
    unread: Sequence[str],
    *,
    fresh: bool,
    progress: Progress | None,
) -> Fetched:
    before = Index.read(study)
    home = study / FETCHED
    here = {} if fresh else {
        place: origin for place, file in wanted.items()
        if (origin := _unchanged(home / place, before.files.get(place), file))
    }  # fmt: skip
    lacking = {place: file for place, file in wanted.items() if place not in here}
    index = Index(files=dict(here))
    changed: list[str] = []
    size = 0
    with _kept_as_it_grows(study, index) as keep:
        for number, (place, file) in enumerate(lacking.items(), start=1):
            origin = _fetch(file, home / place)
            old = before.files.get(place)
            if old is not None and old.url == origin.url and old.sha256 != origin.sha256:
                changed.append(origin.url)
            index.files[place] = origin
            size += origin.size
            keep()
            if progress is not None:
                progress("fetch", number, len(lacking))
        _remove_others(home, wanted)
        index.parts = {part: [url.text for url in urls] for part, urls in named.parts.items()}
    return Fetched(
        tuple(str(file.url) for file in lacking.values()),
        tuple(changed),
        tuple(str(wanted[place].url) for place in here),
        tuple(unread),
        size,
    )


@contextmanager
def _kept_as_it_grows(study: Path, index: Index) -> Iterator[Callable[[], None]]:
    """Write the index before the block, about once a second in it, and after it, however it ends.

    Until its end the index names no part as whole: half of what changed is no study.
    """
    last = monotonic()

    def keep() -> None:
        nonlocal last
        if monotonic() - last > _SECONDS:
            index.write(study)
            last = monotonic()

    index.write(study)
    try:
        yield keep
    finally:
        index.write(study)


def _unchanged(path: Path, origin: Origin | None, file: _Wanted) -> Origin | None:
    """Give where a file came from, if it is what lies at its URL now."""
    if origin is None or not origin.mark or path.is_symlink() or not path.is_file():
        return None
    said = (origin.url, origin.mark, origin.size)
    now = (str(file.url), file.facts.mark, file.facts.size)
    return origin if said == now and file_hash(path) == origin.sha256 else None


def _fetch(file: _Wanted, path: Path) -> Origin:
    """Fetch one file whole, of one version."""
    facts = file.facts
    for _ in range(_AGAIN):
        with writing_beside(path) as beside:
            with telling(file.url):
                file.store.fetch(file.url, beside)
                now = file.store.facts(file.url)
            got = beside.stat().st_size
            if now == facts and got != facts.size:
                said = f"{got:,} of {facts.size:,} bytes of {file.url}"
                hint = "Nothing of it was kept. Run again."
                raise InvalidInput(Problem(URLS_FILE, "be fetched whole", said, hint))
            if now == facts:
                digest = file_hash(beside)
                return Origin(url=str(file.url), mark=facts.mark, size=got, sha256=digest)
        facts = now
    must, hint = "stay as it is while it is fetched", "Run again when nobody writes to it."
    raise InvalidInput(Problem(URLS_FILE, must, f"{file.url}, which keeps changing", hint))


def _remove_others(home: Path, wanted: Mapping[str, _Wanted]) -> None:
    """Remove what was fetched and is named no longer, so that nobody reads it."""
    remove_unfinished(home, deep=True)
    tables = [path for path in home.glob("*") if path.suffix.lower() in FORMS]
    for path in [*tables, *(file for part in FOLDERS for file in home.glob(f"{part}/*"))]:
        if path.relative_to(home).as_posix() not in wanted:
            path.unlink()
