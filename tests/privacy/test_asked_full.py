"""Under `full` names of people who rate, and nothing else, are kept."""

from pathlib import Path

import pytest
from tests.privacy.asking import SMALL, ask_everything
from tests.privacy.conftest import Mark, Run


@pytest.mark.slow
@pytest.mark.parametrize("name", SMALL)
def test_nothing_leaks_whatever_is_asked(marked: Mark, run: Run, tmp_path: Path, name: str) -> None:
    ask_everything(run, marked(name, "full"), tmp_path / "out")
