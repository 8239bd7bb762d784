"""Marked studies, and the command as a user runs it: in this process, with all that it prints."""

from collections.abc import Callable
from pathlib import Path

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


@pytest.fixture
def marked(tmp_path: Path) -> Mark:
    def make(name: str, texts: Texts, raters: str = "pseudonyms") -> Marked:
        if name in STANDARD:
            return Marked.of(write_standard(name, tmp_path), texts, raters)
        folder = tmp_path / name
        write_demo(folder, name.removesuffix("-demo"))
        shorten(folder, *SHORTENED[name])
        return Marked.of(folder, texts, raters)

    return make
