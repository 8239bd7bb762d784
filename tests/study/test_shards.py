"""A study that several jobs score is the study that one scores, and says which job is missing."""

import hashlib
import shutil
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tools.synthetic_study import write_synthetic

from medassay.errors import InvalidInput
from medassay.library import run_and_report
from medassay.study import RunOptions, Shard, only_writer, score_shard, take_in_shards
from medassay.study.files.lock import among_shards
from medassay.study.scoring import score_study as scoring

METRICS = ("rouge1(ref=human)", "length")


@pytest.fixture
def study(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give a study whose 60 answers lie in eight blocks."""
    monkeypatch.setattr("medassay.study.scoring.score_study.BLOCK", 8)
    monkeypatch.setattr(scoring, "BLOCK", 8)
    write_synthetic(tmp_path / "study", systems=3, cases=20, raters=2, metrics=METRICS)
    return tmp_path / "study"


def files_of(run: Path) -> dict[str, bytes]:
    files = (path for path in run.rglob("*") if path.is_file())
    return {path.relative_to(run).as_posix(): path.read_bytes() for path in files}


@given(st.integers(1, 40), st.integers(0, 20_000))
def test_every_answer_is_in_one_shard(of: int, place: int) -> None:
    assert sum(Shard(number, of).holds(place) for number in range(1, of + 1)) == 1


@pytest.mark.parametrize("text", ["0/4", "5/4", "3", "a/b", "1/0", "-1/2", "1/2/3", "", "1 / 2"])
def test_what_is_no_shard_is_refused(text: str) -> None:
    with pytest.raises(InvalidInput, match="--shard: must be I/N"):
        Shard.parse(text)


@pytest.mark.slow
def test_shards_in_one_folder_and_in_a_copy_give_the_bytes_of_one_run(
    study: Path, tmp_path: Path
) -> None:
    whole, copy = tmp_path / "whole", tmp_path / "copy"
    shutil.copytree(study, whole)
    shutil.copytree(study, copy)
    alone = run_and_report(whole)
    records = [
        score_shard(folder, Shard(number, 3), RunOptions())
        for number, folder in ((1, study), (2, copy), (3, study))
    ]
    assert [record.computed for record in records] == [48, 40, 32]
    assert {record.failed for record in records} == {0}
    joined = run_and_report(study, **take_in_shards(study, [copy]).model_dump())
    assert (joined.computed, joined.reused) == (0, 120)
    assert joined.summary.name == alone.summary.name == records[0].run
    assert files_of(joined.folder) == files_of(alone.folder)


def test_more_shards_than_blocks_are_no_error(study: Path) -> None:
    assert score_shard(study, Shard(30, 30), RunOptions()).computed == 0


@pytest.mark.slow
def test_a_missing_shard_is_named_with_the_command_that_scores_it(study: Path) -> None:
    for number in (1, 3, 4):
        score_shard(study, Shard(number, 5), RunOptions(offline=True))
    with pytest.raises(InvalidInput) as refused:
        take_in_shards(study)
    assert "got 3 of 5; missing: 2, 5" in str(refused.value)
    assert f"medassay run {study} --shard 2/5 --offline" in str(refused.value)


def test_shards_of_what_the_study_was_do_not_count(study: Path) -> None:
    with pytest.raises(InvalidInput, match="got none"):
        take_in_shards(study)
    old = score_shard(study, Shard(1, 1), RunOptions()).run
    settings = study / "study.toml"
    settings.write_text(settings.read_text(encoding="utf-8") + "\n# seen\n", encoding="utf-8")
    with pytest.raises(InvalidInput, match=f"other files, choices or versions: run {old}"):
        take_in_shards(study)


@pytest.mark.slow
def test_two_whole_runs_are_not_guessed_between(study: Path) -> None:
    score_shard(study, Shard(1, 1), RunOptions())
    score_shard(study, Shard(1, 1), RunOptions(only=("length",)))
    with pytest.raises(InvalidInput, match="got 2 whole ones"):
        take_in_shards(study)


@pytest.mark.slow
def test_what_a_copy_holds_under_a_name_that_does_not_fit_is_left_there(
    study: Path, tmp_path: Path
) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(study, copy)
    score_shard(copy, Shard(1, 1), RunOptions())
    kept = next((copy / "results" / "kept").rglob("*.parquet"))
    (kept.parent / f"{'0' * 32}.parquet").write_bytes(kept.read_bytes())
    (kept.parent / "notes.parquet").write_bytes(b"mine")
    take_in_shards(study, [copy])
    here = {path.name for path in (study / "results" / "kept").rglob("*.parquet")}
    there = {path.name for path in (copy / "results" / "kept").rglob("*.parquet")}
    assert there - here == {f"{'0' * 32}.parquet", "notes.parquet"}


def test_a_copy_that_leads_elsewhere_and_a_record_that_is_none_are_refused(
    study: Path, tmp_path: Path
) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(study, copy)
    (copy / "results").mkdir(exist_ok=True)
    (copy / "results" / "kept").symlink_to(tmp_path)
    with pytest.raises(InvalidInput, match="a link to"):
        take_in_shards(study, [copy])
    with pytest.raises(InvalidInput, match="must be a copy of the study"):
        take_in_shards(study, [tmp_path / "nowhere"])
    record = study / "results" / "shards" / "abc" / "1-of-1.json"
    record.parent.mkdir(parents=True)
    record.write_text('{"run": 3}', encoding="utf-8")
    with pytest.raises(InvalidInput, match="must be what a shard wrote"):
        take_in_shards(study)


@pytest.mark.slow
def test_a_kept_score_that_cannot_be_is_computed_again(study: Path, tmp_path: Path) -> None:
    import polars as pl

    copy = tmp_path / "copy"
    shutil.copytree(study, copy)
    score_shard(copy, Shard(1, 1), RunOptions())
    for kept in (copy / "results" / "kept").rglob("*.parquet"):
        frame = pl.read_parquet(kept).with_columns(value=pl.lit(-1.0))
        kept.unlink()
        frame.write_parquet(kept.parent / "forged")
        content = (kept.parent / "forged").read_bytes()
        (kept.parent / "forged").unlink()
        name = hashlib.sha256(content).hexdigest()[:32]
        (kept.parent / f"{name}.parquet").write_bytes(content)
    joined = run_and_report(study, **take_in_shards(study, [copy]).model_dump())
    assert joined.computed == 120
    assert joined.log is not None
    assert joined.log.damaged


def test_shards_work_side_by_side_and_other_writers_wait(study: Path) -> None:
    with among_shards(study):
        score_shard(study, Shard(1, 2), RunOptions())
        with (
            pytest.raises(InvalidInput, match="be written by one command at a time"),
            only_writer(study),
        ):
            pass
    with (
        only_writer(study),
        pytest.raises(InvalidInput, match="be written by one command at a time"),
    ):
        score_shard(study, Shard(2, 2), RunOptions())
