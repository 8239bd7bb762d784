"""Nothing in a study's folder is ever run, whatever study.toml names and whatever lies there."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from matplotlib import rc_context

from medassay.exhibits.drawing import journal, new_figure

pytestmark = pytest.mark.usefixtures("figures")

WATCH = Path(__file__).with_name("watch_received.py")
EVIL = """
from pathlib import Path
def run(*_): Path(__file__).with_name("ran").write_text("it did")
run()
"""
SHADOWS = ("evil.py", "numpy.py", "polars/__init__.py", "matplotlib/__init__.py", "conftest.py",
           "medassay/__init__.py", "sitecustomize.py", "usercustomize.py", "typer.py",
           "answers/evil.py", "results/evil.py")  # fmt: skip


@pytest.fixture
def received(folder: Path) -> Path:
    """Give a study in which code lies about, under every name that something might look for."""
    for name in SHADOWS:
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(EVIL)
    (folder / "matplotlibrc").write_text("text.usetex: True\nfigure.facecolor: red\n")
    return folder


def watched(study: Path, what: str) -> dict[str, Any]:
    told = study.parent / "seen.json"
    done = subprocess.run(  # noqa: S603 - our own interpreter and script
        [sys.executable, str(WATCH), str(study), str(told), what],
        # Python keeps what it compiled of ours beside it; that is nothing that a study made it do.
        env={**os.environ, "OMP_NUM_THREADS": "1", "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True, text=True, check=False, cwd=study.parent,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(told.read_text(encoding="utf-8"))
    return found


@pytest.mark.slow
def test_what_is_run_and_written_is_seen(received: Path) -> None:
    seen = watched(received, "control")["seen"]
    assert any(one.startswith(("imported", "ran")) for one in seen)
    assert any(one.startswith("wrote") and one.endswith("written'") for one in seen)


@pytest.mark.slow
def test_a_whole_run_runs_no_code_of_the_folder_and_writes_nowhere_else(received: Path) -> None:
    found = watched(received, "run")
    assert set(found["codes"].values()) == {0}
    assert found["seen"] == []
    assert list(received.rglob("ran")) == []
    assert len(list(received.glob("results/*/figures/*.svg"))) > 3


@pytest.mark.slow
def test_no_key_of_study_toml_names_code(received: Path) -> None:
    found = watched(received, "keys")
    assert {"title", "protocol.name", "metrics.[].name", "models.folders.NAME"} <= set(
        found["keys"]
    )
    assert "safety.rules" in found["keys"]
    assert len(found["keys"]) > 30
    assert {0, 2} >= set(found["codes"].values())  # refused, or of no effect; never a crash
    assert found["seen"] == []
    assert list(received.rglob("ran")) == []


def test_settings_of_matplotlib_that_lie_about_change_no_figure(
    tmp_path: Path,
) -> None:
    def drawn() -> bytes:
        path = tmp_path / "figure.svg"
        with journal():
            figure = new_figure(60, 40, synthetic=False)
            figure.subplots().set_title("Title")
            figure.savefig(path, metadata={"Date": None})
        return path.read_bytes()

    before = drawn()
    with rc_context({"text.usetex": True, "figure.facecolor": "red", "lines.linewidth": 9}):
        assert drawn() == before
