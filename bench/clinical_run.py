"""Run one study as `medassay run` does, and print what it took; with `paper`, its paper too."""

import json
import os
import resource
import sys
import time
from pathlib import Path

from peak_of_all import PeakOfAll

from medassay.__main__ import THREADS

if __name__ == "__main__":
    os.environ |= dict.fromkeys(THREADS, "1")  # before numpy is read, as the command line does
    from medassay.library import run_and_report
    from medassay.report import read_results, write_paper

    with PeakOfAll() as peak:
        start = time.perf_counter()
        done = run_and_report(Path(sys.argv[1]))
        if sys.argv[2:] == ["paper"]:
            write_paper(read_results(done.folder / "report.json"), done.folder / "paper")
        seconds = time.perf_counter() - start
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    found = {
        "seconds": seconds,
        "processor seconds": sum(one.ru_utime + one.ru_stime for one in used),
        "megabytes": peak.megabytes,
        "again": done.again,
    }
    print(json.dumps(found))
