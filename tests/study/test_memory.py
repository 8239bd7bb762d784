"""Scoring a large study stays within the memory of a small machine."""

import subprocess
import sys
from pathlib import Path

import pytest
from tools.synthetic_study import write_synthetic

LEXICAL = (
    "length", "over_limit", "bleu(ref=human)", "sari(ref=human)", "rouge1(ref=human)",
    "rouge2(ref=human)", "rougeL(ref=human)", "rougeLsum(ref=human)",
)  # fmt: skip
SCORE = """
import resource, sys
from medassay.study import open_run, score_study
run = open_run(sys.argv[1])
assert score_study(run.study, run.metrics).computed == 28_000 * len(run.metrics)
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(peak // (1024 * 1024 if sys.platform == "darwin" else 1024))
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="Windows does not tell the peak this way")
def test_28000_answers_to_2_references_take_less_than_400_mb(tmp_path: Path) -> None:
    study = tmp_path / "study"
    write_synthetic(study, systems=28, cases=1000, words=75, raters=0, metrics=LEXICAL)
    done = subprocess.run(  # noqa: S603 - our own interpreter and script
        [sys.executable, "-c", SCORE, str(study)], capture_output=True, text=True, check=True
    )
    assert int(done.stdout) < 400
