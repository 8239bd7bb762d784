"""A plug-in for pytest that notes which test runs which line of the source, and for how long.

A line that the setting up of a shared fixture runs belongs to every test that uses the fixture,
not only to the first, so fixtures have contexts of their own, and so have the finished runs that
`standard_run` shares. Caches of the source are emptied before each test, or only the first test
would be seen to run what fills them. Processes that a test starts are followed (sitecustomize.py).

Coverage.py writes the lines (MUTATE_COVERAGE names its file of settings); MUTATE_NOTES gets, as
JSON, `seconds` of processor by test, `uses`: what each test or fixture builds upon, and the tests
that `failed`. Where several processes share the tests, each writes notes of its own.
"""

import functools
import gc
import json
import os
import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import pytest
from coverage import Coverage

_MODELS: Final = "medassay.models"
"""Loading these takes long, and no test's answer depends on who loaded them."""


class Recording:
    """Where we are, and what has been noted."""

    def __init__(self, settings: str, notes: Path) -> None:
        self.coverage = Coverage(config_file=settings, data_suffix=True)
        self.notes = notes
        self.here = [""]
        self.seconds: dict[str, float] = {}
        self.uses: dict[str, set[str]] = {}
        self.failed: set[str] = set()

    @contextmanager
    def inside(self, context: str) -> Iterator[None]:
        """Put down what runs to `context`, and its time too."""
        self.here.append(context)
        self._switch()
        began = _spent()
        try:
            yield
        finally:
            took = _spent() - began
            self.here.pop()
            self._switch()
            self.seconds[context] = self.seconds.get(context, 0) + took
            around = self.here[-1]
            if around:  # what a fixture takes is its own, and no test's
                self.seconds[around] = self.seconds.get(around, 0) - took

    def using(self, what: str) -> None:
        """Note that the test or fixture that runs now builds upon `what`."""
        if self.here[-1]:
            self.uses.setdefault(self.here[-1], set()).add(what)

    def _switch(self) -> None:
        self.coverage.switch_context(self.here[-1])
        os.environ["MUTATE_CONTEXT"] = self.here[-1]

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Run one test."""
        _empty_caches()
        with self.inside(item.nodeid):
            for name in _shared_fixtures(item):
                self.using(name)
            return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: Any) -> Iterator[Any]:  # noqa: ANN401 - pytest's own
        """Set a fixture up, of which several tests may make use."""
        if fixturedef.scope == "function":
            return (yield)
        name = _context_of(fixturedef)
        self.using(name)
        with self.inside(name):
            return (yield)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note what fails without any fault."""
        if report.failed:
            self.failed.add(report.nodeid)

    def pytest_collection_finish(self) -> None:
        """Begin to look: what importing runs, every test runs."""
        follow_standard_runs(self)

    def pytest_sessionfinish(self) -> None:
        """Write what was noted."""
        self.coverage.stop()
        self.coverage.save()
        uses = {context: sorted(used) for context, used in self.uses.items()}
        told = {"seconds": self.seconds, "uses": uses, "failed": sorted(self.failed)}
        worker = os.environ.get("PYTEST_XDIST_WORKER", "")
        notes = self.notes.with_stem(f"{self.notes.stem}{worker}")
        notes.write_text(json.dumps(told, indent=0, sort_keys=True), encoding="utf-8")


def pytest_configure(config: pytest.Config) -> None:
    """Begin, and let processes that tests start follow."""
    settings = os.environ["MUTATE_COVERAGE"]
    recording = Recording(settings, Path(os.environ["MUTATE_NOTES"]))
    recording.coverage.start()
    os.environ["COVERAGE_PROCESS_START"] = settings
    config.pluginmanager.register(recording)


def follow_standard_runs(recording: Recording) -> None:
    """Give each finished run that tests share a context of its own."""
    try:
        from tools.standard.shared import SharedRuns
    except ImportError:  # a checkout older than the shared runs
        return
    plain = SharedRuns.__call__

    @functools.wraps(plain)
    def followed(self: SharedRuns, name: str) -> Any:  # noqa: ANN401 - as what it wraps
        recording.using(f"run of {name}")
        with recording.inside(f"run of {name}"):
            return plain(self, name)

    SharedRuns.__call__ = followed  # type: ignore[method-assign]


def _shared_fixtures(item: pytest.Item) -> list[str]:
    known = getattr(item, "_fixtureinfo", None)
    found = known.name2fixturedefs.values() if known else ()
    return [_context_of(defs[-1]) for defs in found if defs[-1].scope != "function"]


def _context_of(fixturedef: Any) -> str:  # noqa: ANN401 - pytest's own
    return f"fixture {fixturedef.baseid}::{fixturedef.argname}"


def _spent() -> float:
    """Give the processor time of this process and of those that it waited for."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


def _empty_caches() -> None:
    for one in _caches():
        one.cache_clear()


@functools.lru_cache(maxsize=1)
def _caches_of(count: int) -> "list[functools._lru_cache_wrapper[Any]]":
    del count  # the key: looked through anew when modules came
    return [
        one
        for one in gc.get_objects()
        if isinstance(one, functools._lru_cache_wrapper)  # noqa: SLF001 - has no public name
        if (module := one.__module__ or "").startswith("medassay")  # of some libraries it is None
        if not module.startswith(_MODELS)
    ]


def _caches() -> "list[functools._lru_cache_wrapper[Any]]":
    import sys

    return _caches_of(sum(name.startswith("medassay") for name in sys.modules))
