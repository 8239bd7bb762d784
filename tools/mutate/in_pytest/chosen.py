"""A plug-in for pytest that runs the tests that MUTATE_TESTS lists, in the order of the list.

The list holds names of tests, and files of which every test is run. Where MUTATE_KNOWN lists the
tests that a map knows, MUTATE_UNKNOWN lists files, and names of tests without their parameters: of
these the quick tests are run too that the map does not know, and a slow one that is a test's whole
name. MUTATE_RAN is where the names of the tests are written that passed or failed.
"""

import json
import os
from pathlib import Path

import pytest

# What `make quick` leaves out; of the rating room's tests, too, a map knows the quick ones.
_APART = ("site", "torch", "gpu", "llm", "ray", "urls", "umls")
_NOT_QUICK = frozenset({"slow", "browser", "latex", "endure", *_APART})


def _listed(word: str) -> list[str]:
    """Read a list that the environment names."""
    path = os.environ.get(word)
    names: list[str] = json.loads(Path(path).read_text(encoding="utf-8")) if path else []
    return names


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep what is listed."""
    place = {name: at for at, name in enumerate(_listed("MUTATE_TESTS"))}
    known, unknown = frozenset(_listed("MUTATE_KNOWN")), frozenset(_listed("MUTATE_UNKNOWN"))

    def of(item: pytest.Item) -> int | None:
        file, test = item.nodeid.partition("::")[0], item.nodeid.partition("[")[0]
        at = place.get(item.nodeid, place.get(file))
        if at is None and item.nodeid not in known and not unknown.isdisjoint({file, test}):
            named = {"slow"} if item.nodeid in unknown else set()
            marks = {mark.name for mark in item.iter_markers()} - named
            return -1 if marks.isdisjoint(_NOT_QUICK) else None
        return at

    dropped = [item for item in items if of(item) is None]
    items[:] = sorted(
        (item for item in items if of(item) is not None), key=lambda item: of(item) or 0
    )
    config.hook.pytest_deselected(items=dropped)


_ran: list[str] = []


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Note what ran."""
    if report.when == "call" and not report.skipped:
        _ran.append(report.nodeid)


def pytest_sessionfinish() -> None:
    """Write down what ran, where that is asked for."""
    if path := os.environ.get("MUTATE_RAN"):
        Path(path).write_text(json.dumps(_ran), encoding="utf-8")
