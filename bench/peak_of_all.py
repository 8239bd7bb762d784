"""The most memory that this process and its copies hold together, each shared page counted once."""

import os
import threading
import time
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

__all__ = ["PeakOfAll"]

_SECONDS = 0.25
_RARELY = 30  # the kernel walks all pages to answer: a thirtieth of the time at most


class PeakOfAll:
    """Watch while inside; `megabytes` is the peak of the sum of shares. Linux alone."""

    def __init__(self) -> None:
        self.megabytes = 0.0
        self._done = threading.Event()
        self._watcher = threading.Thread(target=self._watch)

    def __enter__(self) -> Self:
        """Begin to watch."""
        self._watcher.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Watch no longer."""
        self._done.set()
        self._watcher.join()

    def _watch(self) -> None:
        while True:
            start = time.thread_time()
            everyone = [os.getpid(), *_children()]
            self.megabytes = max(self.megabytes, sum(map(_share, everyone)) / 1e3)
            if self._done.wait(max(_SECONDS, _RARELY * (time.thread_time() - start))):
                return


def _children() -> list[int]:
    """Find the processes that this one has started: the second field behind the name is theirs."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(FileNotFoundError, ProcessLookupError):
            _, _, behind = path.read_text(encoding="utf-8", errors="replace").rpartition(")")
            if int(behind.split()[1]) == os.getpid():
                found.append(int(path.parent.name))
    return found


def _share(pid: int) -> float:
    """Give a process's proportional set size in kilobytes; 0 if it has ended meanwhile."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii").splitlines()
    except (FileNotFoundError, ProcessLookupError):
        return 0.0
    return sum(float(line.split()[1]) for line in lines if line.startswith("Pss:"))
