"""Put one fault into a checkout, run the tests that ran its line, and put the line back."""

import json
import os
import re
import resource
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from math import ceil
from pathlib import Path
from typing import Final, Literal

from tools.mutate.finding import mutants_of_file
from tools.mutate.mutant import Mutant, Place
from tools.mutate.record import Record

Outcome = Literal["caught", "survived", "not covered", "out of time"]
_PLUGINS: Final = Path(__file__).parent / "in_pytest"
_FAILED: Final = re.compile(r"^(?:FAILED|ERROR) (\S.*?)(?: - .*)?$", re.MULTILINE)
_TESTS_FAIL, _NOT_EVEN_COLLECTED, _NOTHING_COLLECTED = 1, 2, 5
_PATIENCE: Final = 4
"""Times of the processor time after which tests that only wait are stopped too."""


@dataclass(frozen=True)
class Limits:
    """How long one fault may take.

    Attributes:
        tests: Seconds, as recorded, of the tests that are run; dearer ones are left out.
        hang: Processor time, in times of what the tests took when recorded, after which they hang.
        start: Seconds that are added to that for starting.
    """

    tests: float = 60
    hang: float = 1
    start: float = 20


@dataclass(frozen=True)
class Trial:
    """What became of one fault.

    Attributes:
        outcome: `out of time`: what could be run in the time passed, and tests are left that might
            fail.
        by: The test that failed, or what else showed the fault.
        tests: How many tests ran its line.
        run: How many of them were to be run.
        seconds: How long it took.
    """

    outcome: Outcome
    by: str
    tests: int
    run: int
    seconds: float

    def as_json(self) -> dict[str, object]:
        """Give it as JSON has it."""
        return asdict(self)


def try_mutant(
    mutant: Mutant,
    tree: Path,
    record: Record,
    limits: Limits,
    without: frozenset[str] = frozenset(),
) -> Trial:
    """Try one fault against the tests that ran its line.

    Args:
        mutant: The fault.
        tree: A checkout that nobody else uses meanwhile.
        record: What its suite was seen to run.
        limits: How long it may take.
        without: Tests that fail without any fault.
    """
    began = time.monotonic()
    place = place_of(mutant, tree)
    tests = [one for one in _covering(mutant, place, record) if one not in without]
    chosen = record.affordable(tests, limits.tests)
    if not tests:
        return Trial("not covered", "", 0, 0, 0.0)
    with _written(mutant, place, tree):
        code, said = _run(tree, chosen, ceil(limits.start + limits.hang * record.cost(chosen)))
    outcome, by = _judged(code, said, everything=len(chosen) == len(tests))
    return Trial(outcome, by, len(tests), len(chosen), round(time.monotonic() - began, 1))


def try_again(mutant: Mutant, test: str, tree: Path, seconds: int) -> Trial | None:
    """Try one fault against the test that caught it elsewhere; None where that lets it by here."""
    if not (tree / test.split("::", 1)[0]).is_file():
        return None
    began = time.monotonic()
    with _written(mutant, place_of(mutant, tree), tree):
        code, said = _run(tree, [test], seconds)
    if code in (_NOTHING_COLLECTED, 0):
        return None
    outcome, by = _judged(code, said, everything=True)
    return Trial(outcome, by, 1, 1, round(time.monotonic() - began, 1))


def place_of(mutant: Mutant, tree: Path) -> Place:
    """Find a fault's place in a checkout."""
    return mutants_of_file((tree / mutant.path).read_bytes(), mutant.path)[mutant]


def _covering(mutant: Mutant, place: Place, record: Record) -> list[str]:
    exactly = record.tests(mutant.path, range(place.first_line, place.last_line + 1))
    # A line inside an expression may have no step of its own.
    return exactly or record.tests(mutant.path, range(place.head[0], place.head[1] + 1))


@contextmanager
def _written(mutant: Mutant, place: Place, tree: Path) -> Iterator[None]:
    file = tree / mutant.path
    plain, times = file.read_bytes(), file.stat()
    try:
        file.write_bytes(place.changed(plain, mutant))
        yield
    finally:
        file.write_bytes(plain)
        os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))


def failing(tests: list[str], tree: Path, seconds: int) -> list[str]:
    """Give those of the tests that fail without any fault: what they caught, nobody knows."""
    code, said = _run(tree, tests, seconds, "--maxfail=0")
    if code < 0 or code > _TESTS_FAIL:
        message = f"pytest ended with {code}:\n{said[-2000:]}"
        raise RuntimeError(message)
    return _FAILED.findall(said)


def _run(tree: Path, tests: list[str], seconds: int, until: str = "-x") -> tuple[int, str]:
    """Run tests until one fails; the exit code is negative where they were stopped."""
    files = list(dict.fromkeys(one.split("::", 1)[0] for one in tests))
    with tempfile.TemporaryDirectory(prefix="mutate-") as around:
        listed = Path(around) / "tests.json"
        listed.write_text(json.dumps(tests), encoding="utf-8")
        told = {"MUTATE_TESTS": str(listed), "PYTHONPATH": str(_PLUGINS)}
        words = [until, "-p", "chosen", "-p", "no:cacheprovider", "--basetemp", f"{around}/tests"]
        with subprocess.Popen(  # noqa: S603 - our own pytest
            [tree / ".venv/bin/python", "-m", "pytest", *words, "--tb=no", *files],
            cwd=tree,
            # Compiling all of the source again would take longer than most tests.
            env={**os.environ, **told, "PYTHONDONTWRITEBYTECODE": ""},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            process_group=0,  # stopped as one, and at the priority of whoever started this
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5)),  # noqa: PLW1509 - no threads here
            text=True,
            errors="replace",
        ) as process:
            try:
                said, _ = process.communicate(timeout=_PATIENCE * seconds)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                said, _ = process.communicate()
                return -signal.SIGXCPU, said
            return process.returncode, said


def _judged(code: int, said: str, *, everything: bool) -> tuple[Outcome, str]:
    if code == -signal.SIGXCPU:
        return "caught", "the tests hang"
    if code == _NOT_EVEN_COLLECTED:
        return "caught", "cannot be imported"
    if code == _TESTS_FAIL:
        failed = _FAILED.search(said)
        return "caught", failed[1] if failed else said[-200:]
    if code:
        message = f"pytest ended with {code}:\n{said[-2000:]}"
        raise RuntimeError(message)
    return ("survived" if everything else "out of time"), ""
