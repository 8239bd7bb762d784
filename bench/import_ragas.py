"""What an import of 100,000 rows of RAGAS costs beside reading the same file as a plain table.

The peer is `polars.read_csv`, which checks nothing: a floor, no rival.
"""

import csv
import sys
import tempfile
from pathlib import Path

import numpy as np
from import_table import FLOOR, cost

ROWS, PASSAGES = 100_000, 5000
METRICS = ("faithfulness", "answer_relevancy", "context_precision", "context_recall")


def write_results(path: Path, rng: np.random.Generator) -> None:
    """Write what `EvaluationResult.to_pandas` gives, three contexts and four scores a row."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["user_input", "retrieved_contexts", "response", "reference", *METRICS])
        for row in range(ROWS):
            found = [
                f"Passage {(row * 7 + place) % PASSAGES}: rest, and see a doctor if it lasts."
                for place in range(3)
            ]
            writer.writerow([
                f"What about complaint {row} in the morning?", str(found),
                f"Answer to {row}: rest, and see a doctor if it lasts.",
                f"Rest. See a doctor about {row}.", *(f"{score:.4f}" for score in rng.random(4)),
            ])  # fmt: skip


def main() -> dict[str, float]:
    """Print and return the ratios, and the seconds of processor."""
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "results.csv"
        write_results(table, np.random.default_rng(1))
        into = ["--into", str(Path(folder) / "study")]
        ours = cost([sys.executable, "-m", "medassay", "import", str(table), *into])
        floor = cost([sys.executable, "-c", FLOOR, str(table)])
    print(f"{ROWS:,} rows of RAGAS, one process each")
    for name, (seconds, megabytes) in (("medassay import", ours), ("polars.read_csv", floor)):
        print(f"{name:<20}{seconds:7.1f} s of processor {megabytes:8,.0f} MB")
    return {
        "seconds of processor": ours[0],
        "processor over polars.read_csv": ours[0] / floor[0],
        "memory over polars.read_csv": ours[1] / floor[1],
    }


if __name__ == "__main__":
    main()
