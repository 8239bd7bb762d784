import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).parents[2] / "examples" / "add_a_metric.py"


@pytest.mark.slow
def test_the_example_runs_and_prints_what_it_should() -> None:
    # 2 of 2 numbers, 1 of 2 numbers, no number at all
    found = subprocess.run(  # noqa: S603 - our own file, in a process of its own registry
        [sys.executable, "-W", "error", str(EXAMPLE)], capture_output=True, text=True, check=True
    )
    assert found.stdout == "A 1.0\nB 0.5\nC no number in the answer\n"
