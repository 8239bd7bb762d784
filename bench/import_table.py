"""What an import of a large spreadsheet costs beside reading the same file as a plain table.

The peer is `polars.read_csv`, which recognises no column and checks nothing: a floor, no rival.
The table has 100,000 rows of 30 columns: long answers, labels by raters, their remarks, scores of
metrics, facts of answers, tags of questions. The aim is 15 s of processor and 1 GB.
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
TAGS: Final = ("Specialty", "Topic", "Age group", "Difficulty", "Language", "Setting", "Source",
               "Subtopic")  # fmt: skip
FACTS: Final = ("Seconds", "Tokens")
SENTENCES: Final = (
    "Rest for a day or two, drink enough, and take the tablets with a meal.",
    "See a doctor if it lasts for more than a week, or if a fever comes up again.",
    "Most people are well after some days, and few need a treatment of any kind.",
    "Call for help at once if the breath is short or the chest hurts.",
    "There is no reliable evidence that herbs help against it.",
)
MEGABYTE: Final = 1024
FLOOR: Final = "import sys, polars; polars.read_csv(sys.argv[1])"


def write_table(path: Path, rng: np.random.Generator) -> None:
    """Write a row a rating: every rater on every system's answer to every case."""
    header = ["ID", "Question", "Reference answer", "Model", "Response", *TAGS, *FACTS, "Rater"]
    header += [*(f"{name} (1-5)" for name in DIMENSIONS), *METRICS, "Comment", "Run date", "Batch"]
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(header)
        for case in range(CASES):
            tags = [f"{tag.lower()} {(case * 7 + at) % (at + 3)}" for at, tag in enumerate(TAGS)]
            about = [f"q{case}", f"What about complaint {case} in the morning?", _text(rng, case)]
            for system in range(SYSTEMS):
                answer = f"Answer of bot {system}: {_text(rng, case)}"
                scores = rng.integers(0, 100, len(METRICS)) / 100
                facts = [round(float(rng.uniform(1, 9)), 1), int(rng.integers(80, 400))]
                for rater in range(RATERS):
                    labels = rng.integers(1, 6, len(DIMENSIONS)).tolist()
                    row = [*about, f"bot-{system}", answer, *tags, *facts, f"Rater {rater}"]
                    said = f"Remark of {rater} on {case}: it is too long" if rater % 3 else ""
                    writer.writerow([*row, *labels, *scores, said, "2024-03-04", "b1"])


def _text(rng: np.random.Generator, case: int) -> str:
    chosen = rng.choice(len(SENTENCES), 4)
    return f"As to complaint {case}: " + " ".join(SENTENCES[at] for at in chosen)


def cost(command: list[str]) -> tuple[float, float]:
    """Run a process: its processor seconds, and its peak of memory in megabytes.

    It may keep what Python compiles, as an installed program does; where nothing was compiled yet,
    the first process pays for it.
    """
    kept = {name: own for name, own in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, env=kept) as process:  # noqa: S603 - our own
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
        with table.open(encoding="utf-8", newline="") as file:
            columns = len(next(csv.reader(file)))
    rows, labels = CASES * SYSTEMS * RATERS, CASES * SYSTEMS * RATERS * len(DIMENSIONS)
    print(f"{rows:,} rows of {columns} columns, {labels:,} ratings, one process each")
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
