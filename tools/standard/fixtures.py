"""Fixtures: a study to try things on, with three systems, four cases and every kind of missing."""

import sys
from pathlib import Path

import pytest

from medassay.report import render
from tools.standard.missing import write_missing


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Give a study that a test may change."""
    return write_missing(tmp_path / "study")


@pytest.fixture(scope="module")
def shared_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a study that the tests of one file only read."""
    return write_missing(tmp_path_factory.mktemp("shared") / "study")


@pytest.fixture
def without_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw none, which is half of a small run's time: these tests look at other files."""
    monkeypatch.setattr(sys.modules[render.__module__], "write_figures", lambda *_: {})
