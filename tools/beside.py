"""Do lanes of the Makefile's words side by side: python -m tools.beside make LANE [LANE ...].

A lane is words joined by `+`, done one after another. The first lane is heard as it goes, each
other in one piece when it has ended. All words are done to their end, whatever fails. The last
lines say of each word how it ended, its clock, its processor time and what pytest counted; the
very last one says what all of them took.
"""

import os
import re
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import ExitStack
from dataclasses import dataclass
from typing import IO, Final

_COUNTED: Final = re.compile(rb"^(?:=+ )?\d+ (?:passed|failed|error|skipped|deselected)\b[^\n]*$")
_INDENT: Final = b"    "
"""What a line of this table begins with: a word may itself end with one."""
_PIECE: Final = 4096
_MOST: Final = 45 * 60
"""Seconds of clock above which CONTRIBUTING.md asks for a quicker loop first."""


@dataclass(frozen=True)
class _Ended:
    word: str
    code: int
    clock: float
    processor: float
    counted: tuple[bytes, ...]


def main(make: str, lanes: list[str]) -> int:
    """Do them, and give 1 where one of them failed."""
    heard = sys.stdout.buffer
    began = time.monotonic()
    words = [lane.split("+") for lane in lanes]
    ended: dict[str, _Ended] = {}

    def do(lane: list[str], into: IO[bytes]) -> None:
        for word in lane:
            if len(lane) > 1:
                into.write(b"--- %s\n" % word.encode())
                into.flush()
            ended[word] = _done(make, word, into)

    with ExitStack() as open_files:
        quiet = [open_files.enter_context(tempfile.TemporaryFile()) for _ in words[1:]]
        pairs = list(zip(words[1:], quiet, strict=True))
        threads = [threading.Thread(target=do, args=pair) for pair in pairs]
        for thread in threads:
            thread.start()
        do(words[0], heard)
        for thread, (lane, into) in zip(threads, pairs, strict=True):
            thread.join()
            into.seek(0)
            heard.write(b"\n" + (b"" if len(lane) > 1 else b"--- %s\n" % lane[0].encode()))
            heard.write(into.read())
    parts = [ended[word] for lane in words for word in lane]
    heard.write(b"\n--- how %s ended\n" % ", ".join(part.word for part in parts).encode())
    for part in parts:
        heard.write(_told(part))
    heard.write(_together(parts, time.monotonic() - began))
    heard.flush()
    return int(any(part.code for part in parts))


def _done(make: str, word: str, into: IO[bytes]) -> _Ended:
    """Do one word, pass on what it says, and note what pytest counted."""
    began = time.monotonic()
    process = subprocess.Popen(  # noqa: S603 - our own Makefile
        [make, "--no-print-directory", word],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    counted, rest = [], b""
    if process.stdout is not None:
        while piece := os.read(process.stdout.fileno(), _PIECE):
            into.write(piece)
            into.flush()
            *lines, rest = (rest + piece).split(b"\n")
            counted += [line for line in lines if _COUNTED.match(line)]
        process.stdout.close()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    took = time.monotonic() - began
    return _Ended(word, process.returncode, took, used.ru_utime + used.ru_stime, tuple(counted))


def _told(part: _Ended) -> bytes:
    how = "done" if part.code == 0 else f"FAILED ({part.code})"
    head = f"{part.word}: {how} in {part.clock:.0f} s ({part.processor:.0f} s of processor time)"
    return b"".join([head.encode() + b"\n", *(_INDENT + line + b"\n" for line in part.counted)])


def _together(parts: list[_Ended], clock: float) -> bytes:
    slow = " Above 45 minutes: a quicker loop comes first (CONTRIBUTING.md)." * (clock > _MOST)
    processor = sum(part.processor for part in parts)
    return (
        f"together: {processor:.0f} s of processor time, {clock:.0f} s of clock.{slow}\n".encode()
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
