"""Every reply on disk the moment it comes: a file that only grows."""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Final, Self

from medassay.errors import InvalidInput, Problem
from medassay.models.endpoints.reply import Reply
from medassay.tables import json_fault, make_folder, text_bytes

__all__ = ["Journal"]

_AS_IT_LIES: Final = getattr(os, "O_NOFOLLOW", 0)


class Journal:
    """A file of JSON lines, one a reply: `key`, what it was about, and the reply.

    The last line of a key holds; one that failed does not hold, so that it is asked again. What a
    killed process left of its last line is dropped, and `torn` says so. Replies stay on disk: in
    memory are the places of their lines alone.

    Args:
        path: The file; it is made with the first reply.
        shown_as: What messages call it.

    Raises:
        InvalidInput: A line before the last is no reply.
    """

    def __init__(self, path: Path, shown_as: str) -> None:
        self._path, self._shown = path, shown_as
        self._places: dict[bytes, int] = {}
        self._failed: set[bytes] = set()
        self._file: IO[bytes] | None = None
        self._reading: IO[bytes] | None = None
        self._end = 0
        self.torn = False
        if path.exists():
            self._look_through()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __contains__(self, key: str) -> bool:
        """Say whether a reply is kept."""
        return bytes.fromhex(key) in self._places

    def __len__(self) -> int:
        """Count the replies that hold."""
        return len(self._places)

    @property
    def failed(self) -> int:
        """Count the questions whose last try failed."""
        return len(self._failed)

    def has_failed(self, key: str) -> bool:
        """Say whether the last try of a question failed."""
        return bytes.fromhex(key) in self._failed

    def get(self, key: str) -> Reply | None:
        """Read a reply as it is shown; None where there is none, or it failed."""
        place = self._places.get(bytes.fromhex(key))
        if place is None:
            return None
        if self._reading is None:
            self._reading = self._path.open("rb")
        self._reading.seek(place)
        return Reply.of_row(json.loads(self._reading.readline())).shown()

    def add(self, key: str, about: Mapping[str, object], reply: Reply) -> None:
        """Write a reply down as it was sent; it is in the hands of the system when this returns.

        Raises:
            InvalidInput: The file cannot be written.
        """
        row = {"key": key, **about, **reply.as_row()}
        line = json.dumps(row, ensure_ascii=False, allow_nan=False) + "\n"
        content = text_bytes(line)
        try:
            self._open().write(content)
        except OSError as error:
            got = error.strerror or str(error)
            hint = "What was answered is kept. Make room, then run again."
            raise InvalidInput(Problem(self._shown, "be writable", got, hint)) from error
        self._note(bytes.fromhex(key), failed=reply.ended == "failed")
        self._end += len(content)

    def close(self) -> None:
        """Flush to disk and let go of the file."""
        if self._file is not None:
            os.fsync(self._file.fileno())
            self._file.close()
        if self._reading is not None:
            self._reading.close()
        self._file = self._reading = None

    def _open(self) -> IO[bytes]:
        if self._file is None:
            make_folder(self._path.parent)
            flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | _AS_IT_LIES
            # Unbuffered: what was written survives whatever becomes of this process.
            self._file = os.fdopen(os.open(self._path, flags, 0o666), "ab", buffering=0)
            if self.torn:
                self._file.truncate(self._end)
                # What was read ahead may hold the torn line, where a whole one is written now.
                if self._reading is not None:
                    self._reading.close()
                self._reading = None
        return self._file

    def _note(self, key: bytes, *, failed: bool) -> None:
        if failed:
            self._failed.add(key)
        else:
            self._failed.discard(key)
            self._places[key] = self._end

    def _look_through(self) -> None:
        with self._path.open("rb") as file:
            for number, line in enumerate(file, 1):
                if not line.endswith(b"\n"):
                    self.torn = True
                    return
                try:
                    row = json.loads(line)
                    key, failed = bytes.fromhex(row["key"]), Reply.of_row(row).ended == "failed"
                except (ValueError, KeyError, TypeError, RecursionError) as error:
                    fault = json_fault(error) if isinstance(error, ValueError) else "another form"
                    hint = "Remove the line; its question is asked again."
                    must = "hold a reply a line, as medassay wrote it"
                    problem = Problem(self._shown, must, fault, hint, row=number)
                    raise InvalidInput(problem) from error
                self._note(key, failed=failed)
                self._end += len(line)
