"""A plug-in for pytest that runs the tests that MUTATE_TESTS lists, in the order of the list."""

import json
import os
from pathlib import Path

import pytest


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep what is listed."""
    listed = json.loads(Path(os.environ["MUTATE_TESTS"]).read_text(encoding="utf-8"))
    place = {name: at for at, name in enumerate(listed)}
    dropped = [one for one in items if one.nodeid not in place]
    items[:] = sorted(
        (one for one in items if one.nodeid in place), key=lambda one: place[one.nodeid]
    )
    config.hook.pytest_deselected(items=dropped)
