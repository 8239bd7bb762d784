"""What `make endure` says of the tests that it lets last, and that none is left out of its page."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "design" / "endurance.md"
MARKED = re.compile(r"^@pytest\.mark\.endure\n(?:[@ )].*\n)*def test_(\w+)", re.MULTILINE)
CONFTEST = """\
from tools.endurance import endurance, pytest_addoption, pytest_terminal_summary
"""
TESTS = """\
import pytest

@pytest.mark.endure
def test_all_come_back(endurance):
    count = endurance.size("kills", short=3, whole=2000)
    endurance.found(f"{count} came back")
    assert endurance.whole is (count == 2000)

@pytest.mark.endure
@pytest.mark.skipif(True, reason="nobody kills here")
def test_killed_elsewhere(endurance):
    pass
"""
FAILS = """
@pytest.mark.endure
def test_one_is_lost(endurance):
    endurance.size("kills", short=3, whole=10)
    endurance.found("9 came back")
    assert False
"""


def outcome_of(folder: Path, tests: str, *words: str) -> subprocess.CompletedProcess[str]:
    (folder / "conftest.py").write_text(CONFTEST, encoding="utf-8")
    (folder / "pytest.ini").write_text("[pytest]\nmarkers = endure: two sizes\n", encoding="utf-8")
    (folder / "test_it.py").write_text(tests, encoding="utf-8")
    return subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-n", "1", *words, str(folder)],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip


def rows(text: str) -> list[list[str]]:
    lines = [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("| ")]
    return [line[:-1] for line in lines[2:]]


@pytest.mark.slow
def test_the_whole_is_asked_for_and_its_table_is_printed_and_written(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    done = outcome_of(tmp_path, TESTS, "--endure", "--endure-page", str(page))
    assert done.returncode == 0, done.stdout
    expected = [
        ["all come back", "2,000 kills", "2000 came back"],
        ["killed elsewhere", "", "SKIPPED Skipped: nobody kills here"],
    ]
    assert rows(done.stdout) == expected
    written = page.read_text(encoding="utf-8")
    assert rows(written) == expected
    assert re.search(r"found it on \d{4}-\d\d-\d\d at commit `[0-9a-f]{12}`", written)


@pytest.mark.slow
def test_what_another_environment_found_stands_in_the_table_too(tmp_path: Path) -> None:
    rows_kept, page = tmp_path / "rows.json", tmp_path / "page.md"
    (tmp_path / "apart").mkdir()
    apart = TESTS.replace("all_come_back", "all_come_back_elsewhere")
    words = ("--endure", "--endure-rows", str(rows_kept))
    assert outcome_of(tmp_path / "apart", apart, *words).returncode == 0
    (tmp_path / "here").mkdir()
    done = outcome_of(tmp_path / "here", TESTS, *words, "--endure-page", str(page))
    assert done.returncode == 0, done.stdout
    named = [row[0] for row in rows(page.read_text(encoding="utf-8"))]
    assert {"all come back", "all come back elsewhere"} <= set(named)


@pytest.mark.slow
def test_one_that_fails_stands_in_the_table_and_no_page_is_written(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    done = outcome_of(tmp_path, TESTS + FAILS, "--endure", "--endure-page", str(page))
    assert done.returncode == 1
    assert ["one is lost", "10 kills", "FAILED 9 came back"] in rows(done.stdout)
    assert not page.exists()


@pytest.mark.slow
def test_without_being_asked_it_is_short_and_prints_no_table(tmp_path: Path) -> None:
    done = outcome_of(tmp_path, TESTS)
    assert done.returncode == 0, done.stdout
    assert rows(done.stdout) == []


@pytest.mark.slow
def test_what_has_two_sizes_is_marked(tmp_path: Path) -> None:
    unmarked = "def test_it(endurance):\n    pass\n"
    done = outcome_of(tmp_path, unmarked)
    assert done.returncode == 1
    assert "What has two sizes is marked endure." in done.stdout


def test_the_page_has_a_row_for_each() -> None:
    marked = {
        name.replace("_", " ")
        for path in (ROOT / "tests").rglob("test_*.py")
        if path != Path(__file__)
        for name in MARKED.findall(path.read_text(encoding="utf-8"))
    }
    assert len(marked) > 8
    told = {row[0].partition("[")[0] for row in rows(PAGE.read_text(encoding="utf-8"))}
    assert told == marked, "make endure PAGE=design/endurance.md"


@pytest.mark.parametrize("word", ["FAILED", "SKIPPED", "ERROR"])
def test_the_page_holds_no_failure(word: str) -> None:
    assert word not in PAGE.read_text(encoding="utf-8")
