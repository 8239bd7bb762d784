"""A shared task with many metrics and three dimensions of labels, at growing sizes.

    python bench/trust_table.py [SYSTEMS METRICS CASES [whole]]

See `trust_study` for how it is made. Smaller ones are run whole, with every analysis that a study
has unasked, and so is a named one with `whole`. The largest is run for its trust table and its list
of taus alone, and Figure 1 of a paper is drawn: asked for is a minute for 150 systems, 60 metrics
and 3 dimensions. Printed are the seconds on the clock, those of all its processors, and the most
memory of the process and its copies together.
"""

import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from peers import run_json
from trust_study import DIMENSIONS, write_study

SIZES: Final = ((20, 10, 30), (40, 20, 30))
LARGEST: Final = ((150, 60, 30),)
ASKED: Final = ("trust", "correlations")
BAR: Final = 60
_RUN: Final = Path(__file__).with_name("clinical_run.py")


def main(
    sizes: Sequence[tuple[int, int, int]] = SIZES,
    largest: Sequence[tuple[int, int, int]] = LARGEST,
) -> dict[str, object]:
    """Run studies of these sizes, the largest for trust table and Figure 1; print what it took."""
    found: dict[str, object] = {}
    print(f"{len(DIMENSIONS)} dimensions, every answer judged by two")
    heads = f"{'systems':>8}{'metrics':>9}{'cases':>7}{'seconds':>9}{'processor':>11}{'MB':>8}"
    print(heads)
    for size, only in [*((size, ()) for size in sizes), *((size, ASKED) for size in largest)]:
        systems, metrics, cases = size
        with tempfile.TemporaryDirectory() as folder:
            write_study(Path(folder) / "study", systems, metrics, cases, only)
            study = str(Path(folder) / "study")
            took = run_json(sys.executable, str(_RUN), study, *(["paper"] if only else []))
        what = ", trust table and Figure 1 alone" if only else ""
        found[f"{systems} systems, {metrics} metrics, {cases} cases{what}"] = took
        times = f"{took['seconds']:9.1f}{took['processor seconds']:11.1f}"
        row = f"{systems:>8}{metrics:>9}{cases:>7}{times}{took['megabytes']:8.0f}"
        print(f"{row}{what}{f'; asked for: {BAR} s' if only else ''}", flush=True)
    return found


if __name__ == "__main__":
    named = [int(word) for word in sys.argv[1:4]]
    if named:
        size = [(named[0], named[1], named[2])]
        main(*((size, []) if sys.argv[4:] == ["whole"] else ([], size)))
    else:
        main()
