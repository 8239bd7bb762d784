"""The scripts on real data print what the page of examples says."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "validity-examples.md").read_text(encoding="utf-8")
TOLD = dict(re.findall(r"\$ python (examples/\w+\.py)\n(.*?)```", PAGE, flags=re.DOTALL))


@pytest.mark.slow
@pytest.mark.parametrize(
    "script",
    [
        "examples/trust_openqa.py",
        "examples/tau_in_table_s1.py",
        "examples/judge_openqa.py",
        pytest.param("examples/trust_cochrane.py", marks=pytest.mark.slow),
    ],
)
def test_the_page_shows_what_the_script_prints(script: str) -> None:
    done = subprocess.run(  # noqa: S603 - our own example
        [sys.executable, str(ROOT / script)], check=True, capture_output=True, text=True
    )
    assert done.stdout == TOLD[script]


def test_the_unmatched_answers_change_who_is_first() -> None:
    lines = TOLD["examples/trust_openqa.py"].splitlines()
    assert lines[0].startswith("88 of 3612 answers")
    assert sum(line.endswith("moves") for line in lines) == 4
