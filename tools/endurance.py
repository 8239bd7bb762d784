"""Tests of endurance: short in `make test`, whole in `make endure`, which ends with their table.

    @pytest.mark.endure
    def test_killed_at_many_moments_it_ends_in_the_same_bytes(endurance: Endurance) -> None:
        kills = endurance.size("kills", short=10, whole=200)
        ...
        endurance.found(f"{same} of {kills} ended in the same bytes")

Both forms are one test with one set of asserts: only the size differs. What is here is part of
tests/conftest.py.
"""

import json
import os
import platform
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import pytest

_ROOT: Final = Path(__file__).parents[1]
_SIZE, _FOUND = "endurance: size", "endurance: found"
_HEAD: Final = ("What", "Size", "Found", "Seconds")
_PAGE: Final = """\
# What lasts

Tests marked `endure` have two forms, which differ in size alone: the short one is part of `make
test`, the whole one is `make endure`. This is the whole, as `make endure PAGE=design/endurance.md`
found it on {when} at commit {commit} ({machine}). Seconds are of a machine that did other work too.

{table}
"""


@dataclass(frozen=True)
class Endurance:
    """How long this test lasts, and what is to be said about it.

    Attributes:
        whole: Whether this is `make endure`.
    """

    whole: bool
    _note: Callable[[str, str], None]

    def size(self, of: str, *, short: int, whole: int) -> int:
        """Give how many there shall be, and note it."""
        count = whole if self.whole else short
        self._note(_SIZE, f"{count:,} {of}")
        return count

    def found(self, figure: str) -> None:
        """Note what the table shall say; call it before what may fail."""
        self._note(_FOUND, figure)


@pytest.fixture
def endurance(request: pytest.FixtureRequest, record_property: Callable[..., None]) -> Endurance:
    """Say how long a test marked `endure` lasts; its figures stand in the table."""
    if request.node.get_closest_marker("endure") is None:
        pytest.fail("What has two sizes is marked endure.")
    return Endurance(bool(request.config.getoption("--endure")), record_property)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let `make endure` ask for the whole."""
    group = parser.getgroup("medassay")
    group.addoption("--endure", action="store_true", help="Let tests marked endure last.")
    group.addoption("--endure-page", default="", help="Write their table into this file too.")
    group.addoption(
        "--endure-rows",
        default="",
        help="Keep the rows here, behind those that another environment's tests have left.",
    )


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Print the table, and write it where that was asked for and all has passed."""
    if not config.getoption("--endure"):
        return
    rows = list(_rows(terminalreporter))
    if kept := config.getoption("--endure-rows"):
        path = Path(kept)
        if path.exists():
            rows += map(tuple, json.loads(path.read_text(encoding="utf-8")))
        path.write_text(json.dumps(rows), encoding="utf-8")
    table = _table(rows)
    terminalreporter.write_line(f"\n{table}")
    page = config.getoption("--endure-page")
    if page and not any(terminalreporter.stats.get(how) for how in ("failed", "error")):
        written = _PAGE.format(when=_today(), commit=_commit(), machine=_machine(), table=table)
        Path(page).write_text(written, encoding="utf-8")
        terminalreporter.write_line(f"\nWrote {page}.")
    elif page:
        terminalreporter.write_line(f"\nNot written, since tests failed: {page}.")


def _rows(reporter: pytest.TerminalReporter) -> Iterator[tuple[str, ...]]:
    """Give a row for each test, those that were skipped or failed among them."""
    for how in ("passed", "failed", "skipped", "error"):
        for one in reporter.stats.get(how, []):
            if not isinstance(one, pytest.TestReport):
                continue  # a file that cannot be read: pytest says so itself
            if one.when != "call" and how in {"passed", "failed"}:
                continue
            noted = [(name, str(value)) for name, value in one.user_properties]
            size, found = ("; ".join(v for name, v in noted if name == k) for k in (_SIZE, _FOUND))
            bad = "" if how == "passed" else f"{how.upper()} "
            why = one.longrepr[-1] if isinstance(one.longrepr, tuple) else ""
            yield _words(one.nodeid), size, f"{bad}{why}{found}", f"{one.duration:.0f}"


def _words(test: str) -> str:
    name = test.rpartition("::")[2].removeprefix("test_")
    return name.replace("_", " ")


def _table(rows: list[tuple[str, ...]]) -> str:
    lines = [_HEAD, ("---", "---", "---", "---:"), *sorted(rows)]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def _today() -> str:
    return datetime.now(UTC).date().isoformat()


def _commit() -> str:
    def git(*words: str) -> str:
        return subprocess.run(  # noqa: S603 - git, and words of ours
            ["git", *words],  # noqa: S607 - whichever git is in the PATH
            cwd=_ROOT, capture_output=True, text=True, check=True,
        ).stdout.strip()  # fmt: skip

    changed = ", with changes that are not committed" if git("status", "--porcelain") else ""
    return f"`{git('rev-parse', '--short=12', 'HEAD')}`{changed}"


def _machine() -> str:
    return (
        f"{platform.system()} {platform.machine()}, {os.cpu_count()} processors, "
        f"Python {platform.python_version()}"
    )
