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
from openpyxl import load_workbook
from tools.forked import medassay

from medassay.metrics import declarations
from medassay.models.install import INSTALL

README = Path(__file__).parents[2] / "README.md"
TEXT = README.read_text(encoding="utf-8")
MODELS = (README.parent / "docs" / "model-metrics.md").read_text(encoding="utf-8")
RATED = {"Accuracy": "4", "Completeness": "3", "Safety": "safe"}


def put_readers_files(folder: Path) -> None:
    """Write the files of the reader's own that the commands name."""
    book = README.parent / "examples" / "chatbots" / "wide.xlsx"
    (folder / "chatbots.xlsx").write_bytes(book.read_bytes())
    for name, gain in (("main", 0), ("branch", 1)):
        rows = (f"ours,{case},{(50 + case % 40 + gain * (case % 3)) / 100}\n" for case in range(90))
        (folder / f"{name}.csv").write_text(f"system,case,value\n{''.join(rows)}", "utf-8")


def send_back(folder: Path) -> None:
    """Fill in every sheet that was written, as raters would, and put it beside the study."""
    for sheet in folder.glob("*/campaigns/*/sheets/*.xlsx"):
        book = load_workbook(sheet)
        ratings = book["Ratings"]
        header = {cell.value: cell.column for cell in ratings[1]}
        for row in range(2, ratings.max_row + 1):
            if ratings.cell(row, header["Answer"]).value:
                for dimension, label in RATED.items():
                    ratings.cell(row, header[dimension]).value = label
        book.save(folder / sheet.name)


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


@pytest.mark.slow
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


@pytest.mark.slow
def test_the_commands_run_in_their_order(tmp_path: Path) -> None:
    put_readers_files(tmp_path)
    for command, output in commands():
        program, *words = shlex.split(command, comments=True)
        assert program == "medassay", f"the test knows only medassay, not {command!r}"
        done = medassay(*words, cwd=tmp_path)
        assert done.returncode == 0, f"{command}\n{done.stderr}"
        send_back(tmp_path)
        if output.strip():
            assert says(output, done.stdout), f"{command}\n{done.stdout}"


def test_every_metric_that_runs_on_a_model_is_told_of() -> None:
    section = MODELS
    by_rules = {"chain_completeness", "coherence", "danger_flag"}
    for declared in declarations():
        if declared.backend is not None:
            base, _, part = declared.name.rpartition("_")
            short = f"`_{part}`" if f"`{base}_f1`" in section else f"`{declared.name}`"
            assert f"`{declared.name}`" in section or short in section, declared.name
            assert (declared.name in by_rules) == (declared.name in section.split("| metrics |")[0])
    alone = {part for line in INSTALL.values() for part in line.split(", ") if "--no-deps" in part}
    assert {line for line in alone if line not in section} == set()


def test_the_first_screen_has_both_commands_the_install_line_and_a_picture() -> None:
    screen = "\n".join(TEXT.splitlines()[:16])
    assert all(line in screen for line in ("make demo", "make test", "pip install ."))
    [picture] = re.findall(r"!\[[^\]]+\]\(([^)]+)\)", screen)
    assert (README.parent / picture).is_file()


def test_it_is_short() -> None:
    blocks = fences(TEXT)
    typed = [
        line
        for block in blocks
        if block.language == "console"
        for line in block.content.splitlines()
    ]
    assert len([line for line in typed if "compare" not in line]) <= 10 + 6
    assert len(TEXT.split()) < 900


def test_links_lead_somewhere() -> None:
    targets = re.findall(r"\]\(([^)#\s]+)[^)]*\)", TEXT)
    local = [target for target in targets if "://" not in target]
    assert local
    assert [target for target in local if not (README.parent / target).exists()] == []


def test_differences_would_be_seen() -> None:
    assert says("Report: .../report.html\n", "Report: ankles/results/1f/report.html\n")
    assert not says("4 cases\n", "5 cases\n")
