"""Take a folder's qrels and runs into a study as `medassay import` does, and print what it took."""

import json
import resource
import sys
import time
from pathlib import Path

from peak_of_all import PeakOfAll

from medassay.exchange.trec import import_trec_qrels, import_trec_runs
from medassay.study import Study, only_writer

if __name__ == "__main__":
    files, into = map(Path, sys.argv[1:])
    with PeakOfAll() as peak:
        start = time.perf_counter()
        with only_writer(into):
            import_trec_qrels(Study.open_whole(into), files / "qrels.txt")
            taken = import_trec_runs(Study.open_whole(into), sorted(files.glob("run*")))
        seconds = time.perf_counter() - start
    used = resource.getrusage(resource.RUSAGE_SELF)
    found = {
        "seconds": seconds,
        "processor seconds": used.ru_utime + used.ru_stime,
        "megabytes": peak.megabytes,
        "answers": taken.added,
    }
    print(json.dumps(found))
