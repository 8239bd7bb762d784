"""Kill a run at many moments, run it again each time, and print what that gave as JSON.

    python kill_many_times.py FOLDER KILLS SEED

A process of its own, because each run is a fork of it: the heavy libraries are loaded once. It
never asks polars anything itself: a fork would lose the threads that it then starts.
"""

import hashlib
import json
import os
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from tools.copied import read_libraries
from tools.quick_runs import quick

from medassay.__main__ import main
from medassay.report import read_results, render
from medassay.study import RunLog
from medassay.study.scoring.score_cache import ScoreCache


def forked(work: Callable[[], None], out: Path) -> int:
    """Do the work in a process of its own, whose output goes to a file."""
    pid = os.fork()
    if pid:
        return pid
    os.dup2(os.open(out, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 1)
    code = 1
    try:
        work()
    except SystemExit as stop:
        code = int(stop.code or 0)
        sys.stdout.flush()
    finally:
        os._exit(code)


def run(folder: Path) -> None:
    """Count the kept scores, then run."""
    kept = folder / "results" / "kept"
    counts = [
        len(ScoreCache(kept, inner.name))
        for inner in (sorted(kept.iterdir()) if kept.is_dir() else [])
    ]
    sys.stdout.write(json.dumps({"kept": sum(counts)}) + "\n")
    main(["run", str(folder), "--json"])


def finished(folder: Path, out: Path) -> dict[str, int]:
    """Run undisturbed; give the scores kept before, computed, and reused."""
    pid = forked(lambda: run(folder), out)
    _, status = os.waitpid(pid, 0)
    if status:
        sys.exit(f"a run that nobody disturbed ended with {status}")
    first, _, rest = out.read_text(encoding="utf-8").partition("\n")
    said = json.loads(rest)
    return {"kept": json.loads(first)["kept"]} | {k: said[k] for k in ("computed", "reused")}


def digests(folder: Path) -> dict[str, str]:
    """Hash every file of the run, hidden ones included; the kept, the log and the lock are none."""
    results = folder / "results"
    return {
        path.relative_to(results).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(results.rglob("*"))
        if path.is_file() and path.name != ".lock" and not {"kept", "log"} & {*path.parts}
    }


def logged(folder: Path) -> dict[str, int]:
    """Read from the log of the run what was computed for it and what was kept from before."""
    (run,) = (folder / "results").glob("*/manifest.json")
    log = RunLog.read(run.parent)
    return {} if log is None else {"computed": log.computed, "reused": log.reused}


def kill_many_times(folder: Path, kills: int, seed: int) -> dict[str, object]:
    """Kill as often as asked, each time from a fresh start, and compare what came of it."""
    rng = np.random.default_rng(seed)
    out = folder.parent / "said.json"
    finished(folder, out)
    # One rendering here, so that each fork has fonts and templates at hand.
    (report,) = (folder / "results").glob("*/report.json")
    with tempfile.TemporaryDirectory() as aside:
        render(read_results(report), Path(aside))
    shutil.rmtree(folder / "results")
    begun = time.monotonic()
    undisturbed = finished(folder, out)
    lasted = time.monotonic() - begun
    expected = digests(folder)
    tries: list[dict[str, object]] = []
    while len(tries) < kills:
        shutil.rmtree(folder / "results")
        pid = forked(lambda: run(folder), out)
        # Squared, so that many a kill meets the scoring, which is the shorter part of a run.
        time.sleep(lasted * float(rng.uniform()) ** 2)
        os.kill(pid, signal.SIGKILL)
        _, status = os.waitpid(pid, 0)
        if not os.WIFSIGNALED(status):
            continue  # it was done before the kill came: no kill to count
        left = len(digests(folder))
        found = finished(folder, out)
        same = digests(folder) == expected
        tries.append({**found, "left": left, "same": same, "logged": logged(folder)})
    return {"undisturbed": undisturbed, "seconds": lasted, "files": len(expected), "tries": tries}


if __name__ == "__main__":
    read_libraries()
    with quick():  # figures in one form: how a file is written is the same for all
        told = kill_many_times(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
    print(json.dumps(told))  # noqa: T201 - read by the test
