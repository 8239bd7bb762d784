"""Run one study as `medassay run` does, and print what it took."""

import json
import resource
import sys
import time
from pathlib import Path

from peak_of_all import PeakOfAll

from medassay.library import run_and_report

if __name__ == "__main__":
    with PeakOfAll() as peak:
        start = time.perf_counter()
        done = run_and_report(Path(sys.argv[1]))
        seconds = time.perf_counter() - start
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    found = {
        "seconds": seconds,
        "processor seconds": sum(one.ru_utime + one.ru_stime for one in used),
        "megabytes": peak.megabytes,
        "again": done.again,
    }
    print(json.dumps(found))
