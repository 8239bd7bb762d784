"""Do words of the Makefile side by side: python -m tools.beside make WORD [WORD ...].

The first word is heard as it goes, each other in one piece when it has ended. All are done to their
end, whatever fails. The last lines say of each how it ended, how long it took, and what pytest
counted in it.
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

__all__ = ["main"]

_COUNTED: Final = re.compile(rb"^(?:=+ )?\d+ (?:passed|failed|error|skipped|deselected)\b[^\n]*$")
_TABLE: Final = b"    "
"""What a line of this table begins with: a word may itself end with one."""
_PIECE: Final = 4096


@dataclass(frozen=True)
class _Ended:
    word: str
    code: int
    seconds: float
    processor: float
    counted: tuple[bytes, ...]


def main(make: str, words: list[str]) -> int:
    """Do them, and give 1 where one of them failed."""
    said = sys.stdout.buffer
    ended: dict[str, _Ended] = {}

    def do(word: str, into: IO[bytes]) -> None:
        ended[word] = _done(make, word, into)

    with ExitStack() as open_files:
        quiet = {word: open_files.enter_context(tempfile.TemporaryFile()) for word in words[1:]}
        threads = [threading.Thread(target=do, args=(word, into)) for word, into in quiet.items()]
        for one in threads:
            one.start()
        do(words[0], said)
        for one, (word, into) in zip(threads, quiet.items(), strict=True):
            one.join()
            into.seek(0)
            said.write(b"\n--- %s\n" % word.encode() + into.read())
    said.write(b"\n--- how %s ended\n" % b", ".join(word.encode() for word in words))
    for word in words:
        said.write(_told(ended[word]))
    said.flush()
    return int(any(one.code for one in ended.values()))


def _done(make: str, word: str, into: IO[bytes]) -> _Ended:
    """Do one word, pass on what it says, and note what pytest counted."""
    begun = time.monotonic()
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
    took = time.monotonic() - begun
    return _Ended(word, process.returncode, took, used.ru_utime + used.ru_stime, tuple(counted))


def _told(one: _Ended) -> bytes:
    how = "done" if one.code == 0 else f"FAILED ({one.code})"
    head = f"{one.word}: {how} in {one.seconds:.0f} s ({one.processor:.0f} s of processor time)"
    return b"".join([head.encode() + b"\n", *(_TABLE + line + b"\n" for line in one.counted)])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
