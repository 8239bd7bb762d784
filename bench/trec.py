"""Everything that `medassay import` and `run` do with a year of TREC, at growing numbers of runs.

    python bench/trec.py [SYSTEMS ...] [--depth DOCUMENTS] [--topics TOPICS]

50 topics, six measures of retrieval, lists of a hundred documents; see `trec_study` for how they
are made. Each step is a process of its own; printed are the seconds on the clock, those of all its
processors, and the most memory of it and its copies together. Below stand the seconds of ranking by
one measure, and how large its page is. Asked for: 143 systems in a minute and 1.5 GB on two
processors.
"""

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np
from peers import run_json
from trec_study import METRICS, write_files, write_study

from medassay.scores import Grid
from medassay.validity import Source, rank_systems

SYSTEMS: Final = (28, 143)
SEED: Final = 7
_RUN: Final = Path(__file__).with_name("clinical_run.py")
_IMPORT: Final = Path(__file__).with_name("trec_import.py")


def main(sizes: Sequence[int] = SYSTEMS, depth: int = 100, topics: int = 50) -> dict[str, object]:
    """Import and run studies of so many systems; print and return what it took."""
    found: dict[str, object] = {}
    print(f"{topics} topics, {len(METRICS)} measures, lists of {depth} documents")
    print(f"{'systems':>8} {'step':<8}{'seconds':>9}{'processor':>11}{'MB':>8}")
    for size in sizes:
        with tempfile.TemporaryDirectory() as folder:
            study = Path(folder) / "study"
            write_study(study, topics)
            write_files(Path(folder) / "files", size, topics, depth)
            steps = {
                "import": (str(_IMPORT), str(Path(folder) / "files"), str(study)),
                "run": (str(_RUN), str(study)),
                "again": (str(_RUN), str(study)),
            }
            for step, words in steps.items():
                took = run_json(sys.executable, *words)
                found[f"{size} systems, {step}"] = took
                times = f"{took['seconds']:9.1f}{took['processor seconds']:11.1f}"
                print(f"{size:>8} {step:<8}{times}{took['megabytes']:8.0f}", flush=True)
            (page,) = study.glob("results/*/report.html")
            ranked = _ranking(size, topics)
            found[f"{size} systems, page"] = page.stat().st_size
            found[f"{size} systems, ranking"] = ranked
            print(
                f"{size:>8} page {page.stat().st_size / 1e6:.1f} MB; ranking by one {ranked:.2f} s"
            )
    return found


def _ranking(systems: int, topics: int) -> float:
    """Time ranking by one measure, in processor seconds, the best of three."""
    rng = np.random.default_rng(SEED)
    quality = rng.normal(0, 0.15, size=(systems, 1))
    values = np.clip(0.4 + quality + rng.normal(0, 0.25, size=(systems, topics)), 0, 1)
    names = tuple(f"s{i:03}" for i in range(systems)), tuple(f"t{k:03}" for k in range(topics))
    source = Source("m", Grid(*names, values, np.ones(values.shape, dtype=np.bool_)))
    seconds = []
    for _ in range(3):
        start = time.process_time()
        rank_systems(source, rng=np.random.default_rng(SEED))
        seconds.append(time.process_time() - start)
    return min(seconds)


if __name__ == "__main__":
    words = argparse.ArgumentParser()
    words.add_argument("systems", nargs="*", type=int, default=SYSTEMS)
    words.add_argument("--depth", type=int, default=100)
    words.add_argument("--topics", type=int, default=50)
    asked = words.parse_args()
    print(json.dumps(main(asked.systems, asked.depth, asked.topics), indent=2))
