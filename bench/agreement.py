"""Krippendorff's alpha and a bootstrap of weighted kappa, beside krippendorff and scikit-learn.

Both sides get the very same ratings from one file, already laid out as each takes them in, and are
timed in processes of their own, alternating. Memory is what the process grows by while it computes,
at its highest: the input is not counted.
"""

import statistics
import sys
import tempfile
from pathlib import Path
from typing import Final

import numpy as np
from peers import Measured, peer_python, run_json

HERE: Final = Path(__file__).parent
REPEATS: Final = 3
RATERS: Final = 4
UNITS: Final = 250_000
LABELS: Final = 5
SYSTEMS: Final = 28
CASES: Final = 100
PANEL: Final = 3
REPLICATES: Final = 1000
SEED: Final = 11
SAME: Final = 1e-9


def noisy(rng: np.random.Generator, units: int, raters: int, labels: int) -> np.ndarray:
    """Make codes of raters who see the truth six times of ten and guess otherwise."""
    truth = rng.integers(labels, size=(units, 1))
    guess = rng.integers(labels, size=(units, raters))
    return np.where(rng.random((units, raters)) < 0.6, truth, guess)  # noqa: PLR2004 - as said


def compare(task: str, data: Path, python: str) -> tuple[list[Measured], list[Measured]]:
    """Run both sides in turns."""
    ours, theirs = [], []
    for _ in range(REPEATS):
        ours.append(run_json(sys.executable, str(HERE / "agreement_ours.py"), task, str(data)))
        theirs.append(run_json(python, str(HERE / "agreement_peers.py"), task, str(data)))
    for one, other in zip(ours, theirs, strict=True):
        apart = np.abs(np.array(one["value"]) - np.array(other["value"])).max()
        if not apart < SAME:
            message = f"{task}: the values differ by {apart}: no ratio is worth printing"
            raise SystemExit(message)
    return ours, theirs


def middle(found: list[Measured], key: str) -> tuple[float, str]:
    """Give the median, and the median with the spread in words."""
    values = sorted(float(str(one[key])) for one in found)
    median = statistics.median(values)
    return median, f"{median:10.3f} ({values[0]:.3f} to {values[-1]:.3f})"


def main() -> dict[str, float]:
    """Run everything, print and return the ratios."""
    python = peer_python("krippendorff", "scikit-learn")
    rng = np.random.default_rng(SEED)
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "ratings.npz"
        keys = np.repeat(np.arange(CASES), SYSTEMS)
        drawn = rng.integers(CASES, size=(REPLICATES, CASES))
        np.savez(
            data,
            ratings=noisy(rng, UNITS, RATERS, LABELS),
            panel=noisy(rng, SYSTEMS * CASES, PANEL, 3),
            case=keys,
            weights=np.array([np.bincount(one, minlength=CASES) for one in drawn]),
        )
        print(f"{REPEATS} repeats in turns: median (least to most)")
        for task, title in (
            ("alpha", f"alpha, ordinal, {UNITS * RATERS:,} ratings, {LABELS} labels"),
            ("counts", "the same from counts of labels a unit"),
            ("kappa", f"{REPLICATES} bootstraps, quadratic kappa, {SYSTEMS * CASES} x {PANEL}"),
        ):
            ours, theirs = compare(task, data, python)
            print(f"\n{title}\n  peer: {theirs[0]['peer']}")
            # A table of three by three takes no memory worth comparing.
            units = {"seconds": "s"} if task == "kappa" else {"seconds": "s", "megabytes": "MB"}
            for key, unit in units.items():
                (mine, said), (peer, other) = middle(ours, key), middle(theirs, key)
                print(f"  medassay {said} {unit}\n  peer     {other} {unit}")
                ratio = mine / peer if peer else float("nan")
                print(f"  ratio    {ratio:10.3f}")
                found[f"{task}, {key}, ratio"] = ratio
                found[f"{task}, {key}, medassay"] = mine
                found[f"{task}, {key}, peer"] = peer
    return found


if __name__ == "__main__":
    main()
