"""A tiny study, and the commands as a user runs them."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from medassay.cli.app import app
from medassay.errors import InvalidInput
from medassay.study import new_study

DATA = Path(__file__).parents[3] / "examples" / "other-tools"


@pytest.fixture
def data() -> Path:
    return DATA


@pytest.fixture
def study(tmp_path: Path) -> Path:
    """Give the template's study: two systems, two cases, two raters, one dimension."""
    new_study(tmp_path / "study", "ratings")
    return tmp_path / "study"


@pytest.fixture
def named_raters(study: Path) -> Path:
    """Let the study name its raters wherever it goes, so that what goes out can come back."""
    with (study / "study.toml").open("a", encoding="utf-8") as file:
        file.write('\n[privacy]\nraters = "named"\n')
    return study


@pytest.fixture
def medassay() -> Callable[..., Any]:
    """Run a command that must work, and give what it printed as JSON."""

    def run(*words: str | Path) -> Any:  # noqa: ANN401 - whatever the verb prints
        done = CliRunner().invoke(app, [*map(str, words), "--json"], catch_exceptions=False)
        assert done.exit_code == 0, done.output
        return json.loads(done.stdout)

    return run


@pytest.fixture
def refused() -> Callable[..., list[str]]:
    """Run a command that must be refused, and give what it complained of."""

    def run(*words: str | Path) -> list[str]:
        done = CliRunner().invoke(app, list(map(str, words)))
        assert isinstance(done.exception, InvalidInput), done.output
        return [str(one) for one in done.exception.problems]

    return run
