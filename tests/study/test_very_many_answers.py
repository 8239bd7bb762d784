"""Clinical answers by the million: memory that hardly grows, and a killed run that goes on."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from tools.endurance import Endurance

ROOT = Path(__file__).parents[2]
DRIVER = Path(__file__).with_name("run_very_many.py")
FIRST = 2_000
MEGABYTES, BYTES_AN_ANSWER = 4_000, 3_000
BYTES_OF_FEW = 20_000
"""Of thousands of answers each takes up to so many: 15,700 between 2,000 and 8,000."""
PATHS = os.pathsep.join([str(ROOT), str(ROOT / "bench")])
on_linux = pytest.mark.skipif(sys.platform != "linux", reason="it asks the kernel for the peak")


Ask = Callable[..., dict[str, float] | None]


@pytest.fixture(scope="module")
def asked() -> Iterator[Ask]:
    """Ask a process that has read the libraries: each line is done by a copy of it."""
    with subprocess.Popen(  # noqa: S603 - our own interpreter and script
        [sys.executable, str(DRIVER)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        env=os.environ | {"PYTHONPATH": PATHS},
    ) as driver:  # fmt: skip

        def ask(*words: object) -> dict[str, float] | None:
            assert driver.stdin is not None
            assert driver.stdout is not None
            print(*words, sep="\t", file=driver.stdin, flush=True)
            found: dict[str, float] | None = json.loads(driver.stdout.readline())
            assert found is None or "failed" not in found
            return found

        yield ask


@pytest.mark.slow
@pytest.mark.endure
@on_linux
def test_memory_hardly_grows_with_the_answers(
    asked: Ask, tmp_path: Path, endurance: Endurance
) -> None:
    most = endurance.size("answers", short=4 * FIRST, whole=1_000_000)
    # However few there are, they are set aside and cut into portions like a million, and of few
    # and many as much is held at a time.
    few, many = (asked("run", tmp_path / str(size), size, most // 4) for size in (FIRST, most))
    assert few
    assert many
    growth = (many["own"] - few["own"]) * 2**20 / (most - FIRST)
    endurance.found(
        f"{growth:,.0f} bytes an answer; at most {many['all']:,.0f} MB of all processes together"
    )
    assert growth < (BYTES_OF_FEW if most == 4 * FIRST else BYTES_AN_ANSWER)
    assert many["all"] < MEGABYTES


@pytest.mark.slow
@pytest.mark.endure
@on_linux
def test_killed_at_any_write_a_run_in_portions_ends_in_the_same_bytes(
    asked: Ask, tmp_path: Path, endurance: Endurance
) -> None:
    answers = endurance.size("answers", short=1_000, whole=20_000)
    whole = asked("files", tmp_path / "whole", answers)
    assert whole
    writes = int(whole.pop("writes"))
    rng = np.random.default_rng(answers)
    kills = sorted(rng.choice(np.arange(1, writes + 1), size=3, replace=False).tolist())
    study = tmp_path / "killed"
    # What was kept before a kill is not written again: each run is killed as much later.
    for write in np.diff([0, *kills]).tolist():
        assert asked("killed", study, answers, write) is None
    endurance.found(f"killed at writes {', '.join(map(str, kills))} of {writes}: the same bytes")
    again = asked("files", study, answers)
    assert again
    assert 0 < again.pop("writes") < writes
    assert again == whole
