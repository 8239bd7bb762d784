"""AlignScore with batches of like length, beside pairs padded to 512 one example at a time.

Both sides run in .venv-torch (`make test-torch` makes it), the same tiny weights on one thread.
Printed are the seconds of processor time of each, which is wall time where the machine does nothing
else, the ratio of the medians, and the largest difference of a score.
"""

import statistics
from pathlib import Path
from typing import cast

from peers import run_json, torch_python

__all__ = ["main"]

SIDES = Path(__file__).with_name("alignscore_ours.py")
THREADS, AT_LEAST = 1, 3


def main() -> dict[str, object]:
    """Measure, print, and give the figures."""
    python = torch_python("alignscore", THREADS)
    found = run_json(python, str(SIDES))
    ours, padded = (cast("list[float]", found[side]) for side in ("ours", "padded"))
    ratio = statistics.median(padded) / statistics.median(ours)
    print(f"{found['examples']} examples, hidden size {found['width']}, 2 layers, {THREADS} thread")
    for who, times in (("batches of like length", ours), ("padded to 512 by example", padded)):
        middle = statistics.median(times)
        print(f"  {who}: {middle:.2f} s ({min(times):.2f} to {max(times):.2f})")
    print(f"  {ratio:.1f} times faster (claimed: at least {AT_LEAST})")
    print(f"  largest difference of a score {found['apart']:.1e}")
    return {**found, "ratio": ratio, "held": ratio >= AT_LEAST}


if __name__ == "__main__":
    main()
