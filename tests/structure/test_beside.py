"""The Makefile: of words done at once none is lost, and processes find compiled what they read."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MAKEFILE = """\
first:
\t@echo 'begin of first'; sleep 0.3; echo '5 passed, 1 skipped in 2.00s'
second:
\t@echo 'begin of second'; sleep 0.1; echo 'end of second'
fails:
\t@echo '1 failed, 4 passed in 1.00s'; false
around:
\t@{python} -m tools.beside make second first
"""


def beside(folder: Path, *words: str) -> tuple[int, str]:
    (folder / "Makefile").write_text(MAKEFILE.replace("{python}", sys.executable), encoding="utf-8")
    done = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-m", "tools.beside", shutil.which("make") or "make", *words],
        cwd=folder, env={"PATH": "/usr/bin:/bin", "PYTHONPATH": str(ROOT)},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    return done.returncode, done.stdout


def test_each_word_is_heard_in_one_piece_and_the_last_lines_say_what_pytest_counted(
    tmp_path: Path,
) -> None:
    code, said = beside(tmp_path, "first", "second")
    assert code == 0
    first, _, rest = said.partition("\n--- second\n")
    assert first.splitlines() == ["begin of first", "5 passed, 1 skipped in 2.00s"]
    second, _, ended = rest.partition("\n--- how first, second ended\n")
    assert second.splitlines() == ["begin of second", "end of second"]
    lines = ended.splitlines()
    assert [line.partition(" in ")[0] for line in lines] == [
        "first: done", "    5 passed, 1 skipped", "second: done",
    ]  # fmt: skip


@pytest.mark.parametrize("words", [("fails", "second"), ("second", "fails")])
def test_one_that_fails_fails_all_and_the_others_are_done_to_their_end(
    tmp_path: Path, words: tuple[str, ...]
) -> None:
    code, said = beside(tmp_path, *words)
    assert code == 1
    assert "end of second" in said
    ended = said.partition("ended\n")[2]
    assert "fails: FAILED" in ended
    assert "    1 failed, 4 passed in 1.00s\n" in ended
    assert "second: done" in ended


def test_what_was_counted_inside_a_word_is_said_once_more(tmp_path: Path) -> None:
    code, said = beside(tmp_path, "around", "second")
    assert code == 0
    ended = said.rpartition("ended\n")[2]
    assert "around: done" in ended
    assert ended.count("5 passed, 1 skipped") == 1


def test_both_words_of_the_makefile_go_through_it() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for words in ("quick style", "check-then-slow apart"):
        assert f"$(BESIDE) {words}\n" in makefile


@pytest.mark.skipif(shutil.which("make") is None, reason="no make on this machine")
def test_python_keeps_what_it_compiled_whatever_the_environment_says(tmp_path: Path) -> None:
    asks = f"""include {ROOT / "Makefile"}
ask:
\t@{sys.executable} -c 'import sys; print(sys.dont_write_bytecode)'
"""
    (tmp_path / "asks.mk").write_text(asks, encoding="utf-8")
    done = subprocess.run(  # noqa: S603 - our own Makefile
        [str(shutil.which("make")), "-s", "-f", "asks.mk", "ask"],
        cwd=tmp_path, env={"PATH": "/usr/bin:/bin", "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout == "False\n"
