"""Thirteen systems and a panel of many habits tell nothing that their study keeps."""

from pathlib import Path

import pytest
from tests.privacy.asking import LARGE, ask_everything
from tests.privacy.conftest import Mark, Run

from medassay.annotations import Texts

NAME = "pool"


@pytest.mark.slow
@pytest.mark.parametrize("texts", ["full", "ids", "none"])
def test_nothing_leaks_whatever_is_asked(
    marked: Mark, run: Run, tmp_path: Path, texts: Texts
) -> None:
    assert NAME in LARGE
    ask_everything(run, marked(NAME, texts), tmp_path / "out")
