"""Do intervals from preferences hold where cases come in clusters? A seeded simulation.

    python simulations/preference_clusters.py

Four systems are compared pair by pair on every case, once each. In every cluster of cases (a topic,
a ward) each system is better or worse than elsewhere by a draw of its own, SD as given, on the
scale of log strength. The truth is what endless clusters would give: the fit to a very large draw.
"""

import os
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray
from page_table import put_table

from medassay.consensus import bradley_terry, tally_preferences
from medassay.judgements import Preferences
from medassay.stats import Interval

SETTINGS: Final = (
    (96, 1, 0.0),
    (96, 1, 0.8),
    (12, 8, 0.8),
    (24, 8, 0.8),
    (48, 8, 0.8),
    (24, 4, 0.8),
)
STUDIES: Final = 1000
REPLICATES: Final = 300
SEED: Final = 5210
SYSTEMS: Final = "ABCD"
WORTH: Final = np.array([0.6, 0.2, -0.2, -0.6])
TIE: Final = 0.4
PAGE: Final = Path(__file__).parents[1] / "simulations" / "preference-clusters.md"
Floats = NDArray[np.float64]


def choices(rng: np.random.Generator, clusters: int, size: int, sd: float) -> NDArray[np.intp]:
    """Draw what each pair of systems got on each case: 0 the first, 1 the second, 2 a tie."""
    worth = WORTH + sd * rng.normal(size=(clusters, 1, len(SYSTEMS)))
    worth = np.repeat(worth, size, axis=1).reshape(clusters * size, len(SYSTEMS))
    made = []
    for a, b in combinations(range(len(SYSTEMS)), 2):
        half = (worth[:, a] - worth[:, b]) / 2
        odds = np.stack([np.exp(half), np.exp(-half), np.full(len(half), TIE)], axis=1)
        share = np.cumsum(odds / odds.sum(axis=1, keepdims=True), axis=1)
        made.append((rng.random(len(half))[:, None] > share).sum(axis=1))
    return np.array(made)


def preferences(drawn: NDArray[np.intp]) -> Preferences:
    """Write them as a study holds them."""
    pairs = list(combinations(SYSTEMS, 2))
    return Preferences.from_rows(
        {"rater": "r", "case": f"c{case:05}", "system_a": a, "system_b": b, "choice": "ab"[one]
         if one < len("ab") else "tie"}
        for (a, b), own in zip(pairs, drawn.tolist(), strict=True)
        for case, one in enumerate(own)
    )  # fmt: skip


def truth(sd: float) -> tuple[Floats, Floats]:
    """Give log strengths and shares of wins that endless clusters would give."""
    made = preferences(choices(np.random.default_rng([SEED, 1]), 20_000, 1, sd))
    fitted, tally = bradley_terry(made), tally_preferences(made)
    return (
        np.array([one.log_strength for one in fitted.systems]),
        np.array([one.win_share for one in tally.systems]),
    )


def held_by(intervals: Sequence[Interval | None], true: Floats) -> float:
    """Give the share of intervals that hold their truth; one that could not be had holds none."""
    pairs = zip(intervals, true.tolist(), strict=True)
    return float(np.mean([i is not None and i.low <= t <= i.high for i, t in pairs]))


def coverage(clusters: int, size: int, sd: float, studies: int = STUDIES) -> list[float]:
    """Count in percent how often the intervals hold the truth: strengths, shares; without, with."""
    true_strength, true_share = truth(sd)
    of_case = {f"c{case:05}": str(case // size) for case in range(clusters * size)}
    held = np.zeros((2, 2))
    for study in range(studies):
        rng = np.random.default_rng([SEED, clusters, size, round(100 * sd), study])
        made = preferences(choices(rng, clusters, size, sd))
        for column, named in enumerate((None, of_case)):
            strengths = bradley_terry(
                made, rng=np.random.default_rng(study), clusters=named, replicates=REPLICATES
            ).systems
            shares = tally_preferences(
                made, rng=np.random.default_rng(study), clusters=named, replicates=REPLICATES
            ).systems
            held[0, column] += held_by([one.interval for one in strengths], true_strength)
            held[1, column] += held_by([one.interval for one in shares], true_share)
    return (100 * held / studies).ravel().tolist()


def main() -> None:
    """Write the table between the page's marks."""
    head = ["clusters", "cases in each", "SD", "strength, cases drawn", "strength, clusters drawn"]
    head += ["share of wins, cases drawn", "share of wins, clusters drawn"]
    lines = [f"| {' | '.join(head)} |", f"| {' | '.join(['---'] * len(head))} |"]
    for clusters, size, sd in SETTINGS:
        rates = [f"{rate:.1f}" for rate in coverage(clusters, size, sd)]
        lines.append(f"| {clusters} | {size} | {sd} | {' | '.join(rates)} |")
        print(lines[-1], flush=True)
    put_table(PAGE, lines)


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    main()
