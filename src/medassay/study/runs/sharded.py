"""Do one shard of a study's scoring, and take in what other shards kept."""

from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Final

from pydantic import ValidationError

from medassay.errors import InvalidInput, Problem
from medassay.study.files.links import refuse_links
from medassay.study.files.lock import among_shards, only_writer
from medassay.study.runs.run import open_run
from medassay.study.runs.shared_kept import shared_kept
from medassay.study.scoring.score_study import Progress, score_study
from medassay.study.scoring.shard import RunOptions, Shard, ShardRecord
from medassay.tables import (
    is_there,
    json_bytes,
    name_by_content,
    write_atomically,
    write_by_content,
)

__all__ = ["score_shard", "take_in_shards"]

_SHARDS: Final = "shards"
_KEPT: Final = "kept"
_MOST: Final = 5


def score_shard(
    path: Path,
    shard: Shard,
    asked: RunOptions,
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
        asked: What is asked for beside study.toml.
        progress: Told how far it is.
        share: Take in scores that are kept at the URL `kept` of urls.toml, and add this shard's.

    Raises:
        InvalidInput: Every problem of the study, or another command writes into it.
    """
    run = open_run(path, **asked.model_dump())
    with among_shards(path):
        kept = shared_kept(run, offline=asked.offline, progress=progress) if share else None
        with kept or nullcontext():
            scored = score_study(run.study, run.metrics, progress, shard=shard)
        record = ShardRecord(
            run=run.name,
            number=shard.number,
            of=shard.of,
            asked=asked,
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
