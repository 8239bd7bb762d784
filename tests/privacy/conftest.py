"""Marked studies, and the command as a user runs it: in this process, with all that it prints."""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from shutil import copytree

import pytest
from tests.privacy.leaks import Marked
from tests.privacy.marking import shorten
from tools.standard import STANDARD, write_standard

from medassay.__main__ import main
from medassay.annotations import Texts
from medassay.study import write_demo

Run = Callable[..., tuple[int, str]]
Mark = Callable[..., Marked]
SHORTENED = {
    "cochrane": (12, 4, None),
    "clinical-demo": (24, None, None),
    "archehr-synthetic": (10, 6, 8),
    "environmental-health": (12, None, None),
}
"""The studies that ship, and how many cases, systems and raters of them are kept."""


@pytest.fixture(autouse=True, scope="module")
def _drawn(figures: None) -> None:
    """Look into figures too."""


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def command(*words: str | Path) -> tuple[int, str]:
        code = 0
        try:
            main([str(word) for word in words])
        except SystemExit as stopped:
            code = int(stopped.code or 0)
        said = capsys.readouterr()
        return code, said.out + said.err

    return command


@pytest.fixture(scope="session")
def unmarked(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Give a study that is written once, to be copied: some are run while they are written."""

    @cache
    def written(name: str) -> Path:
        around = tmp_path_factory.mktemp("unmarked")
        if name in STANDARD:
            return write_standard(name, around)
        folder = around / name
        write_demo(folder, name.removesuffix("-demo"))
        shorten(folder, *SHORTENED[name])
        return folder

    return written


@pytest.fixture
def marked(tmp_path: Path, unmarked: Callable[[str], Path]) -> Mark:
    def make(name: str, texts: Texts, raters: str = "pseudonyms") -> Marked:
        around = unmarked(name).parent
        copytree(around, tmp_path, dirs_exist_ok=True)
        return Marked.of(tmp_path / name, texts, raters)

    return make
