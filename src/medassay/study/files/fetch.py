"""The places of URLs, folders or object stores, and whole files fetched from them, none twice."""

import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Any, Final, Protocol

from medassay.errors import InvalidInput, Problem
from medassay.models.install import need_installed
from medassay.study.files.lock import only_writer
from medassay.study.files.names import file_hash
from medassay.study.files.placed import FETCHED, Index, Origin
from medassay.study.files.urls import FOLDERS, URLS_FILE, Named, Url, read_named
from medassay.tables import FORMS, holds_halves, remove_unfinished, writing_beside
from medassay.text import plural

_PACKAGES: Final = {"s3": "s3fs", "gs": "gcsfs", "az": "adlfs"}
_NO_KEY: Final = ("NoCredentialsError", "PartialCredentialsError", "DefaultCredentialsError")
_ROUNDS: Final = 8
"""How far down a chain of causes is looked for one that says what was wrong."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What a store says of a version of a file.

    Attributes:
        mark: What differs between versions, such as the ETag.
        size: Its bytes.
    """

    mark: str
    size: int


class Store(Protocol):
    """A place. Its errors are its own; `telling` makes one `InvalidInput` of them."""

    def facts(self, url: Url) -> Facts:
        """Say which version of a file is there.

        Raises:
            FileNotFoundError: None is.
        """

    def files(self, url: Url) -> dict[str, Facts]:
        """List the files of a folder by name, not those of folders in it.

        Raises:
            FileNotFoundError: There is no such folder.
        """

    def fetch(self, url: Url, into: Path) -> None:
        """Copy a file from there, piece by piece."""

    def add(self, url: Url, file: Path) -> None:
        """Copy a file there. Whoever lists the folder sees all of it or nothing."""


class FolderStore:
    """A folder of this machine, or one that it mounts, as a place of `file:` URLs."""

    def facts(self, url: Url) -> Facts:
        """Say which version of a file is there, by its size and the moment it was written."""
        path = Path(url.path)
        status = path.stat()
        if not path.is_file():
            raise FileNotFoundError(url.path)
        return Facts(f"{status.st_size}-{status.st_mtime_ns}", status.st_size)

    def files(self, url: Url) -> dict[str, Facts]:
        """List the files of a folder."""
        names = sorted(path.name for path in Path(url.path).iterdir() if path.is_file())
        return {name: self.facts(url.inside(name)) for name in names}

    def fetch(self, url: Url, into: Path) -> None:
        """Copy a file from there."""
        shutil.copyfile(url.path, into)

    def add(self, url: Url, file: Path) -> None:
        """Copy a file there, beside its place first."""
        with writing_beside(Path(url.path)) as beside:
            shutil.copyfile(file, beside)


class ObjectStore:
    """S3 and what speaks as it does, Google Cloud, Azure: through fsspec.

    Its keys and its address come from the environment.

    A store shows an object when it is whole, also one that comes in parts.
    """

    def __init__(self, scheme: str) -> None:
        import fsspec

        # What is there is asked each time: another run may have added to it.
        self._system: Any = fsspec.filesystem(
            scheme, use_listings_cache=False, skip_instance_cache=True
        )

    def facts(self, url: Url) -> Facts:
        """Say which version of an object is there."""
        found = self._system.info(url.path)
        if found["type"] != "file":
            raise FileNotFoundError(url.path)
        return _facts(found)

    def files(self, url: Url) -> dict[str, Facts]:
        """List the objects right below a prefix."""
        found = self._system.ls(url.path, detail=True)
        names = {entry["name"].rpartition("/")[2]: entry for entry in found
                 if entry["type"] == "file"}  # fmt: skip
        # Some tools mark a folder by an object without a name.
        return {name: _facts(names[name]) for name in sorted(names) if name}

    def fetch(self, url: Url, into: Path) -> None:
        """Copy an object from there."""
        self._system.get_file(url.path, str(into))

    def add(self, url: Url, file: Path) -> None:
        """Copy a file there."""
        self._system.put_file(str(file), url.path)


def _facts(found: Mapping[str, Any]) -> Facts:
    # Each store has its own word for what tells versions apart.
    marks = (found.get(name) for name in ("ETag", "etag", "generation"))
    mark = next((str(mark) for mark in marks if mark), "")
    return Facts(mark.strip('"'), int(found["size"]))


def open_store(url: Url) -> Store:
    """Open the store that a URL needs.

    Raises:
        MissingBackend: Its package is not installed.
    """
    if url.is_here:
        return FolderStore()
    need_installed(_PACKAGES[url.scheme], f"reading {url.scheme}:// URLs")
    with telling(url):
        return ObjectStore(url.scheme)


@contextmanager
def telling(url: Url) -> Iterator[None]:
    """Say of whatever a store raises in the block what it means for a URL.

    What a store says in words is not repeated: it may quote keys and signed addresses.

    Raises:
        InvalidInput: Something was raised.
    """
    try:
        yield
    except InvalidInput:
        raise
    except Exception as error:  # noqa: BLE001 - each store's library has errors of its own
        got, hint = _meant(error)
        raise InvalidInput(Problem(URLS_FILE, "be reachable", f"{got} at {url}", hint)) from None


def _meant(error: BaseException) -> tuple[str, str]:
    chain: list[BaseException] = [error]
    while (cause := chain[-1].__cause__ or chain[-1].__context__) and len(chain) < _ROUNDS:
        chain.append(cause)
    codes = {str(getattr(cause, "response", {}).get("Error", {}).get("Code", "")) for cause in chain
             if isinstance(getattr(cause, "response", None), dict)} - {""}  # fmt: skip
    names = [type(cause).__name__ for cause in chain]
    said = f" ({', '.join(sorted(codes))})" if codes else ""
    if any(name in _NO_KEY for name in names):
        hint = "Set it, such as AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY."
        return "no key in the environment", hint
    if any(isinstance(cause, PermissionError) for cause in chain):
        return (
            f"no permission{said}",
            "Check that the key in the environment may read and write it.",
        )
    if any(isinstance(cause, FileNotFoundError) for cause in chain):
        return f"nothing there{said}", "Check the names of bucket and file."
    if any("Connect" in name or "Timeout" in name or name == "gaierror" for name in names):
        return "no answer from the store", "Check the network, and the address of the store."
    if isinstance(error, OSError) and error.strerror and not codes:
        return error.strerror, ""
    return f"an error of the store, {names[0]}{said}", ""


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
