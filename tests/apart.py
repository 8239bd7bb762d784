"""Tests that run in an environment of their own stand aside in every other."""

from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import pytest

__all__ = ["stands_aside"]


def stands_aside(mark: str, needs: str) -> Callable[[Path, pytest.Config], bool | None]:
    """Leave out a folder's files where its mark is not asked for and they could not be imported.

    Where nothing is said of marks, or this mark is asked for, the lack fails the tests.
    """

    def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
        asked = str(config.getoption("markexpr"))
        wanted = not asked or (mark in asked.split() and f"not {mark}" not in asked)
        return True if not wanted and find_spec(needs) is None and collection_path.suffix else None

    return pytest_ignore_collect
