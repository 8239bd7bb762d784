"""Scores that runs of a study keep for one another, wherever they run.

They lie there as in a study: files that nobody changes, named by the hash of their own bytes, under
the hash of what made them. So any number of runs may read and add at once, and what bears a name
that does not fit is not taken in.
"""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from tempfile import TemporaryDirectory

from medassay.errors import InvalidInput, Problem
from medassay.models import use_models
from medassay.study.answering import allowed_of
from medassay.study.files.fetch import refuse_offline
from medassay.study.files.stores import Store, open_store, telling
from medassay.study.files.urls import URLS_FILE, Url, read_named
from medassay.study.folder import models_of
from medassay.study.runs.run import Run
from medassay.study.scoring.score_cache import KEPT, Merged, kept_folder
from medassay.study.scoring.score_study import Progress
from medassay.tables import name_by_content, write_by_content

__all__ = ["shared_kept"]


def shared_kept(
    run: Run, *, offline: bool = False, fresh: bool = False, progress: Progress | None = None
) -> AbstractContextManager[None]:
    """Take in the scores that lie at the URL `kept` of urls.toml; add what the block kept to them.

    Args:
        run: The run.
        offline: Use no network.
        fresh: Take nothing in; what is computed is added.
        progress: Told how far it is.

    Raises:
        InvalidInput: The URL cannot be read or added to, or may not be: where [privacy] texts is
            not full, `send_to` must name its bucket.
    """
    named = read_named(run.study.path)
    if named is None or named.kept is None:
        return nullcontext()
    if offline:
        refuse_offline([named.kept])
    _refuse_private(run, named.kept)
    return _sharing(run, named.kept, fresh=fresh, progress=progress)


def _refuse_private(run: Run, url: Url) -> None:
    privacy = run.study.config.privacy
    if not url.is_here and not allowed_of(privacy, offline=False).holds(url.bucket.lower()):
        # Scores of known texts tell whether these were answered.
        must = f'be a file: URL, since [privacy] texts is "{privacy.texts}"'
        hint = f'If scores may go there, say so: [privacy] send_to = ["{url.bucket}"].'
        raise InvalidInput(Problem(URLS_FILE, must, str(url), hint, None, "kept"))


@contextmanager
def _sharing(run: Run, url: Url, *, fresh: bool, progress: Progress | None) -> Iterator[None]:
    store = open_store(url)
    with use_models(models_of(run.study)):
        folders = {kept_folder(run.study.path / KEPT, metric.made_by) for metric in run.metrics}
    if not fresh:
        for number, folder in enumerate(sorted(folders), start=1):
            # First, what a run that was stopped has not added: small files are put into one soon.
            _add(store, url.inside(f"{folder.name}/"), folder)
            _take_in(store, url.inside(f"{folder.name}/"), folder)
            if progress is not None:
                progress("kept scores", number, len(folders))
    yield
    for number, folder in enumerate(sorted(folders), start=1):
        _add(store, url.inside(f"{folder.name}/"), folder)
        if progress is not None:
            progress("keep scores", number, len(folders))


def _names(store: Store, url: Url) -> list[str]:
    """List what is kept there; a folder that nobody added to is no folder yet."""
    with telling(url):
        try:
            names = store.files(url)
        except FileNotFoundError as error:
            if error.__cause__ is None:
                return []
            raise  # it is the bucket that is not there: said before anything is computed
    return [name for name in names if name.endswith(".parquet") and not name.startswith(".")]


def _take_in(store: Store, url: Url, folder: Path) -> None:
    merged = Merged.read(folder).files
    for name in _names(store, url):
        if (folder / name).exists() or name in merged:
            continue
        with TemporaryDirectory(prefix="medassay-") as place, telling(url.inside(name)):
            store.fetch(url.inside(name), Path(place) / name)
            content = (Path(place) / name).read_bytes()
        if name_by_content(content) == name:
            write_by_content(folder, content)


def _add(store: Store, url: Url, folder: Path) -> None:
    # A file that others were put into would grow with each run: its parts are there.
    there = {*_names(store, url), Merged.read(folder).into}
    for file in sorted(folder.glob("*.parquet")):
        if file.name not in there:
            with telling(url):
                store.add(url.inside(file.name), file)
