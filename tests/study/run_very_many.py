"""Run a study of very many clinical answers, as small as it may be, and print what it took as JSON.

    python run_very_many.py run|files|killed FOLDER ANSWERS [WRITE]

`run` prints the peak of memory of this process and of all its copies together; `files` what the
run's files hash to, and how many times a file was written; `killed` is killed at the WRITE-th of
these. The study is written where it is not there yet.
"""

import hashlib
import json
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from unittest.mock import patch

from clinical_study import write_study
from peak_of_all import PeakOfAll
from tools.peak_memory import peak_megabytes

from medassay.analyses import ask
from medassay.library import run_and_report
from medassay.study.scoring import score_study as scoring
from medassay.study.scoring.score_study import BLOCK
from medassay.tables import many_records

_PORTIONS = 8
_IN_MEMORY, _PORTION = many_records._IN_MEMORY, scoring._PORTION


@contextmanager
def as_of_a_million(answers: int) -> Iterator[None]:
    """Set records aside, and cut portions, where they would be if there were a million."""
    portion = max(1, answers // _PORTIONS // BLOCK) * BLOCK
    with (
        patch.object(many_records, "_IN_MEMORY", min(_IN_MEMORY, answers // _PORTIONS)),
        patch.object(scoring, "_PORTION", min(_PORTION, portion)),
        patch.object(ask, "_MANY", 1),
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


def main(what: str, folder: Path, answers: int, stop: int = 0) -> dict[str, object]:
    """Do what is asked."""
    if not folder.exists():
        write_study(folder, answers, chains=False)
    with as_of_a_million(answers):
        if what == "run":
            with PeakOfAll() as peak:
                run_and_report(folder)
            return {"own": peak_megabytes(), "all": peak.megabytes}
        flush, writes = counting(stop)
        with patch("os.fsync", flush):
            run_and_report(folder)
    return {**files(folder), "writes": next(writes) - 1}


if __name__ == "__main__":
    done = main(sys.argv[1], Path(sys.argv[2]), *map(int, sys.argv[3:]))
    print(json.dumps(done))  # noqa: T201 - read by the test
