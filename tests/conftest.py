"""How property tests run, the finished runs that tests share, and the one browser."""

import gc
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers
from hypothesis.internal.constants_ast import Constants
from tools.endurance import endurance, pytest_addoption, pytest_terminal_summary
from tools.quick_runs import drawing, quick, whole
from tools.standard.fixtures import folder, shared_folder
from tools.standard.shared import SharedRuns

if TYPE_CHECKING:
    from playwright.sync_api import Browser

__all__ = [
    "endurance",
    "folder",
    "pytest_addoption",
    "pytest_terminal_summary",
    "shared_folder",
]

# The generators of golden values run by hand, in environments of their own.
collect_ignore_glob = ["golden/*.py"]

settings.register_profile(
    "medassay",
    # A busy machine must not fail a test: nothing here is about time.
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    # The same examples on every run, so that a failure in CI is a failure at the desk.
    derandomize=True,
)
settings.load_profile("medassay")

# Nor do examples depend on what else is tested: Hypothesis would read all source that a process has
# loaded, seconds for each, and try the constants in it.
pytest.MonkeyPatch().setattr(providers, "_get_local_constants", Constants)

# Python looks for cycles of garbage again and again in all that it holds, and thousands of tests
# with their libraries are much to hold. It looks more seldom: a tenth of the tests' time was this.
gc.set_threshold(20_000, 10, 50)

PATIENCE = 600_000
"""Milliseconds after which a page is taken for dead; a busy machine must not fail a test."""
QUIET = (
    "--no-sandbox --disable-gpu --disable-background-networking --disable-component-update "
    "--disable-sync --no-first-run"
)


@pytest.fixture(scope="session", autouse=True)
def _quick_runs() -> Iterator[None]:
    """Let the runs of tests be quick where no test says otherwise (`tools.quick_runs`)."""
    with quick():
        yield


@pytest.fixture(scope="session", autouse=True)
def _own_state(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Keep what a user allows in a folder of the tests, and never beside the user's own files."""
    for name in ("XDG_STATE_HOME", "LOCALAPPDATA"):
        os.environ[name] = str(tmp_path_factory.mktemp("state"))
    os.environ.pop("MEDASSAY_ROOM_DATABASE", None)


@pytest.fixture(scope="module")
def figures() -> Iterator[None]:
    """Let the runs of a file's tests draw the figures of their pages."""
    with drawing():
        yield


@pytest.fixture
def whole_runs() -> Iterator[None]:
    """Let the runs of a test be what a user gets: every form of every figure, every draw."""
    with whole():
        yield


@pytest.fixture(scope="session")
def standard_run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SharedRuns]:
    """Give `standard_run("clinical")`: a study that was run and rendered once in this session.

    It is for reading; `standard_run.copy(name, tmp_path)` gives one to write into. The studies are
    those of `tools.standard`.
    """
    own = tmp_path_factory.getbasetemp()
    # Processes that share the work have folders of their own inside the session's.
    shared = own.parent if "PYTEST_XDIST_WORKER" in os.environ else own
    # `make test` runs several sessions in one environment, and keeps for all what the first made.
    kept = os.environ.get("STANDARD_RUNS")
    runs = SharedRuns(Path(kept, Path(sys.prefix).name) if kept else shared / "standard")
    yield runs
    assert not runs.changed(), "Tests wrote into runs that all of them share."


@pytest.fixture(scope="session")
def browser() -> Iterator["Browser"]:
    """Give the Chromium of this machine, without its calls home."""
    from playwright.sync_api import sync_playwright

    names = ("chromium", "chromium-browser", "google-chrome")
    found = next(filter(None, map(shutil.which, names)), None)
    if found is None:
        pytest.fail(
            "No Chromium on this machine. Run tools/install-what-tests-need, or make test-core."
        )
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=QUIET.split())
        with pytest.MonkeyPatch.context() as patch:
            for name in ("new_context", "new_page"):
                patch.setattr(browser, name, partial(_with_patience, getattr(browser, name)))
            yield browser
        browser.close()


def _with_patience(new: Callable[..., Any], *words: Any, **options: Any) -> Any:  # noqa: ANN401 - playwright's
    """Open a page, or what pages are opened in, that waits for events and not for a clock."""
    opened = new(*words, **options)
    opened.set_default_timeout(PATIENCE)
    return opened
