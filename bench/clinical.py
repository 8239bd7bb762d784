"""Everything that `medassay run` does with answered clinical questions, at growing sizes.

    python bench/clinical.py [ANSWERS ...]

One system's answers with lists of twenty documents, without and with chains of reasoning; see
`clinical_study` for how they are made. Each run is a process of its own; printed are the seconds on
the clock, those of all its processors, and the most memory of it and its copies together, each
page that they share counted once.
The second run finds the first whole. Without arguments 500 and 2,000 answers, a few minutes in
all; larger sizes are named. Asked for: 100,000 under 60 s on two processors (so under 120
s of processor time at best) and 2 GB, growth linear, the second run under a tenth of the first;
1,000,000 without chains within 4 GB.
"""

import json
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from clinical_study import write_study
from peers import run_json

ANSWERS: Final = (500, 2_000)
_RUN: Final = Path(__file__).with_name("clinical_run.py")


def main(sizes: Sequence[int] = ANSWERS) -> dict[str, object]:
    """Run every size without and with chains, print and return what it took."""
    found: dict[str, object] = {}
    print(f"{'answers':>8} {'chains':<8}{'run':<8}{'seconds':>9}{'processor':>11}{'MB':>8}")
    for chains in (False, True):
        for size in sizes:
            with tempfile.TemporaryDirectory() as folder:
                write_study(Path(folder) / "study", size, chains=chains)
                for which in ("first", "second"):
                    took = run_json(sys.executable, str(_RUN), str(Path(folder) / "study"))
                    if took["again"] is not (which == "second"):
                        message = f"the {which} run did not do what it is timed for: {took}"
                        raise SystemExit(message)
                    word = "with" if chains else "without"
                    found[f"{size} {word} chains, {which}"] = took
                    times = f"{took['seconds']:9.1f}{took['processor seconds']:11.1f}"
                    head = f"{size:>8} {word:<8}{which:<8}"
                    print(f"{head}{times}{took['megabytes']:8.0f}", flush=True)
    return found


if __name__ == "__main__":
    print(json.dumps(main([int(one) for one in sys.argv[1:]] or ANSWERS), indent=2))
