"""Do one shard of a study's scoring, and take in what other shards and runs kept."""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from pydantic import ValidationError

from medassay.errors import InvalidInput, Problem
from medassay.models import use_models
from medassay.study.answering import allowed_of
from medassay.study.files.fetch import Store, open_store, refuse_offline, telling
from medassay.study.files.lock import among_shards, only_writer, refuse_links
from medassay.study.files.urls import URLS_FILE, Url, read_named
from medassay.study.folder import models_of
from medassay.study.runs.run import Run, open_run
from medassay.study.scoring.score_cache import KEPT, Merged, kept_folder
from medassay.study.scoring.score_study import Progress, RunOptions, Shard, ShardRecord, score_study
from medassay.tables import (
    is_there,
    json_bytes,
    name_by_content,
    write_atomically,
    write_by_content,
)


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
            _take_in_stored(store, url.inside(f"{folder.name}/"), folder)
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


def _take_in_stored(store: Store, url: Url, folder: Path) -> None:
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


_SHARDS: Final = "shards"
_KEPT: Final = "kept"
_MOST: Final = 5


def score_shard(
    path: Path,
    shard: Shard,
    options: RunOptions,
    progress: Progress | None = None,
    *,
    share: bool = False,
) -> ShardRecord:
    """Score the answers of one shard and keep the scores; write no report.

    Any number of shards may be at work in one folder, on any number of machines that share it, or
    each in a copy of the study: `take_in_shards` brings them together.

    Args:
        path: The study's folder.
        shard: Which answers.
        options: What is asked for beside study.toml.
        progress: Told how far it is.
        share: Take in scores that are kept at the URL `kept` of urls.toml, and add this shard's.

    Raises:
        InvalidInput: Every problem of the study, or another command writes into it.
    """
    run = open_run(path, **options.model_dump())
    with among_shards(path):
        kept = shared_kept(run, offline=options.offline, progress=progress) if share else None
        with kept or nullcontext():
            scored = score_study(run.study, run.metrics, progress, shard=shard)
        record = ShardRecord(
            run=run.name,
            number=shard.number,
            of=shard.of,
            asked=options,
            computed=scored.computed,
            reused=scored.reused,
            failed=scored.failed,
        )
        place = path / "results" / _SHARDS / run.name / f"{shard.number}-of-{shard.of}.json"
        write_atomically(place, json_bytes(record.model_dump(mode="json")))
    return record


def take_in_shards(path: Path, copies: Sequence[Path] = ()) -> RunOptions:
    """Take in what shards kept in copies of a study, once all shards of one run are there.

    Args:
        path: The study's folder.
        copies: Copies of it in which other shards were scored.

    Returns:
        What the shards were asked for: a run asked for the same finds every score kept.

    Raises:
        InvalidInput: No shard was scored, one is missing, or they belong to another run than the
            study now has.
    """
    for copy in copies:
        if not is_there(copy / "study.toml"):
            hint = "Name the folders in which `medassay run --shard` was run."
            raise InvalidInput(Problem(str(copy), "be a copy of the study", "no study.toml", hint))
        refuse_links(copy)
    records = [record for folder in (path, *copies) for record in _records(folder)]
    asked = _whole(path, records)
    with only_writer(path):
        for copy in copies:
            if copy.resolve() != path.resolve():
                _take_in(copy / "results" / _KEPT, path / "results" / _KEPT)
    return asked


def _records(folder: Path) -> Iterator[ShardRecord]:
    for file in sorted((folder / "results" / _SHARDS).glob("*/*.json")):
        try:
            yield ShardRecord.model_validate_json(file.read_bytes())
        except ValidationError as error:
            must = "be what a shard wrote"
            hint = "Remove it and run that shard again: its scores are kept."
            raise InvalidInput(Problem(str(file), must, "something else", hint)) from error


def _whole(path: Path, records: Sequence[ShardRecord]) -> RunOptions:
    """Find the one run of the study as it is now of which every shard is there."""
    groups: dict[tuple[str, int, RunOptions], set[int]] = {}
    for record in records:
        groups.setdefault((record.run, record.of, record.asked), set()).add(record.number)
    names = {asked: open_run(path, **asked.model_dump()).name for _, _, asked in groups}
    now = {key: numbers for key, numbers in groups.items() if names[key[2]] == key[0]}
    if not now:
        must = "hold shards of a run of the study as it is now"
        got, hint = "none", f"Score them first: medassay run {path} --shard 1/4, and so on."
        if groups:
            got = "shards of other files, choices or versions: run " + ", ".join(
                sorted({run for run, _, _ in groups})
            )
            hint = "Run the shards again: what has not changed is kept."
        raise InvalidInput(Problem(str(path), must, got, hint))
    whole = [key for key, numbers in now.items() if len(numbers) == key[1]]
    if len(whole) == 1:
        return whole[0][2]
    folders = path / "results" / _SHARDS
    if whole:
        must = f"hold the shards of one run in {folders}"
        got = f"{len(whole)} whole ones: {', '.join(sorted(run for run, _, _ in whole))}"
        raise InvalidInput(Problem(str(path), must, got, "Remove the folders of the others."))
    (_, of, asked), numbers = max(now.items(), key=lambda item: len(item[1]) / item[0][1])
    lacking = [number for number in range(1, of + 1) if number not in numbers]
    more = f" and {len(lacking) - _MOST:,} more" if lacking[_MOST:] else ""
    got = f"{len(numbers):,} of {of:,}; missing: {', '.join(map(str, lacking[:_MOST]))}{more}"
    command = f"medassay run {path} --shard {lacking[0]}/{of} {asked.words()}".rstrip()
    raise InvalidInput(Problem(str(path), "have every shard scored", got, f"Run: {command}"))


def _take_in(theirs: Path, ours: Path) -> None:
    """Copy what was kept, as far as its bytes fit its name; what it says is judged when read."""
    for file in sorted(theirs.rglob("*.parquet")):
        content = file.read_bytes()
        if name_by_content(content) == file.name:
            write_by_content((ours / file.relative_to(theirs)).parent, content)
