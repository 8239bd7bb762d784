"""Studies changed at random are read or refused, as the command line says: nobody sees a traceback.

One number makes one study, so that a failure names the study that shows it again.
"""

import json
import random
import signal
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Final, Literal

import pytest
from tools.endurance import Endurance

from medassay.__main__ import main

from .mutate import mutate, write_base

LONGEST: Final = 300
"""Seconds of a command that others leave little of the machine; alone it takes ten at most."""


class Hung(KeyboardInterrupt):
    """A command did not end. Nothing that catches what a metric raises may catch this."""


@contextmanager
def ending(what: str) -> Iterator[None]:
    """Stop the block where it does not end by itself, where the system can."""
    if sys.platform == "win32":
        yield
        return

    def stop(_signal: int, _frame: FrameType | None) -> None:
        raise Hung(what)

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(LONGEST)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def try_one(
    folder: Path, capsys: pytest.CaptureFixture[str], seed: int, verb: Literal["check", "run"]
) -> int:
    """Change a study, give it to a command, and hold what that says and how it ends."""
    rng = random.Random(seed)  # noqa: S311 - these draws keep no secret
    study = write_base(folder / str(seed), rng)
    about = f"seed {seed}, {mutate(study, rng)}"
    as_json = ["--json"] if seed % 3 == 0 else []
    with ending(about):
        try:
            main([verb, str(study), *as_json])
            code: object = 0
        except SystemExit as ended:
            code = ended.code or 0
        except Exception as error:
            error.add_note(about)
            raise
    said = capsys.readouterr()
    assert code in {0, 2}, about
    assert not set(said.out + said.err) & set("\x1b\x07\x9b\u202e\u2066"), about
    (said.out + said.err).encode()
    if as_json:
        told = json.loads(said.out)
        problems = told["problems"] if code else []
        assert all(one["file"] and one["must"] and one["got"] for one in problems), about
        assert bool(problems) == bool(code), about
    elif code:
        # Every line is a problem with its place, what must be and what is there.
        assert "must " in said.err, about
        assert "; got " in said.err, about
    assert "Traceback" not in said.err, about
    assert isinstance(code, int)
    return code


def try_many(
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    seeds: range,
    verb: Literal["check", "run"],
) -> Counter[int]:
    codes = Counter(try_one(folder, capsys, seed, verb) for seed in seeds)
    # A fuzz that breaks nothing, or leaves nothing whole, would show nothing.
    assert min(codes[0], codes[2]) >= len(seeds) // 8
    return codes


@pytest.mark.slow
def test_check_reads_or_refuses_a_changed_study(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    # Among these numbers are some that showed a fault once, in a cell, a name and the settings.
    try_many(tmp_path, capsys, range(1_085, 1_170), "check")


@pytest.mark.slow
def test_a_changed_study_that_is_read_runs_to_a_report(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    codes = try_many(tmp_path, capsys, range(200, 207), "run")
    assert len([*tmp_path.glob("*/results/*/report.html")]) == codes[0]


@pytest.mark.slow
@pytest.mark.endure
def test_check_reads_or_refuses_many_changed_studies(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], endurance: Endurance
) -> None:
    count = endurance.size("studies", short=100, whole=1_000)
    codes = try_many(tmp_path, capsys, range(2_000, 2_000 + count), "check")
    endurance.found(f"{codes[2]:,} refused, {codes[0]:,} read")


@pytest.mark.slow
@pytest.mark.endure
def test_many_changed_studies_that_are_read_run_to_a_report(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], endurance: Endurance
) -> None:
    count = endurance.size("studies", short=8, whole=60)
    codes = try_many(tmp_path, capsys, range(3_000, 3_000 + count), "run")
    endurance.found(f"{codes[2]:,} refused, {codes[0]:,} run to a report")


def test_the_same_number_makes_the_same_study(tmp_path: Path) -> None:
    made: list[dict[str, bytes]] = []
    said = set()
    for turn in ("one", "other"):
        rng = random.Random(7)  # noqa: S311 - these draws keep no secret
        study = write_base(tmp_path / turn / "7", rng)
        said.add(mutate(study, rng))
        files = sorted(path for path in study.rglob("*") if path.is_file())
        made.append({path.relative_to(study).as_posix(): path.read_bytes() for path in files})
    assert made[0] == made[1]
    assert len(said) == 1
