"""Figure 1 whole, PERM-BOTH for all pairs of metrics, and one pair beside mt-metrics-eval.

    python bench/validity.py [folder of a clone of google-research/mt-metrics-eval]

26 metrics x 3 dimensions x 2 schemes, 28 systems, 100 cases. The raters' consensus is held fixed:
its own error is in no interval. The peer is `stats.PermutationSigDiff` with Kendall's tau of the
means of the systems, without early stopping, on the same pair of metrics and as many swaps; without
its folder it is left out.
"""

import resource
import statistics
import sys
import time
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from medassay.scores import Grid
from medassay.stats import perm_both
from medassay.validity import Source, correlate

METRICS: Final = 26
HUMANS: Final = 6
SYSTEMS: Final = 28
CASES: Final = 100
REPLICATES: Final = 10_000
PERMUTATIONS: Final = 2000
PEER_PERMUTATIONS: Final = 200
REPEATS: Final = 3
SEED: Final = 7

Floats = NDArray[np.float64]


def source(name: str, values: Floats) -> Source:
    """Lay values out over systems and cases."""
    ids = tuple(f"s{i:02}" for i in range(SYSTEMS)), tuple(f"c{k:03}" for k in range(CASES))
    return Source(name, Grid(*ids, values, np.ones(values.shape, dtype=np.bool_)))


def peer(folder: str, metrics: Floats, human: Floats) -> float:
    """Time the peer on one pair, multiplied up to as many swaps as ours."""
    sys.path.insert(0, folder)
    from mt_metrics_eval import stats
    from scipy.stats import kendalltau

    def of_means(gold: Any, metric: Any) -> tuple[float]:  # noqa: ANN401 - the peer's own types
        means = (np.asarray(side).reshape(SYSTEMS, CASES).mean(axis=1) for side in (gold, metric))
        return (float(kendalltau(*means).statistic),)

    np.random.seed(SEED)  # noqa: NPY002 - the peer draws from the global generator
    sides = [
        stats.Correlation(SYSTEMS, human.ravel().tolist(), metric.ravel().tolist())
        for metric in metrics
    ]
    params = stats.PermutationSigDiffParams(block_size=10**9)
    start = time.perf_counter()
    stats.PermutationSigDiff(*sides, of_means, k=PEER_PERMUTATIONS, params=params)
    return (time.perf_counter() - start) * PERMUTATIONS / PEER_PERMUTATIONS


def main(folder: str = "") -> dict[str, object]:
    """Time all of it three times, and print medians with their spread."""
    rng = np.random.default_rng(SEED)
    quality = 0.3 * rng.normal(size=(1, SYSTEMS, 1))
    metrics = quality + rng.normal(size=(METRICS, SYSTEMS, CASES))
    humans = np.rint(np.clip(1 + quality + rng.normal(size=(HUMANS, SYSTEMS, CASES)), 0, 2))
    known = np.ones((SYSTEMS, CASES), dtype=np.bool_)
    sides = (
        [source(f"m{i:02}", values) for i, values in enumerate(metrics)],
        [source(f"h{j}", values) for j, values in enumerate(humans)],
    )
    times: dict[str, list[float]] = {
        "figure": [],
        "figure, work": [],
        "pairs": [],
        "pair": [],
        "peer": [],
    }
    for _ in range(REPEATS):
        start = time.perf_counter()
        worked = time.process_time()
        correlate(*sides, rng=np.random.default_rng(SEED), replicates=REPLICATES)
        times["figure"].append(time.perf_counter() - start)
        times["figure, work"].append(time.process_time() - worked)
        for name, chosen in (("pairs", metrics), ("pair", metrics[:2])):
            start = time.perf_counter()
            perm_both(
                chosen,
                humans[0],
                known,
                rng=np.random.default_rng(SEED),
                permutations=PERMUTATIONS,
            )
            times[name].append(time.perf_counter() - start)
        if folder:
            times["peer"].append(peer(folder, metrics[:2], humans[0]))
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{METRICS} metrics x {HUMANS} human columns, {SYSTEMS} systems, {CASES} cases")
    for name, title in (
        ("figure", f"Figure 1 whole, three intervals of {REPLICATES} replicates"),
        ("figure, work", "the same, processor seconds of all threads"),
        ("pairs", f"PERM-BOTH, all {METRICS * (METRICS - 1) // 2} pairs, {PERMUTATIONS} swaps"),
        ("pair", f"PERM-BOTH, one pair, {PERMUTATIONS} swaps"),
        ("peer", "mt-metrics-eval, the same pair, multiplied up"),
    ):
        if times[name]:
            middle = statistics.median(times[name])
            print(f"{title:<52}{middle:8.2f} s  ({min(times[name]):.2f} to {max(times[name]):.2f})")
    print(f"largest memory of this process: {memory:.0f} MB")
    found: dict[str, object] = {"seconds": times, "megabytes": memory}
    if times["peer"]:
        found["ratio"] = statistics.median(times["peer"]) / statistics.median(times["pair"])
        print(f"one pair: {found['ratio']:.0f} times faster than mt-metrics-eval")
    return found


if __name__ == "__main__":
    main(*sys.argv[1:2])
