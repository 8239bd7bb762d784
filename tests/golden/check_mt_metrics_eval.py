"""Read a test set with mt-metrics-eval's own reader, and print every score of segments it finds.

Run in an environment of its own with numpy, scipy and dacite, and its source on the path:

    python tests/golden/check_mt_metrics_eval.py FOLDER en-de refA mqm

It reads strictly: a metric that lacks a system or a segment is refused.
"""

import json
import sys
import types
from pathlib import Path

# Only its parallel permutation test uses beam.
sys.modules.setdefault("apache_beam", types.ModuleType("apache_beam"))

from mt_metrics_eval import data, meta_info  # noqa: E402 - the stand-in above comes first


def main() -> None:
    """Print the scores as JSON."""
    folder, pair, reference, gold = Path(sys.argv[1]), *sys.argv[2:5]
    info = meta_info.MetaInfo(reference, {"seg": gold}, set(), set())
    read = data.EvalSet(
        folder.name, pair, read_stored_metric_scores=True, info=info, path=str(folder.parent),
        strict=True,
    )  # fmt: skip
    names = sorted(read.human_score_names | read.metric_names)
    scores = {name: read.Scores("seg", name) for name in names}
    found = {
        "segments": list(read.docs),
        "systems": sorted(read.sys_names),
        "outputs": read.sys_outputs,
        "scores": scores,
    }
    sys.stdout.write(f"{json.dumps(found, indent=1, sort_keys=True)}\n")


if __name__ == "__main__":
    main()
