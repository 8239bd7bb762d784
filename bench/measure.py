"""Time a call, and how far the process grows meanwhile. Read by both sides of a comparison."""

import json
import resource
import threading
import time
from collections.abc import Callable
from pathlib import Path

__all__ = ["measure"]

_STATUS = Path("/proc/self/statm")


def measure(call: Callable[[], object], runs: int, **said: str) -> None:
    """Time the best of some runs, watch the memory of the first, and print it all as JSON."""
    # Memory first: a process that has computed before keeps what it was given then.
    start = time.perf_counter()
    value, grown = _grown(call)
    seconds = [time.perf_counter() - start]
    for _ in range(runs - 1):
        start = time.perf_counter()
        value = call()
        seconds.append(time.perf_counter() - start)
    found = {"value": value, "seconds": min(seconds), "megabytes": grown / 1e6, **said}
    print(json.dumps(found))


def _grown(call: Callable[[], object]) -> tuple[object, float]:
    """Give what a call returns, and by how many bytes the process grows meanwhile at most."""
    page = resource.getpagesize()

    def resident() -> int:
        return int(_STATUS.read_text(encoding="ascii").split()[1]) * page

    before, done = resident(), threading.Event()
    most = [before]

    def watch() -> None:
        while not done.wait(0.0005):
            most[0] = max(most[0], resident())

    watcher = threading.Thread(target=watch)
    watcher.start()
    value = call()
    done.set()
    watcher.join()
    return value, float(most[0] - before)
