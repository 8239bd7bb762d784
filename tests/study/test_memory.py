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
import sys
from medassay.study import open_run, score_study
from tools.peak_memory import peak_megabytes
run = open_run(sys.argv[1])
assert score_study(run.study, run.metrics).computed == 28_000 * len(run.metrics)
print(peak_megabytes())
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="Windows does not tell the peak this way")
def test_28000_answers_to_2_references_take_less_than_400_mb(tmp_path: Path) -> None:
    study = tmp_path / "study"
    write_synthetic(study, systems=28, cases=1000, words=75, raters=0, metrics=LEXICAL)
    done = subprocess.run(  # noqa: S603 - our own interpreter and script
        [sys.executable, "-c", SCORE, str(study)],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parents[2],
    )
    assert float(done.stdout) < 400


@pytest.mark.skipif(sys.platform == "win32", reason="Windows does not tell the peak this way")
def test_the_peak_is_that_of_the_process_itself_and_not_of_the_one_that_started_it() -> None:
    """A test run that holds much must not make the scripts it starts look large."""
    starter = (
        "import subprocess, sys; held = b'x' * 300_000_000\n"
        "subprocess.run([sys.executable, '-c', 'from tools.peak_memory import peak_megabytes\\n"
        "print(peak_megabytes())'], check=True)"
    )
    done = subprocess.run(  # noqa: S603 - our own interpreter and script
        [sys.executable, "-c", starter],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parents[2],
    )
    assert 1 < float(done.stdout) < 100
