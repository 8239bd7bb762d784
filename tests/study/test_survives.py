"""A run that dies goes on where it stopped; what is kept is never computed again."""

import json
import os
import subprocess
import sys
from pathlib import Path
from unittest.mock import patch

import pytest
from tools.endurance import Endurance
from tools.synthetic_study import METRICS, add_system, write_synthetic

from medassay.study import Scored, Study, only_writer, open_run, score_study
from medassay.study.scoring.score_cache import ScoreCache

ROOT = Path(__file__).parents[2]
DRIVER = Path(__file__).with_name("kill_many_times.py")
SYSTEMS, CASES = 4, 20


class Killed(BaseException):
    """Nobody catches it, as nobody survives SIGKILL."""


def scored(folder: Path, metrics: list[str] | None = None) -> Scored:
    run = open_run(folder, only=metrics)
    with only_writer(folder):
        return score_study(run.study, run.metrics)


def kept_files(folder: Path) -> dict[str, tuple[bytes, int]]:
    return {
        path.relative_to(folder).as_posix(): (path.read_bytes(), path.stat().st_mtime_ns)
        for path in sorted((folder / "results" / "kept").rglob("*.parquet"))
    }


def count_kept(folder: Path) -> int:
    kept = folder / "results" / "kept"
    return sum(len(ScoreCache(kept, one.name)) for one in kept.iterdir())


@pytest.fixture
def study(tmp_path: Path) -> Path:
    write_synthetic(tmp_path / "study", systems=SYSTEMS, cases=CASES)
    return tmp_path / "study"


@pytest.mark.slow
@pytest.mark.endure
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL and no fork")
def test_killed_at_many_moments_it_ends_in_the_same_bytes(
    tmp_path: Path, endurance: Endurance
) -> None:
    kills = endurance.size("kills", short=12, whole=200)
    # A small study of 600 answers. The embedded one of 2,800 answers and 26 raters takes three
    # quarters of a minute of one processor a run even with a single metric, nearly all of it for
    # agreement and validity, so that two hundred kills with a whole run after each would take
    # hours.
    # What a kill can hurt, the writing of kept scores, of the run's files and of its manifest, is
    # the same code and the same order of files in both.
    write_synthetic(
        tmp_path / "study", systems=3, cases=200, metrics=METRICS[:3], texts="none", raters=1
    )
    done = subprocess.run(  # noqa: S603 - our own interpreter and script
        [sys.executable, str(DRIVER), str(tmp_path / "study"), str(kills), "7"],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )
    found = json.loads(done.stdout)
    total = found["undisturbed"]["computed"]
    same = sum(one["same"] for one in found["tries"])
    early = sum(one["kept"] < total for one in found["tries"])
    endurance.found(f"{same} ended in the same bytes; {early} came before all was scored")
    assert total == 3 * 200 * 3
    assert len(found["tries"]) == kills
    for one in found["tries"]:
        assert one["same"]
        assert one["computed"] + one["kept"] == total
        # What was kept shows in the log of the run alone.
        assert one["logged"] == {"computed": one["computed"], "reused": one["kept"]}
    # The kills met both halves of the work: some before all was scored, some after.
    assert {one["kept"] < total for one in found["tries"]} == {True, False}
    assert len({one["left"] for one in found["tries"]}) > 1


@pytest.mark.slow
def test_stopped_at_any_write_it_computes_only_the_rest(tmp_path: Path) -> None:
    for stop in range(2 * len(METRICS)):
        folder = tmp_path / str(stop)
        write_synthetic(folder, systems=3, cases=200, raters=0)
        total = 3 * 200 * len(METRICS)
        written = iter(range(100))

        def flush(_: int, stop: int = stop, written: object = written) -> None:
            if next(written) == stop:  # type: ignore[call-overload] # an iterator of ints
                raise Killed

        with patch("os.fsync", flush), pytest.raises(Killed):
            scored(folder)
        (unfinished,) = folder.rglob(".*.unfinished")
        before, kept = kept_files(folder), count_kept(folder)
        again = scored(folder)
        assert not unfinished.exists()
        assert (again.computed, again.reused) == (total - kept, kept)
        assert before.items() <= kept_files(folder).items()


def test_a_kept_file_that_was_damaged_is_computed_again(study: Path) -> None:
    first = scored(study)
    damaged = min((study / "results" / "kept").rglob("*.parquet"))
    content = bytearray(damaged.read_bytes())
    content[-20] ^= 255
    damaged.write_bytes(bytes(content))
    again = scored(study)
    assert [one.file for one in again.damaged] == [damaged.relative_to(study).as_posix()]
    assert (again.computed, again.reused) == (
        SYSTEMS * CASES,
        SYSTEMS * CASES * (len(METRICS) - 1),
    )
    assert again.table.frame.equals(first.table.frame)
    assert scored(study).computed == 0


def test_one_more_metric_touches_no_other(study: Path) -> None:
    scored(study)
    before = kept_files(study)
    more = scored(study, [*METRICS, "rouge2(ref=human)"])
    assert (more.computed, more.reused) == (SYSTEMS * CASES, SYSTEMS * CASES * len(METRICS))
    alone = scored(study, ["rouge2(ref=human)"])
    assert (alone.computed, alone.reused) == (0, SYSTEMS * CASES)
    assert before.items() <= kept_files(study).items()


def test_a_changed_answer_is_scored_alone(study: Path) -> None:
    scored(study)
    before = kept_files(study)
    path = study / "answers" / "s01.jsonl"
    lines = path.read_text(encoding="utf-8").splitlines()
    lines[3] = lines[3].replace('"text": "', '"text": "Now ')
    path.write_text("\n".join(lines), encoding="utf-8")
    again = scored(study)
    assert (again.computed, again.reused) == (len(METRICS), (SYSTEMS * CASES - 1) * len(METRICS))
    assert before.items() <= kept_files(study).items()


def test_one_more_system_costs_its_own_answers(study: Path) -> None:
    scored(study)
    before = kept_files(study)
    add_system(study, SYSTEMS, cases=CASES)
    again = scored(study)
    assert (again.computed, again.reused) == (CASES * len(METRICS), SYSTEMS * CASES * len(METRICS))
    assert len(Study.open(study).systems) == SYSTEMS + 1
    assert before.items() <= kept_files(study).items()
