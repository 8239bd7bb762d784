"""Fixtures: a study to try things on, with three systems, four cases and every kind of missing."""

from pathlib import Path

import pytest

from tools.standard.missing import write_missing


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Give a study that a test may change."""
    return write_missing(tmp_path / "study")


@pytest.fixture(scope="module")
def shared_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a study that the tests of one file only read."""
    return write_missing(tmp_path_factory.mktemp("shared") / "study")
