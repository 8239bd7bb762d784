"""The clinical protocol on very many answers: whole within memory that hardly grows with them."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from tools.endurance import Endurance

ROOT = Path(__file__).parents[2]
# The short form sets records aside as the whole one does, though it has few of them.
RUN = """
import runpy, sys
sys.path[:0] = ["bench"]
from pathlib import Path
from clinical_study import write_study
from medassay.study import scoring
from medassay.tables import set_aside
write_study(Path(sys.argv[1]), int(sys.argv[2]), chains=False)
if int(sys.argv[2]) <= 10_000:
    set_aside._IN_MEMORY, scoring._PORTION = 256, 512
sys.argv = ["clinical_run.py", sys.argv[1]]
runpy.run_path("bench/clinical_run.py", run_name="__main__")
"""
MEGABYTES, BYTES_AN_ANSWER = 450, 3_500
"""A million answers: 3,950 MB."""


@pytest.mark.slow
@pytest.mark.endure
@pytest.mark.skipif(sys.platform != "linux", reason="The memory of copies is told by Linux alone")
def test_very_many_answers_are_run_within_memory(tmp_path: Path, endurance: Endurance) -> None:
    answers = endurance.size("answers", short=6_000, whole=1_000_000)
    few, all_ = (run(tmp_path / str(size), size) for size in (answers // 6, answers))
    grown = (all_["megabytes"] - few["megabytes"]) * 1e6 / (answers - answers // 6)
    endurance.found(
        f"{all_['seconds']:,.0f} s, {all_['processor seconds']:,.0f} s of processors; at most "
        f"{all_['megabytes']:,.0f} MB, {grown:,.0f} bytes more for each answer more"
    )
    assert grown < BYTES_AN_ANSWER
    assert all_["megabytes"] < MEGABYTES + BYTES_AN_ANSWER * answers / 1e6


def run(study: Path, answers: int) -> dict[str, float]:
    """Write a study of so many answers and run it, in a process of its own."""
    done = subprocess.run(  # noqa: S603 - our own interpreter and script
        [sys.executable, "-c", RUN, str(study), str(answers)],
        capture_output=True, text=True, check=True, cwd=ROOT,
    )  # fmt: skip
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    assert not found["again"]
    return found
