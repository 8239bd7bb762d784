"""Run studies of very many clinical answers, as small as they may be, and print what they took.

    python run_very_many.py

Each line that comes is `run FOLDER ANSWERS LIKE`, `files FOLDER ANSWERS` or `killed FOLDER ANSWERS
WRITE`. It is done by a copy of this process, which has read the libraries once and touches no
study; a line of JSON is the answer, null where the copy was killed. `run` tells the peak of memory
of the copy and of all its own copies together, where as much is set aside at a time as of LIKE
answers; `files` what the run's files hash to, and how many times a file was written; `killed` is
killed at the WRITE-th of these. The study is written where it is not there yet.
"""

import gc
import hashlib
import json
import os
import signal
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from itertools import count
from pathlib import Path
from unittest.mock import patch

from clinical_study import write_study
from peak_of_all import PeakOfAll
from tools.peak_memory import peak_megabytes

from medassay.analyses import ask
from medassay.analyses.builtin import benchmark_checks
from medassay.cases import near
from medassay.library import run_and_report
from medassay.study.scoring import score_study as scoring
from medassay.study.scoring.score_study import BLOCK
from medassay.tables import many_records

_PORTIONS = 8
_HEAVY = ("jinja2", "matplotlib.backends.backend_svg", "scipy.optimize", "scipy.stats")
"""What functions of ours import when they are called."""
_IN_MEMORY, _PORTION = many_records._IN_MEMORY, scoring._PORTION


@contextmanager
def as_of_a_million(answers: int) -> Iterator[None]:
    """Set records aside, cut portions and hold no two cases together, as if of a million."""
    portion = max(1, answers // _PORTIONS // BLOCK) * BLOCK
    with (
        patch.object(many_records, "_IN_MEMORY", min(_IN_MEMORY, answers // _PORTIONS)),
        patch.object(scoring, "_PORTION", min(_PORTION, portion)),
        patch.object(ask, "_MANY", 1),
        patch.object(benchmark_checks, "MOST_CASES", 1),
        patch.object(near, "MOST_CASES", 1),
    ):
        yield


def files(folder: Path) -> dict[str, str]:
    """Hash the files of the run."""
    (manifest,) = folder.glob("results/*/manifest.json")
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(manifest.parent.rglob("*"))
        if path.is_file()
    }


def counting(stop: int) -> tuple[Callable[[int], None], Iterator[int]]:
    """Count files as they are flushed to disk, and be killed at one of them."""
    writes = count(1)

    def flush(_: int) -> None:
        if next(writes) == stop:
            os.kill(os.getpid(), signal.SIGKILL)

    return flush, writes


def main(what: str, folder: Path, answers: int, more: int = 0) -> dict[str, object]:
    """Do what is asked."""
    if not folder.exists():
        write_study(folder, answers, chains=False)
    if what == "run":
        with as_of_a_million(more), PeakOfAll() as peak:
            run_and_report(folder)
        return {"own": peak_megabytes(), "all": peak.megabytes}
    flush, writes = counting(more)
    with as_of_a_million(answers), patch("os.fsync", flush):
        run_and_report(folder)
    return {**files(folder), "writes": next(writes) - 1}


def in_a_copy(what: str, folder: str, *sizes: str) -> object:
    """Do it in a copy of this process, and give what it told; None where the copy was killed."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            done = main(what, Path(folder), *map(int, sizes))
            os.write(writing, json.dumps(done).encode())
            os._exit(0)
        except BaseException:  # noqa: BLE001 - whatever it is, the copy ends here
            traceback.print_exc()
            os._exit(1)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        told = pipe.read()
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    if code == -signal.SIGKILL:
        return None
    return json.loads(told) if code == 0 else {"failed": code}


if __name__ == "__main__":
    for name in _HEAVY:
        import_module(name)
    gc.collect()
    gc.freeze()  # a copy that looked through what is there already would copy all of it
    for line in sys.stdin:
        print(json.dumps(in_a_copy(*line.split("\t"))), flush=True)  # noqa: T201 - the answer
