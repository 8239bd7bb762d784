"""Do the published metrics of 28 systems order them alike, and what does the reference change?

Table S1 of Soni & Demner-Fushman holds means alone, and no judgement of a person: what follows says
how far metrics agree with each other, not with people.

    python examples/tau_in_table_s1.py
"""

import csv
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from medassay.stats import holm, kendall

TABLE = Path(__file__).parent / "data" / "archehr_table_s1.csv"
METRICS = ("bleu", "rouge", "sari", "bertscore", "alignscore", "medcon")


def main() -> None:
    """Print tau between every metric's two references, and of each with citation F1."""
    with TABLE.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))

    def column(name: str) -> NDArray[np.float64]:
        return np.array([float(row[name]) for row in rows])

    rng = np.random.default_rng(1)
    print(f"tau-b over {len(rows)} systems, as published; p two-sided, Holm over the 18 tests\n")
    names = [
        pair
        for metric in METRICS
        for pair in (
            (f"h_{metric}", f"n_{metric}"),
            (f"h_{metric}", "strict_f1"),
            (f"n_{metric}", "strict_f1"),
        )
    ]
    found = [kendall(column(a), column(b), rng=rng) for a, b in names]
    adjusted = holm([one.p for one in found if one.p is not None]).tolist()
    print(f"{'metric':<12}{'human, note':>16}{'human, F1':>16}{'note, F1':>16}")
    for i, metric in enumerate(METRICS):
        cells = [
            f"{one.tau:>6.2f} (p {p:.3f})"
            for one, p in zip(found[3 * i : 3 * i + 3], adjusted[3 * i : 3 * i + 3], strict=True)
        ]
        print(f"{metric:<12}" + "".join(f"{cell:>16}" for cell in cells))
    flips = [
        metric
        for i, metric in enumerate(METRICS)
        if (found[3 * i + 1].tau or 0) * (found[3 * i + 2].tau or 0) < 0
    ]
    print(f"\nsign of tau with citation F1 flips with the reference: {', '.join(flips) or 'none'}")
    print(f"two random orders of them differ from tau 0 by more than {_bar(rows):.2f} once in 20")


def _bar(rows: list[dict[str, str]]) -> float:
    """Give the size of tau that one random order in twenty passes."""
    n = len(rows)
    return float(1.96 * np.sqrt(2 * (2 * n + 5) / (9 * n * (n - 1))))


if __name__ == "__main__":
    main()
