"""The README cannot lie: its Python, its commands and its links are tried."""

import re
import shlex
import subprocess
import sys
from doctest import ELLIPSIS, NORMALIZE_WHITESPACE, OutputChecker
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import pytest
from tools.forked import medassay

from medassay.metrics import declarations
from medassay.models.install import INSTALL

README = Path(__file__).parents[2] / "README.md"
TEXT = README.read_text(encoding="utf-8")
# Files of the reader's own that the commands name.
READERS_FILES = {
    "my_scores.csv": "system,case,value\n"
    + "".join(f"system-{s},{c},0.5\n" for s in "ab" for c in ("sprain", "antibiotics"))
}


class Fence(NamedTuple):
    """A fenced block: its language, its lines, and where it begins."""

    language: str
    content: str
    line: int


def fences(text: str) -> list[Fence]:
    found = re.finditer(r"^```(\w*)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    return [Fence(one[1], one[2], text[: one.start()].count("\n") + 1) for one in found]


def programs() -> list[tuple[Fence, str | None]]:
    """Pair each block of Python with what the block after it says it prints, if that is one."""
    blocks = [*fences(TEXT), Fence("", "", 0)]
    return [
        (block, after.content if after.language == "text" else None)
        for block, after in pairwise(blocks)
        if block.language == "python"
    ]


def commands() -> list[tuple[str, str]]:
    """Give each command of the console blocks with the lines shown below it."""
    shown: list[tuple[str, str]] = []
    for block in fences(TEXT):
        if block.language == "console":
            for part in re.split(r"^\$ ", block.content, flags=re.MULTILINE)[1:]:
                command, _, output = part.partition("\n")
                shown.append((command, output))
    return shown


def says(wanted: str, got: str) -> bool:
    """Compare as doctest does: `...` stands for whatever differs from run to run."""
    return OutputChecker().check_output(wanted, got, ELLIPSIS | NORMALIZE_WHITESPACE)


def test_there_is_something_to_try() -> None:
    assert [printed for _, printed in programs() if printed]
    assert commands()


@pytest.mark.parametrize(
    ("block", "printed"), programs(), ids=[f"line {block.line}" for block, _ in programs()]
)
def test_python_runs_and_prints_what_it_says(
    tmp_path: Path, block: Fence, printed: str | None
) -> None:
    done = subprocess.run(  # noqa: S603 - our own interpreter and README
        [sys.executable, "-W", "error", "-c", block.content],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    if printed is not None:
        assert done.stdout == printed


def test_the_commands_run_in_their_order(tmp_path: Path) -> None:
    for name, content in READERS_FILES.items():
        (tmp_path / name).write_text(content, encoding="utf-8")
    for command, output in commands():
        program, *words = shlex.split(command, comments=True)
        assert program == "medassay", f"the test knows only medassay, not {command!r}"
        done = medassay(*words, cwd=tmp_path)
        assert done.returncode == 0, f"{command}\n{done.stderr}"
        if output.strip():
            assert says(output, done.stdout), f"{command}\n{done.stdout}"


def test_every_metric_that_runs_on_a_model_is_told_of() -> None:
    section = TEXT.split("## Metrics that run on a model")[1].split("\n## ")[0]
    by_rules = {"chain_completeness", "coherence", "danger_flag"}
    for declared in declarations():
        if declared.backend is not None:
            base, _, part = declared.name.rpartition("_")
            short = f"`_{part}`" if f"`{base}_f1`" in section else f"`{declared.name}`"
            assert f"`{declared.name}`" in section or short in section, declared.name
            assert (declared.name in by_rules) == (declared.name in section.split("| metrics |")[0])
    alone = {part for line in INSTALL.values() for part in line.split(", ") if "--no-deps" in part}
    assert {line for line in alone if line not in section} == set()


@pytest.mark.slow
def test_the_demo_finds_what_it_says(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "medassay", "demo", "demo"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
    )
    found = re.findall(r"^\d\. .*", done.stdout, re.MULTILINE)
    assert found
    assert re.findall(r"^> (\d\. .*)", TEXT, re.MULTILINE) == found


def test_links_lead_somewhere() -> None:
    targets = re.findall(r"\]\(([^)#\s]+)[^)]*\)", TEXT)
    local = [target for target in targets if "://" not in target]
    assert local
    assert [target for target in local if not (README.parent / target).exists()] == []


def test_differences_would_be_seen() -> None:
    assert says("Report: .../report.html\n", "Report: ankles/results/1f/report.html\n")
    assert not says("4 cases\n", "5 cases\n")
