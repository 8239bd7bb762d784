"""The Makefile: of words done at once none is lost, and processes find compiled what they read."""

import ast
import re
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
import tools.beside

ROOT = Path(__file__).parents[2]
TESTS = sorted((ROOT / "tests").rglob("test_*.py"))
APART = {"site", "torch", "gpu", "llm", "ray", "urls", "umls", "web"}
TOGETHER = re.compile(r"together: \d+ s of processor time, \d+ s of clock\.")
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
    assert [line.partition(" in ")[0] for line in lines[:-1]] == [
        "first: done", "    5 passed, 1 skipped", "second: done",
    ]  # fmt: skip
    assert TOGETHER.fullmatch(lines[-1])


def test_words_of_a_lane_are_done_one_after_another_and_each_is_timed(tmp_path: Path) -> None:
    code, heard = beside(tmp_path, "first+fails+second", "around")
    assert code == 1
    lane, _, rest = heard.partition("\n--- around\n")
    assert [line for line in lane.splitlines() if line.startswith(("---", "begin"))] == [
        "--- first", "begin of first", "--- fails", "--- second", "begin of second",
    ]  # fmt: skip
    ended = rest.partition("\n--- how first, fails, second, around ended\n")[2].splitlines()
    parts = [line.partition(" in ")[0] for line in ended if not line.startswith("    ")]
    assert parts[:-1] == ["first: done", "fails: FAILED (2)", "second: done", "around: done"]
    assert TOGETHER.fullmatch(parts[-1])


def test_the_last_line_asks_for_a_quicker_loop_above_45_minutes(
    monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes], tmp_path: Path
) -> None:
    (tmp_path / "Makefile").write_text("nothing:\n\t@true\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    for most, asked in ((2700, False), (-1, True)):
        monkeypatch.setattr(tools.beside, "_MOST", most)
        assert tools.beside.main(shutil.which("make") or "make", ["nothing"]) == 0
        last = capfdbinary.readouterr().out.splitlines()[-1]
        assert (b"CONTRIBUTING" in last) == asked


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
    for words in ("quick style\n", "quick+style+slow environments+"):
        assert f"$(BESIDE) {words}" in makefile


def test_every_word_that_tests_apart_is_part_of_make_test() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    (words,) = (line.split()[1:] for line in makefile.splitlines() if "$(BESIDE) quick+" in line)
    done = {word.replace("-if-possible", "") for lane in words for word in lane.split("+")}
    apart = set(re.findall(r"^test-(\w+):", makefile, re.MULTILINE)) - {"core"}
    assert {f"test-{name}" for name in apart} == {
        word if word.startswith("test-") else f"test-{word}"
        for word in done - {"quick", "style", "slow", "environments"}
    }


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


@cache
def marks_in(path: Path) -> frozenset[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return frozenset(
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and ast.unparse(node.value) == "pytest.mark"
    )


@pytest.mark.skipif(shutil.which("make") is None, reason="no make on this machine")
@pytest.mark.parametrize(
    ("word", "marks"), [("slow", {"slow", "latex"}), ("slow", {"browser"}), ("test-web", {"web"})]
)
def test_no_file_with_a_mark_is_left_out_of_its_word(word: str, marks: set[str]) -> None:
    done = subprocess.run(  # noqa: S603 - our own Makefile
        [str(shutil.which("make")), "-n", word],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    lines = [line for line in done.stdout.splitlines() if re.search(f"-m .?.?{min(marks)}", line)]
    given = {name for line in lines for name in re.findall(r"tests/[\w/]+\.py", line)}
    files = {path.relative_to(ROOT).as_posix(): marks_in(path) for path in TESTS}
    apart = set() if "web" in marks else APART
    assert len(given) > 3
    assert given == {name for name, own in files.items() if own & marks and not own & apart}
