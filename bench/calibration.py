"""Bootstrap replicates of Brier score, accuracy and ECE for 50 systems, beside a loop over numpy.

The peer is the loop that one writes first: draw the cases, and for every system take its answers
and compute the three with numpy, the bins by `bincount`. Both sides draw for themselves, and both
draw all 1,000 replicates; the values are compared on the loop's own draws.
"""

import statistics
import time
from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.stats import bootstrap_counts
from medassay.stats.calibration import calibration_replicates

SYSTEMS: Final = 50
CASES: Final = 1_000
REPLICATES: Final = 1_000
BINS: Final = 10
REPEATS: Final = 3
SEED: Final = 7
BAR: Final = 5.0

Floats = NDArray[np.float64]


def columns(rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Make confidences with two decimals, as models state them, and whether the answer is right."""
    confidence = np.round(rng.beta(4, 2, size=(SYSTEMS, CASES)), 2)
    correct = (rng.random((SYSTEMS, CASES)) < 0.2 + 0.6 * confidence).astype(np.float64)
    return confidence, correct


def loop(confidence: Floats, correct: Floats, drawn: NDArray[np.int64]) -> Floats:
    """Compute the three for every replicate and system, one after the other."""
    found = np.empty((3, len(drawn), len(confidence)))
    for b, cases in enumerate(drawn):
        for s in range(len(confidence)):
            p, y = confidence[s, cases], correct[s, cases]
            where = np.minimum((p * BINS).astype(np.int64), BINS - 1)
            gaps = np.bincount(where, y - p, BINS)
            found[:, b, s] = ((p - y) ** 2).mean(), y.mean(), np.abs(gaps).sum() / p.size
    return found


def main() -> dict[str, float]:
    """Time both, check that the values agree, print and return the ratio."""
    confidence, correct = columns(np.random.default_rng(SEED))
    ours, peers, apart = [], [], 0.0
    for repeat in range(REPEATS):
        rng = np.random.default_rng([SEED, repeat])
        start = time.process_time()
        calibration_replicates(confidence, correct, bootstrap_counts(CASES, REPLICATES, rng), BINS)
        ours.append(time.process_time() - start)
        start = time.process_time()
        drawn = rng.integers(CASES, size=(REPLICATES, CASES))
        values = loop(confidence, correct, drawn)
        peers.append(time.process_time() - start)
        counts = np.array([np.bincount(one, minlength=CASES) for one in drawn], np.float64)
        same = calibration_replicates(confidence, correct, counts, BINS)
        found = np.array([same.brier, same.accuracy, same.ece])
        apart = max(apart, float(np.abs(found - values).max()))
    if apart > 1e-12:  # noqa: PLR2004 - a few units in the last place
        message = f"the values differ by {apart}: no ratio is worth printing"
        raise SystemExit(message)
    ratio = statistics.median(peers) / statistics.median(ours)
    print(f"{SYSTEMS} systems x {CASES} cases, {REPLICATES} replicates, {BINS} bins;")
    print(f"{REPEATS} repeats, median (least to most), seconds of the processor")
    for name, times in (("medassay", ours), (f"a loop over numpy {np.__version__}", peers)):
        middle, least, most = statistics.median(times), min(times), max(times)
        print(f"{name:<30}{middle:9.2f} s  ({least:.2f} to {most:.2f})")
    print(f"largest difference of a value: {apart:.1e}")
    print(f"{ratio:.1f} times as fast as the loop; asked for: {BAR:.0f}")
    return {
        "processor seconds": statistics.median(ours),
        "processor seconds, loop": statistics.median(peers),
        "times as fast as the loop": ratio,
    }


if __name__ == "__main__":
    main()
