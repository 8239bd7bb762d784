"""Work that several processes share is the work that one does."""

import multiprocessing
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import partial
from itertools import islice
from pathlib import Path

import pytest
from tools.synthetic_study import write_synthetic
from tools.toy_judge import ToyJudge

from medassay.metrics.statements import Tallies, keeping_tallies
from medassay.models import ModelSetup
from medassay.study import open_run, score_study
from medassay.study.scoring import score_study as scoring
from medassay.study.scoring.processes import begun, parallel_map, usable_processes

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="work is shared on Linux alone")
METRICS = (
    "rouge1(ref=human)", "faithfulness(against=reference)",
    "contradiction(against=reference)", "length",
)  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("processes", [1, 2, 5])
def test_results_come_in_the_order_of_their_tasks(processes: int) -> None:
    assert list(parallel_map(lambda n: n * n, range(12), processes)) == [n * n for n in range(12)]


def test_tasks_are_done_elsewhere_and_taken_as_there_is_room() -> None:
    taken: list[int] = []

    def tasks() -> Iterator[int]:
        for n in range(10):
            taken.append(n)
            yield n

    shared = parallel_map(lambda _: os.getpid(), tasks(), 2)
    found = list(islice(shared, 3))
    assert os.getpid() not in found
    assert len(set(found)) == 3
    assert len(taken) < 6
    shared.close()  # type: ignore[attr-defined]  # it is a generator
    assert multiprocessing.active_children() == []


def test_what_a_copy_cannot_do_is_done_here() -> None:
    here = os.getpid()

    def work(n: int) -> int:
        if n == 1 and os.getpid() != here:
            os.kill(os.getpid(), signal.SIGKILL)
        return n

    assert list(parallel_map(work, range(3), 2)) == [0, 1, 2]


@pytest.mark.parametrize("processes", [1, 2])
def test_what_was_begun_is_given_by_name(processes: int) -> None:
    works = {"one": lambda: 1, "two": os.getpid}
    with begun(works, processes) as result_of:
        assert result_of("one") == 1
        assert (result_of("two") == os.getpid()) == (processes == 1)


def test_what_nobody_asks_for_is_ended_and_what_failed_is_raised_here() -> None:
    def fails() -> None:
        message = f"bad row in {os.getpid()}"
        raise ValueError(message)

    works = {"long": lambda: time.sleep(600), "bad": fails}
    with (
        pytest.raises(ValueError, match=f"bad row in {os.getpid()}"),
        begun(works, 2) as result_of,
    ):
        result_of("bad")
    assert multiprocessing.active_children() == []


@pytest.mark.slow
def test_copies_end_with_the_process_that_made_them() -> None:
    """However it ends: a copy that lives on would hold the lock of the study."""
    starter = (
        "import os, sys, time\n"
        "from medassay.study.scoring.processes import parallel_map\n"
        "def work(n):\n"
        "    os.write(1, b'%d\\n' % os.getpid())\n"
        "    time.sleep(60)\n"
        "list(parallel_map(work, range(2), 2))\n"
    )
    with subprocess.Popen([sys.executable, "-c", starter], stdout=subprocess.PIPE) as started:  # noqa: S603 - our own interpreter and code
        assert started.stdout is not None
        copies = [int(started.stdout.readline()) for _ in range(2)]
        started.kill()
        started.stdout.read()  # until all who could write have ended
    # A process closes what it could write to a moment before it is gone.
    end = time.monotonic() + 10
    while any(map(_runs, copies)) and time.monotonic() < end:
        time.sleep(0.01)
    assert [pid for pid in copies if _runs(pid)] == []


def _runs(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state not in "ZX"


def test_an_error_is_raised_as_if_nothing_had_been_shared() -> None:
    def work(n: int) -> float:
        return 1 / n

    with pytest.raises(ZeroDivisionError):
        list(parallel_map(work, [1, 0], 2))
    assert multiprocessing.active_children() == []


def test_so_many_processes_as_there_are_processors() -> None:
    assert 1 <= usable_processes() <= len(os.sched_getaffinity(0))


@pytest.mark.slow
def test_scores_and_statements_are_the_same_with_any_number_of_processes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scoring, "BLOCK", 16)
    given = partial(ModelSetup, given={"nli": ToyJudge()})
    monkeypatch.setattr("medassay.study.config.study_toml.ModelSetup", given)
    found: list[tuple[bytes, Tallies]] = []
    for processes in (1, 3):
        folder = tmp_path / f"with-{processes}"
        write_synthetic(folder, systems=3, cases=30, words=40, raters=0, metrics=METRICS)
        run = open_run(folder)
        with keeping_tallies() as tallies:
            scored = score_study(run.study, run.metrics, processes=processes)
        assert (scored.computed, scored.reused) == (90 * len(METRICS), 0)
        found.append((scored.table.to_parquet(), tallies))
        again = score_study(run.study, run.metrics, processes=processes)
        assert (again.computed, again.reused) == (0, 90 * len(METRICS))
        assert again.table.to_parquet() == found[-1][0]
    assert found[0][0] == found[1][0]
    one, other = ([sorted(cells.values()) for cells in tallies.values()] for _, tallies in found)
    assert one == other
    assert sum(map(len, one)) == 90
