"""A study to try things on: three systems, four cases, two raters, every kind of missing."""

from functools import partial
from pathlib import Path

import pytest
from tools.standard.missing import write_missing

from medassay.cli import running
from medassay.report import render


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_missing(tmp_path / "study")


@pytest.fixture(scope="module")
def shared_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a study that the tests of one file only read."""
    return write_missing(tmp_path_factory.mktemp("shared") / "study")


@pytest.fixture
def svg_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw figures in one form: the other two say the same and take their time."""
    monkeypatch.setattr(running, "render", partial(render, formats=("svg",)))
