"""Everything that `medassay run` does with conversations judged by criteria, at growing sizes.

    python bench/criteria.py [CONVERSATIONS ...]

Ten systems answer each conversation, which has eleven criteria; see `criteria_study` for how they
are made. Each run is a process of its own; printed are the seconds on the clock, those of all its
processors, and the most memory of it and its copies together. Without arguments 500 and 5,000
conversations: 55,000 and 550,000 judgements. Asked for: the larger under 60 s on two processors and
2 GB, growth linear.
"""

import json
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from criteria_study import write_study
from peers import run_json

CONVERSATIONS: Final = (500, 5_000)
_RUN: Final = Path(__file__).with_name("clinical_run.py")


def main(sizes: Sequence[int] = CONVERSATIONS) -> dict[str, object]:
    """Run every size, print and return what it took."""
    found: dict[str, object] = {}
    print(f"{'judgements':>10}{'seconds':>9}{'processor':>11}{'MB':>8}{'ms/1,000':>10}")
    for size in sizes:
        with tempfile.TemporaryDirectory() as folder:
            judgements = write_study(Path(folder) / "study", size)
            took = run_json(sys.executable, str(_RUN), str(Path(folder) / "study"))
        found[f"{judgements} judgements"] = took
        used = float(str(took["processor seconds"]))
        print(
            f"{judgements:>10,}{took['seconds']:9.1f}{used:11.1f}{took['megabytes']:8.0f}"
            f"{used / judgements * 1e6:10.1f}",
            flush=True,
        )
    return found


if __name__ == "__main__":
    print(json.dumps(main([int(one) for one in sys.argv[1:]] or CONVERSATIONS), indent=2))
