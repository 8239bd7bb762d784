"""Tests of endpoints stand aside only where they are asked to; else its lack fails them."""

from importlib.util import find_spec
from pathlib import Path

import pytest


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave out what `-m "... not llm"` deselects anyway and could not even import."""
    unwanted = "not llm" in str(config.getoption("markexpr"))
    return True if unwanted and find_spec("openai") is None and collection_path.suffix else None
