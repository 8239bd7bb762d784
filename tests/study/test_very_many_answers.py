"""Clinical answers by the million: memory that hardly grows, and a killed run that goes on."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from tools.endurance import Endurance

ROOT = Path(__file__).parents[2]
DRIVER = Path(__file__).with_name("run_very_many.py")
FIRST = 4_000
MEGABYTES, BYTES_AN_ANSWER = 4_000, 3_000
PATHS = os.pathsep.join([str(ROOT), str(ROOT / "bench")])
on_linux = pytest.mark.skipif(sys.platform != "linux", reason="it asks the kernel for the peak")


def driven(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(  # noqa: S603 - our own interpreter and script
        [sys.executable, str(DRIVER), *words],
        capture_output=True, text=True, check=False, env=os.environ | {"PYTHONPATH": PATHS},
    )  # fmt: skip


def said(*words: str) -> dict[str, float]:
    done = driven(*words)
    assert done.returncode == 0, done.stderr
    found: dict[str, float] = json.loads(done.stdout)
    return found


@pytest.mark.slow
@pytest.mark.endure
@on_linux
def test_memory_hardly_grows_with_the_answers(tmp_path: Path, endurance: Endurance) -> None:
    most = endurance.size("answers", short=4 * FIRST, whole=1_000_000)
    # However few there are, they are set aside and cut into portions like a million.
    found = [said("run", str(tmp_path / str(size)), str(size)) for size in (FIRST, most)]
    growth = (found[1]["own"] - found[0]["own"]) * 2**20 / (most - FIRST)
    endurance.found(
        f"{growth:,.0f} bytes an answer; at most {found[1]['all']:,.0f} MB"
        f" of all processes together"
    )
    assert growth < BYTES_AN_ANSWER
    assert found[1]["all"] < MEGABYTES


@pytest.mark.slow
@pytest.mark.endure
@on_linux
def test_killed_at_any_write_a_run_in_portions_ends_in_the_same_bytes(
    tmp_path: Path, endurance: Endurance
) -> None:
    answers = endurance.size("answers", short=1_000, whole=20_000)
    whole = said("files", str(tmp_path / "whole"), str(answers))
    writes = int(whole.pop("writes"))
    rng = np.random.default_rng(answers)
    kills = sorted(rng.choice(np.arange(1, writes + 1), size=3, replace=False).tolist())
    study = str(tmp_path / "killed")
    # What was kept before a kill is not written again: each run is killed as much later.
    for write in np.diff([0, *kills]).tolist():
        assert driven("killed", study, str(answers), str(write)).returncode < 0
    endurance.found(f"killed at writes {', '.join(map(str, kills))} of {writes}: the same bytes")
    again = said("files", study, str(answers))
    assert 0 < again.pop("writes") < writes
    assert again == whole
