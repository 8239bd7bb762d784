"""What an import of a large spreadsheet costs beside reading the same file as a plain table.

The peer is `polars.read_csv`, which recognises no column and checks nothing: a floor, no rival.
"""

import csv
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

import numpy as np

CASES, SYSTEMS, RATERS = 1000, 10, 10
DIMENSIONS: Final = ("Accuracy", "Completeness", "Safety", "Clarity", "Empathy", "Relevance")
METRICS: Final = ("faithfulness", "answer_relevancy", "context_precision", "bleu", "rougeL")
MEGABYTE: Final = 1024
FLOOR: Final = "import sys, polars; polars.read_csv(sys.argv[1])"


def write_table(path: Path, rng: np.random.Generator) -> None:
    """Write a row a rating: every rater on every system's answer to every case."""
    header = ["ID", "Question", "Model", "Response", "Rater"]
    header += [*(f"{name} (1-5)" for name in DIMENSIONS), *METRICS]
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(header)
        for case in range(CASES):
            for system in range(SYSTEMS):
                answer = f"Answer of bot {system} to {case}: rest, and see a doctor if it lasts."
                scores = [f"{(case * 7 + system * 3) % 100 / 100}"] * len(METRICS)
                for rater in range(RATERS):
                    labels = rng.integers(1, 6, len(DIMENSIONS)).tolist()
                    about = [f"q{case}", f"What about complaint {case} in the morning?"]
                    row = [*about, f"bot-{system}", answer, f"Rater {rater}", *labels, *scores]
                    writer.writerow(row)


def cost(command: list[str]) -> tuple[float, float]:
    """Run a process: its processor seconds, and its peak of memory in megabytes."""
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:  # noqa: S603 - our own
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)
    return used.ru_utime + used.ru_stime, used.ru_maxrss / MEGABYTE


def main() -> dict[str, float]:
    """Print and return the ratios."""
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "table.csv"
        write_table(table, np.random.default_rng(1))
        into = ["--into", str(Path(folder) / "study"), "--yes"]
        ours = cost([sys.executable, "-m", "medassay", "import", str(table), *into])
        floor = cost([sys.executable, "-c", FLOOR, str(table)])
    rows, labels = CASES * SYSTEMS * RATERS, CASES * SYSTEMS * RATERS * len(DIMENSIONS)
    print(f"{rows:,} rows, {labels:,} ratings, one process each")
    for name, (seconds, megabytes) in (("medassay import", ours), ("polars.read_csv", floor)):
        print(f"{name:<20}{seconds:7.1f} s of processor {megabytes:8,.0f} MB")
    ratios = {
        "processor over polars.read_csv": ours[0] / floor[0],
        "memory over polars.read_csv": ours[1] / floor[1],
    }
    for name, ratio in ratios.items():
        print(f"{name}: {ratio:.1f}")
    return ratios


if __name__ == "__main__":
    main()
