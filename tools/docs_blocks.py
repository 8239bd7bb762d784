"""The blocks of a page that a reader would type, typed: what they say beside what is printed.

A page is followed from top to bottom in an empty folder that holds only `examples`, as the
repository does:

- ```` ```console ```` holds commands after `$ `, each followed by what it prints;
- ```` ```python ```` is run by itself; a ```` ```text ```` block right below is what it prints;
- any block with `title="NAME"` is a file that the reader writes.

Where a page names no figure, none is drawn.

`...` stands for what is left out or differs from run to run. A block that cannot run here has
`<!-- not run: the reason -->` above it; a page that takes long says `<!-- slow: the reason -->`.
"""

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from doctest import ELLIPSIS, OutputChecker
from pathlib import Path
from typing import Final

from tools.forked import UNDRAWN, python_words, write_program

_ROOT: Final = Path(__file__).parents[1]
_FENCE: Final = re.compile(
    r"(?:^<!-- not run: (?P<why>[^\n]+?) -->\n+)?"
    r"^(?P<ticks>`{3,})(?P<language>[\w-]*)(?P<rest>[^`\n]*)\n(?P<content>.*?)^(?P=ticks)$",
    re.MULTILINE | re.DOTALL,
)
COMMAND: Final = re.compile(
    r"^\$ (?P<command>[^\n]+)\n(?P<output>.*?)(?=^\$ |\Z)", re.MULTILINE | re.DOTALL
)
_FIGURES: Final = re.compile(r"figure|\.svg|\.pdf|\.png|docx|latex", re.IGNORECASE)
_WIDTH: Final = 80


@dataclass(frozen=True)
class Block:
    """A fenced block of a page, and where its content lies in the page's text."""

    language: str
    title: str
    content: str
    start: int
    not_run: str


@dataclass(frozen=True)
class Shown:
    """What a page shows as printed, where, what was printed, and how the program ended."""

    command: str
    wanted: str | None
    """Nothing where the page shows no output of a block of Python."""
    start: int
    got: str
    code: int


def blocks(text: str) -> list[Block]:
    """List the fenced blocks of a page in their order."""
    return [
        Block(
            one["language"],
            named[1] if (named := re.search(r'title="([^"]+)"', one["rest"])) else "",
            one["content"],
            one.start("content"),
            one["why"] or "",
        )
        for one in _FENCE.finditer(text)
    ]


def is_slow(text: str) -> bool:
    """Say whether a page says of itself that it takes long."""
    return re.search(r"^<!-- slow: .+ -->$", text, re.MULTILINE) is not None


def says(wanted: str, got: str) -> bool:
    """Compare line by line; `...` stands for anything, and blanks at the ends of lines are none."""
    return OutputChecker().check_output(_lines(wanted), _lines(got), ELLIPSIS)


def follow(text: str, folder: Path) -> Iterator[Shown]:
    """Do what a page says, and give each output that it shows beside the one that came."""
    (folder / "examples").symlink_to(_ROOT / "examples", target_is_directory=True)
    environment = _environment(folder.parent / f"{folder.name}-bin")
    if _FIGURES.search(text) is None:
        environment[UNDRAWN] = "1"
    found = blocks(text)
    # Not strict: a page may have no block at all.
    for block, after in zip(found, [*found[1:], None], strict=False):
        if block.not_run:
            continue
        if block.title:
            place = folder / block.title
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(block.content, encoding="utf-8")
        elif block.language == "python":
            code, got = _run(python_words(block.content), folder, environment)
            shows = after is not None and after.language == "text" and _touch(text, block, after)
            wanted = after.content if after is not None and shows else None
            yield Shown("python", wanted, after.start if after and shows else -1, got, code)
        elif block.language == "console":
            for one in COMMAND.finditer(block.content):
                code, got = _run(["bash", "-c", one["command"]], folder, environment)
                start = block.start + one.start("output")
                yield Shown(one["command"], one["output"], start, got, code)


def _touch(text: str, block: Block, after: Block) -> bool:
    between = text[block.start + len(block.content) : after.start]
    return re.fullmatch(r"`+\n\s*`+text\n", between) is not None


def _lines(text: str) -> str:
    return "".join(f"{line.rstrip()}\n" for line in text.rstrip().splitlines())


def _run(words: list[str], folder: Path, environment: dict[str, str]) -> tuple[int, str]:
    done = subprocess.run(  # noqa: S603 - commands of our own pages
        words,
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        check=False,
    )
    return done.returncode, done.stdout


def _environment(programs: Path) -> dict[str, str]:
    """Give a terminal of one width in which `medassay` and `python` are those under test."""
    programs.mkdir(exist_ok=True)
    write_program(programs / "medassay")
    python = programs / "python"
    python.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} "$@"\n', encoding="utf-8")
    python.chmod(0o755)
    source = os.pathsep.join(filter(None, [str(_ROOT / "src"), os.environ.get("PYTHONPATH")]))
    return os.environ | {
        "PATH": os.pathsep.join([str(programs), os.environ["PATH"]]),
        "PYTHONPATH": source,
        "PYTHONWARNINGS": "error",
        "PYTHONUTF8": "1",
        "COLUMNS": str(_WIDTH),
        "NO_COLOR": "1",
    }
