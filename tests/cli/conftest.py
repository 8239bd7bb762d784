"""The command as a user runs it: in this process, with what it prints and its exit code."""

import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from medassay.__main__ import main
from medassay.study import new_study


@dataclass(frozen=True)
class Said:
    """What a command printed."""

    code: int
    out: str
    err: str

    def json(self) -> Any:  # noqa: ANN401 - whatever the verb prints
        return json.loads(self.out)


Command = Callable[..., Said]


@pytest.fixture
def medassay(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    def run(*words: str | Path) -> Said:
        monkeypatch.setattr(sys, "argv", ["medassay", *map(str, words)])
        with pytest.raises(SystemExit) as stopped:
            main()
        said = capsys.readouterr()
        code = stopped.value.code
        assert code is None or isinstance(code, int)
        return Said(code or 0, said.out, said.err)

    return run


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a tiny study that the tests of one file share."""
    folder = tmp_path_factory.mktemp("cli") / "tiny"
    new_study(folder, "ratings")
    settings = folder / "study.toml"
    text = settings.read_text(encoding="utf-8") + "\n[run]\nreplicates = 100\n"
    settings.write_text(text, encoding="utf-8")
    return folder
