"""Bootstrap replicates of tau for 26 metrics and 6 human columns, beside scipy.

The peer is `scipy.stats.kendalltau` with its default settings on the very same resampled means, in
two ways: called once per replicate, metric and human column; and, its fastest documented path, once
per metric and human column with `axis=1`. A full run takes many minutes, so both are timed on a
subset of the replicates and multiplied up; resampling the means is not counted against them.
"""

import statistics
import time
from typing import Final

import numpy as np
import scipy
from numpy.typing import NDArray
from scipy.stats import kendalltau

from medassay.stats import bootstrap_counts, tau_replicates

METRICS: Final = 26
HUMANS: Final = 6
SYSTEMS: Final = 28
CASES: Final = 100
REPLICATES: Final = 10_000
REPEATS: Final = 3
LOOP_REPLICATES: Final = 20
AXIS_REPLICATES: Final = 100
SEED: Final = 7

Floats = NDArray[np.float64]


def columns(rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Make scores with a shared quality; the human columns hold whole numbers, so means can tie."""
    quality = 0.3 * rng.normal(size=(1, SYSTEMS, 1))
    metrics = quality + rng.normal(size=(METRICS, SYSTEMS, CASES))
    humans = np.rint(np.clip(1 + quality + rng.normal(size=(HUMANS, SYSTEMS, CASES)), 0, 2))
    return metrics, humans


def peer_taus(metrics: Floats, humans: Floats, counts: Floats) -> tuple[Floats, float, float]:
    """Give the peer's values, the seconds of the loop and those of the calls with an axis."""
    means = [
        np.round(np.einsum("bk,jik->bji", counts, side) / CASES, 12) for side in (metrics, humans)
    ]
    taus = np.empty((len(counts), METRICS, HUMANS))
    start = time.perf_counter()
    for b in range(LOOP_REPLICATES):
        for i in range(METRICS):
            for j in range(HUMANS):
                kendalltau(means[0][b, i], means[1][b, j])
    loop = time.perf_counter() - start
    start = time.perf_counter()
    for i in range(METRICS):
        for j in range(HUMANS):
            taus[:, i, j] = kendalltau(means[0][:, i], means[1][:, j], axis=1).statistic
    return taus, loop, time.perf_counter() - start


def main() -> dict[str, float]:
    """Time both three times, check that the values agree, print and return the ratio."""
    rng = np.random.default_rng(SEED)
    metrics, humans = columns(rng)
    known = np.ones(metrics.shape, np.bool_), np.ones(humans.shape, np.bool_)
    counts = bootstrap_counts(CASES, REPLICATES, rng)
    systems = bootstrap_counts(SYSTEMS, REPLICATES, rng)
    sides = (metrics, known[0]), (humans, known[1])
    ours, both, loops, axes, apart = [], [], [], [], 0.0
    for repeat in range(REPEATS):
        start = time.perf_counter()
        taus = tau_replicates(*sides, case_counts=counts).values
        ours.append(time.perf_counter() - start)
        start = time.perf_counter()
        tau_replicates(*sides, case_counts=counts, system_counts=systems)
        both.append(time.perf_counter() - start)
        subset = slice(repeat * AXIS_REPLICATES, (repeat + 1) * AXIS_REPLICATES)
        values, loop, axis = peer_taus(metrics, humans, counts[subset])
        loops.append(loop * REPLICATES / LOOP_REPLICATES)
        axes.append(axis * REPLICATES / AXIS_REPLICATES)
        apart = max(apart, float(np.abs(values - taus[subset]).max()))
    if apart > 1e-12:  # noqa: PLR2004 - a few units in the last place
        message = f"the values differ by {apart}: no ratio is worth printing"
        raise SystemExit(message)
    ratio = statistics.median(ours) / statistics.median(loops)
    axis_ratio = statistics.median(ours) / statistics.median(axes)
    print(f"{METRICS} metrics x {HUMANS} human columns x {SYSTEMS} systems x {CASES} cases,")
    print(f"{REPLICATES} replicates; {REPEATS} repeats, median (least to most)")
    for name, times in (
        ("medassay, new cases", ours),
        ("medassay, new cases and new systems", both),
        ("scipy, a call a replicate, extrapolated", loops),
        ("scipy, axis=1, extrapolated", axes),
    ):
        middle, least, most = statistics.median(times), min(times), max(times)
        print(f"{name:<42}{middle:9.2f} s  ({least:.2f} to {most:.2f})")
    print(f"peer: scipy {scipy.__version__}, kendalltau, default method, on the same means;")
    print(f"{LOOP_REPLICATES} and {AXIS_REPLICATES} replicates timed a repeat, multiplied up")
    print(f"largest difference of a value: {apart:.1e}")
    print(f"ratio: 1/{1 / ratio:.0f} of a call a replicate, 1/{1 / axis_ratio:.0f} of axis=1")
    return {
        "seconds": statistics.median(ours),
        "seconds, cases and systems": statistics.median(both),
        "scipy loop seconds, extrapolated": statistics.median(loops),
        "scipy axis seconds, extrapolated": statistics.median(axes),
        "over scipy loop": ratio,
        "over scipy axis": axis_ratio,
    }


if __name__ == "__main__":
    main()
