"""A shared task with many metrics and three dimensions of labels, run whole, at growing sizes.

    python bench/trust_table.py [SYSTEMS METRICS CASES]

See `trust_study` for how it is made. Printed are the seconds on the clock, those of all its
processors, and the most memory of the process and its copies together. Asked for: trust table and
Figure 1 of 150 systems by 60 metrics by 3 dimensions in a minute; not reached, so that size runs
only where it is named.
"""

import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from peers import run_json
from trust_study import DIMENSIONS, write_study

SIZES: Final = ((20, 10, 30), (40, 20, 30))
_RUN: Final = Path(__file__).with_name("clinical_run.py")


def main(sizes: Sequence[tuple[int, int, int]] = SIZES) -> dict[str, object]:
    """Run studies of these sizes; print and return what it took."""
    found: dict[str, object] = {}
    print(f"{len(DIMENSIONS)} dimensions, every answer judged by two")
    print(f"{'systems':>8}{'metrics':>9}{'cases':>7}{'seconds':>9}{'processor':>11}{'MB':>8}")
    for systems, metrics, cases in sizes:
        with tempfile.TemporaryDirectory() as folder:
            write_study(Path(folder) / "study", systems, metrics, cases)
            took = run_json(sys.executable, str(_RUN), str(Path(folder) / "study"))
        found[f"{systems} systems, {metrics} metrics, {cases} cases"] = took
        times = f"{took['seconds']:9.1f}{took['processor seconds']:11.1f}"
        print(f"{systems:>8}{metrics:>9}{cases:>7}{times}{took['megabytes']:8.0f}", flush=True)
    return found


if __name__ == "__main__":
    named = [int(word) for word in sys.argv[1:4]]
    main([(named[0], named[1], named[2])] if named else SIZES)
