"""The command line started as a copy of a process that has read its libraries already.

Pages are followed by some two hundred commands, and each would spend a second on reading the same
libraries. One process reads them once; each command is a copy of it, in its own folder, with its
own words, environment and streams, and runs `python -m medassay`, or a piece of Python that a page
shows, from its first line. Only Linux
copies a process safely: elsewhere a command is a process of its own.
"""

import atexit
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import Final

UNDRAWN: Final = "MEDASSAY_UNDRAWN"
"""In the environment of a command: nobody looks at its figures."""
_ROOT: Final = Path(__file__).parents[1]
# -S and -E: what only passes words on needs no packages, and heeds no settings.
_CLIENT: Final = """\
import json, os, socket, sys
told = json.dumps([sys.argv[2:], os.getcwd(), dict(os.environ)]).encode()
with socket.socket(socket.AF_UNIX) as line:
    line.connect(sys.argv[1])
    socket.send_fds(line, [b"%08d" % len(told)], [0, 1, 2])
    line.sendall(told)
    sys.exit(int(line.recv(16) or b"70"))
"""


def write_program(path: Path) -> None:
    """Write a program that runs the command line, as `medassay` in a PATH does."""
    path.write_text(f'#!/bin/sh\nexec {shlex.join(_words())} "$@"\n', encoding="utf-8")
    path.chmod(0o755)


def python_words(code: str) -> list[str]:
    """Give the words that run a piece of Python as `python -c` does."""
    return [*_words(), "-c", code] if _copies() else [sys.executable, "-c", code]


def medassay(*words: str | Path, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run the command line in a folder, and give what it printed."""
    return subprocess.run(  # noqa: S603 - our own command line
        [*_words(), *map(str, words)],
        cwd=cwd,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )


@cache
def _words() -> tuple[str, ...]:
    """Give the words that start the command line, and the process that it is a copy of."""
    if not _copies():
        return sys.executable, "-m", "medassay"
    folder = Path(tempfile.mkdtemp(prefix="medassay-"))
    client, place = folder / "client.py", folder / "socket"
    client.write_text(_CLIENT, encoding="utf-8")
    paths = [str(_ROOT), str(_ROOT / "src"), os.environ.get("PYTHONPATH", "")]
    process = subprocess.Popen(  # noqa: S603 - our own program
        [sys.executable, "-m", "tools.copied", str(place)],
        stdin=subprocess.PIPE,  # it ends where this is closed, however we end
        stdout=subprocess.PIPE,
        env=os.environ
        | {"PYTHONPATH": os.pathsep.join(filter(None, paths))}
        | {"PYTHONUTF8": "1", "PYTHONWARNINGS": "error"},
    )
    atexit.register(_end, process, folder)
    if process.stdout is None or process.stdout.readline() != b"ready\n":
        message = "the process that commands are copied from has not started"
        raise RuntimeError(message)
    return sys.executable, "-SE", str(client), str(place)


def _copies() -> bool:
    return sys.platform == "linux"


def _end(process: "subprocess.Popen[bytes]", folder: Path) -> None:
    process.communicate()  # its input ends, and so does it
    shutil.rmtree(folder)
