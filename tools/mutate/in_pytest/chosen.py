"""A plug-in for pytest that runs the tests that MUTATE_TESTS lists, in the order of the list.

The list holds names of tests, and files of which every test is run.
"""

import json
import os
from pathlib import Path

import pytest


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep what is listed."""
    listed = json.loads(Path(os.environ["MUTATE_TESTS"]).read_text(encoding="utf-8"))
    place = {name: at for at, name in enumerate(listed)}

    def of(item: pytest.Item) -> int | None:
        return place.get(item.nodeid, place.get(item.nodeid.partition("::")[0]))

    dropped = [item for item in items if of(item) is None]
    items[:] = sorted(
        (item for item in items if of(item) is not None), key=lambda item: of(item) or 0
    )
    config.hook.pytest_deselected(items=dropped)
