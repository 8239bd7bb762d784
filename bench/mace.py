"""MACE beside crowd-kit, and at a million judgements.

The peer is `crowdkit.aggregation.MACE` in an environment of its own, .venv-bench, which this script
makes with pip if it is not there. Both fit the same judgements with 10 restarts of 50 iterations of
variational Bayes; reading the table is not counted for either. Both run on one core; the ratio is
of processor seconds, so that a busy machine does not decide it. Large panels are measured in a
process of their own, so that its peak memory is theirs: everything that process holds is counted,
the interpreter and the judgements included.
"""

import json
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Final

import numpy as np
from tools.peak_memory import peak_megabytes

from medassay.consensus import fit_mace
from medassay.judgements import Units
from medassay.scores import Unit

PEER: Final = "crowd-kit==1.4.2"
REPEATS: Final = 3
SEED: Final = 7
SMALL: Final = (2_800, 3, 26)
SIZES: Final = (250_000, 500_000, 1_000_000)
ROOT: Final = Path(__file__).parents[1]
ENVIRONMENT: Final = ROOT / ".venv-bench"
PEER_SCRIPT: Final = """
import json, sys, time
import pandas as pd
from crowdkit.aggregation import MACE
table = pd.DataFrame(json.load(sys.stdin), columns=["task", "worker", "label"])
start = time.process_time()
MACE(n_restarts=10, n_iter=50, method="vb", random_state=0).fit_predict(table)
print(time.process_time() - start)
"""


def panel(items: int, per_item: int, raters: int) -> Units:
    """Make judgements: three labels, raters who know more or less often, each item by a few."""
    rng = np.random.default_rng(SEED)
    truth, knows = rng.integers(3, size=items), rng.beta(4, 2, size=raters)
    first = rng.integers(raters, size=(items, 1))
    steps = rng.integers(1, raters // per_item, size=(items, per_item)).cumsum(axis=1)
    rater = np.sort((first + steps) % raters, axis=1)
    known = rng.random((items, per_item)) < knows[rater]
    code = np.where(known, truth[:, None], rng.integers(3, size=(items, per_item)))
    return Units(
        dimension="made",
        mapping="full",
        scale="nominal",
        labels=("no", "part", "yes"),
        scores=None,
        raters=tuple(f"{j:04}" for j in range(raters)),
        keys=tuple(Unit("", f"{i:07}") for i in range(items)),
        unit=np.repeat(np.arange(items), per_item),
        rater=rater.ravel().astype(np.int64),
        code=code.ravel().astype(np.int64),
    )


def seconds(units: Units) -> tuple[float, float]:
    """Time one fit: seconds of the processor, and of the wall."""
    start, wall = time.process_time(), time.perf_counter()
    fit_mace(units, rng=np.random.default_rng(SEED))
    return time.process_time() - start, time.perf_counter() - wall


def peer_seconds(units: Units) -> float:
    """Time the peer on the same judgements."""
    python = ENVIRONMENT / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(ENVIRONMENT)], check=True)  # noqa: S603 - our own command
    found = subprocess.run([str(python), "-c", "import crowdkit"], check=False, capture_output=True)  # noqa: S603 - our own command
    if found.returncode:
        subprocess.run([str(python), "-m", "pip", "install", "--quiet", PEER], check=True)  # noqa: S603 - our own command
    rows = [
        [str(unit), units.raters[rater], units.labels[code]]
        for unit, rater, code in zip(
            units.unit.tolist(), units.rater.tolist(), units.code.tolist(), strict=True
        )
    ]
    ran = subprocess.run(  # noqa: S603 - our own command
        [str(python), "-W", "ignore", "-c", PEER_SCRIPT],
        input=json.dumps(rows),
        capture_output=True,
        text=True,
        check=True,
    )
    return float(ran.stdout.split()[-1])


def alone(judgements: int) -> tuple[float, float, float]:
    """Fit so many judgements of 1,000 raters in a process of its own.

    Returns:
        Seconds of the processor, seconds of the wall, and peak megabytes.
    """
    command = [sys.executable, "-m", "bench.mace", str(judgements)]
    ran = subprocess.run(  # noqa: S603 - our own command
        command, capture_output=True, text=True, check=True, cwd=ROOT
    )
    took, wall, peak = map(float, ran.stdout.split())
    return took, wall, peak


def main() -> dict[str, float]:
    """Time both three times, then the large panels; print and return the figures."""
    small = panel(*SMALL)
    seconds(small)  # the first call loads scipy
    ours = [seconds(small)[0] for _ in range(REPEATS)]
    peers = [peer_seconds(small) for _ in range(REPEATS)]
    ratio = statistics.median(ours) / statistics.median(peers)
    print(f"MACE, {len(small.code):,} judgements, 10 restarts x 50 iterations, median of {REPEATS}")
    print(f"  medassay  {statistics.median(ours):8.3f} s   ({min(ours):.3f} to {max(ours):.3f})")
    print(f"  {PEER} {statistics.median(peers):8.3f} s   ({min(peers):.3f} to {max(peers):.3f})")
    print(f"  medassay / peer: {ratio:.4f} = 1/{1 / ratio:.0f} (target: at most 1/50)")
    made = {"mace_to_crowdkit": ratio}
    for size in SIZES:
        runs = [alone(size) for _ in range(REPEATS)]
        took, wall, peak = (statistics.median(column) for column in zip(*runs, strict=True))
        spread = f"{min(run[0] for run in runs):.2f} to {max(run[0] for run in runs):.2f}"
        print(
            f"  {size:9,} judgements, 1,000 raters: {took:6.2f} s of the processor ({spread}), "
            f"{wall:.2f} s in all, {peak:.0f} MB peak"
        )
        made |= {f"mace_{size}_seconds": took, f"mace_{size}_megabytes": peak}
    print("  (targets at 1,000,000: under 17 s on two cores, under 600 MB)")
    return made


if __name__ == "__main__":
    if len(sys.argv) > 1:
        large = panel(int(sys.argv[1]) // 5, 5, 1000)
        print(*seconds(large), peak_megabytes())
    else:
        main()
