"""Kill a monitor wherever it touches its folder, run it again each time, and print what that gave.

    python kill_monitor.py PLACE BASELINE LOG MOMENTS SEED

PLACE holds the folder `before`, which knows the days before that of LOG. The process is killed at
each of its own writes to a disk, renames and removals, one after the other, and at MOMENTS moments
besides that chance chooses. Each run is a fork of this process, which never asks polars anything
itself: a fork would lose the threads that it then starts.
"""

import hashlib
import json
import os
import shutil
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
from tools.copied import read_libraries

from medassay.__main__ import main

TOUCHES = ("fsync", "replace", "unlink", "rmdir")
"""What `os` does to a disk on the way of a file into its place, and out of it."""


def forked(work: Callable[[], None]) -> int:
    """Do the work in a process of its own, which says nothing."""
    pid = os.fork()
    if pid:
        return pid
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    code = 1
    try:
        work()
        code = 0
    except SystemExit as stop:
        code = int(stop.code or 0)
    finally:
        os._exit(code)


def watch(out: Path, baseline: str, log: str, stop: int | None = None) -> None:
    """Run the monitor; at its own touch of the disk with this number the process is killed."""
    touched = iter(range(10**6))

    def killing(touch: Callable[..., Any]) -> Callable[..., Any]:
        def kill_or(*words: Any, **named: Any) -> Any:  # noqa: ANN401 - as os has it
            if next(touched) == stop:
                os.kill(os.getpid(), signal.SIGKILL)
            return touch(*words, **named)

        return kill_or

    patches = [patch(f"os.{name}", killing(getattr(os, name))) for name in TOUCHES]
    for each in patches:
        each.start()
    main(["monitor", log, "--baseline", baseline, "--out", str(out)])


def digests(folder: Path) -> dict[str, str]:
    """Hash every file, hidden ones too."""
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def ended(pid: int) -> int:
    """Wait for a process; give its exit code, below 0 if it was killed."""
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def kill_monitor(place: Path, baseline: str, log: str, moments: int, seed: int) -> dict[str, Any]:
    """Kill at every touch of the disk, then at moments of chance, and compare what came of it."""
    out = place / "out"

    def fresh() -> None:
        shutil.rmtree(out, ignore_errors=True)
        shutil.copytree(place / "before", out)

    fresh()
    begun = time.monotonic()
    code = ended(forked(lambda: watch(out, baseline, log)))
    lasted, expected = time.monotonic() - begun, digests(out)
    tries: list[dict[str, object]] = []

    def again(at: str) -> None:
        left = digests(out)
        kept = sum(expected.get(name) == digest for name, digest in left.items())
        after = ended(forked(lambda: watch(out, baseline, log)))
        same = digests(out) == expected and not (out / "scoring").exists()
        unfinished = sum(name.endswith(".unfinished") for name in left)
        tries.append(
            {"at": at, "code": after, "same": same, "kept": kept, "unfinished": unfinished}
        )

    for stop in range(10**6):
        fresh()
        if ended(forked(lambda stop=stop: watch(out, baseline, log, stop))) >= 0:  # type: ignore[misc]
            break  # it never came so far
        again(f"touch {stop}")
    rng = np.random.default_rng(seed)
    for _ in range(moments):
        fresh()
        pid = forked(lambda: watch(out, baseline, log))
        wait = lasted * float(rng.uniform())
        time.sleep(wait)
        os.kill(pid, signal.SIGKILL)
        if ended(pid) < 0:
            again(f"{wait:.3f} s")
    return {"code": code, "files": len(expected), "tries": tries}


if __name__ == "__main__":
    where, study, day, many, chance = sys.argv[1:]
    read_libraries()
    told = kill_monitor(Path(where), study, day, int(many), int(chance))
    print(json.dumps(told))  # noqa: T201 - read by the test
