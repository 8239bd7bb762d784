"""A plug-in for pytest that writes what each test costs into the file that COSTS names."""

import json
import os
import resource
import time
from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Note processor time, that of ended child processes included, and clock."""
    # Processes of pytest-xdist read it as they start; suites that tests run are left alone.
    os.environ.pop("PYTEST_ADDOPTS", None)
    processor, clock = _spent(), time.monotonic()
    try:
        yield
    finally:
        row = [item.nodeid, round(_spent() - processor, 3), round(time.monotonic() - clock, 3)]
        with Path(os.environ["COSTS"]).open("a", encoding="utf-8") as out:
            out.write(json.dumps(row) + "\n")


def _spent() -> float:
    whose = resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN
    return sum(sum(resource.getrusage(who)[:2]) for who in whose)
