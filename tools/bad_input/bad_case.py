"""One kind of bad input: how it is made, and what medassay says to it."""

import contextlib
import io
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final
from zlib import crc32

from medassay.__main__ import main
from medassay.study import Study

# Gives up the right of the superuser to read what nobody may read, then becomes medassay.
_WITHOUT_RIGHTS: Final = (
    "import ctypes, os, sys\n"
    "if sys.platform == 'linux':\n"
    "    [ctypes.CDLL(None).prctl(24, right, 0, 0, 0) for right in (1, 2)]\n"
    "os.execv(sys.executable, [sys.executable, '-m', 'medassay', *sys.argv[1:]])\n"
)
_SAID: Final = ("note: ", "refused: ", "misread: ", "costs: ")
PROCESS: Final = "4711"
"""What the page prints instead of the number of the process that held the study."""


@dataclass(frozen=True)
class BadCase:
    """One kind of bad input.

    Attributes:
        name: What is wrong.
        made: How the sound study is changed to make it.
        make: Changes the study, given the folder that it lies in.
        command: What is typed in that folder.
        code: The exit code: 2 where the input is refused, 0 where it is read all the same.
        around: What is so while the command runs.
        without_rights: Whether the command runs without the superuser's rights.
        same: Whether what is read is the sound study, word for word.
    """

    name: str
    made: str
    make: Callable[[Path], object]
    command: str = "medassay check study"
    code: int = 2
    around: Callable[[Path], AbstractContextManager[object]] = lambda _: nullcontext()
    without_rights: bool = False
    same: bool = True


def write_study(folder: Path) -> None:
    """Write a sound study of two cases and two systems into `folder/study`."""
    files = {
        "study.toml": 'schema = 1\ntitle = "Two questions"\nsynthetic = true\n',
        "cases.csv": "case,question,reference\n"
        "01,How long do I rest a sprained ankle?,Rest it for a day or two.\n"
        "02,Will antibiotics help my cold?,No: a virus causes it.\n",
        "answers/clinic.csv": "case,text,confidence\n"
        "01,Rest it for two days.,0.5\n02,No. A cold is caused by a virus.,0.9\n",
        "answers/robot.jsonl": '{"case": "01", "text": "Six weeks."}\n'
        '{"case": "02", "text": "Yes, naïvely put."}\n',
        "judgements.csv": "rater,system,case,dimension,label\n"
        "r1,clinic,01,quality,5\nr1,clinic,02,quality,4\n"
        "r1,robot,01,quality,1\nr1,robot,02,quality,2\n",
    }
    for name, text in files.items():
        path = folder / "study" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


@dataclass(frozen=True)
class Outcome:
    """What came of it.

    Attributes:
        code: The exit code.
        said: The messages or notes, one a line.
        untouched: Whether every file of the study is as it was, and no new one came.
        study: What was read of the study; None where it was refused, or is none to compare.
    """

    code: int
    said: str
    untouched: bool
    study: Study | None


@cache
def outcome_of(case: BadCase) -> Outcome:
    """Make the input and type the command, once."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_study(folder)
        case.make(folder)
        before = _files(folder)
        arguments = case.command.split()[1:]
        with contextlib.chdir(folder), case.around(folder):
            code, out, errors = (_apart if case.without_rights else _here)(arguments)
        study = Study.open_whole(folder / "study") if case.same and not code else None
        notes = [line for line in out.split("\n") if line.startswith(_SAID)]
        said = errors.strip() or "\n".join(notes)
        said = said.replace(f"process {os.getpid()}", f"process {PROCESS}")
        return Outcome(code, said, _files(folder) == before, study)


def _files(folder: Path) -> dict[str, int]:
    """Give a checksum of every file that may be read; the lock is none of the study's."""
    paths = (path for path in sorted(folder.rglob("*")) if path.is_file() and path.name != ".lock")
    return {
        str(path.relative_to(folder)): crc32(path.read_bytes() if os.access(path, os.R_OK) else b"")
        for path in paths
    }


def _here(arguments: list[str]) -> tuple[int, str, str]:
    out, errors, code = io.StringIO(), io.StringIO(), 0
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(errors):
        try:
            main(arguments)
        except SystemExit as stop:
            code = int(stop.code or 0)
    return code, out.getvalue(), errors.getvalue()


def _apart(arguments: list[str]) -> tuple[int, str, str]:
    done = subprocess.run(  # noqa: S603 - our own interpreter and our own arguments
        [sys.executable, "-c", _WITHOUT_RIGHTS, *arguments],
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr
