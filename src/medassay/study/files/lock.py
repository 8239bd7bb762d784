"""One writer at a time in a study's folder, and no link in it that leads writing elsewhere."""

import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from medassay.errors import InvalidInput, Problem
from medassay.study.files.names import ANSWERS, CALLS, SCORES
from medassay.study.files.placed import FETCHED
from medassay.tables import is_there, remove_unfinished, staying_inside

RESULTS: Final = "results"
_WRITTEN: Final = (
    ANSWERS, CALLS, SCORES, "campaigns", "certificates", FETCHED, "original"
)  # fmt: skip
"""Folders beside results that commands write into."""


def refuse_links(folder: Path) -> None:
    """Refuse to write into a study of which a part leads elsewhere.

    Under `results` medassay alone writes: nothing there may be but files and folders. Elsewhere a
    file may be a link, as git-annex and DataLad keep large ones: it is read, and replaced whole
    when it is written. A folder may not, since what is written into it would land elsewhere.

    Raises:
        InvalidInput: Names the first such part, and how many more there are.
    """
    links = [*_in_results(folder / RESULTS), *_linked_folders(folder)]
    if links:
        path, got = links[0]
        more = f", and {len(links) - 1:,} more like it" if links[1:] else ""
        must = "be the study's own file or folder, since it is written to"
        hint = "Remove it; or copy the study with files in place of links (cp -rL)."
        raise InvalidInput(Problem(str(path), must, f"{got}{more}", hint))


def leads_elsewhere(path: Path | os.DirEntry[str]) -> bool:
    """Tell whether a path is a link, or what Windows calls a junction."""
    return path.is_symlink() or bool(getattr(path, "is_junction", bool)())


def _in_results(results: Path) -> Iterator[tuple[Path, str]]:
    if leads_elsewhere(results):
        yield results, _said(results)
        return
    odd = (entry for entry in _below(results) if leads_elsewhere(entry) or not _is_own(entry))
    for path in sorted(Path(entry.path) for entry in odd):
        if leads_elsewhere(path):
            yield path, _said(path)
        elif is_there(path):
            # What another shard wrote beside and has just renamed is there no more.
            yield path, "something that is no file, such as a pipe or a device"


def _is_own(entry: os.DirEntry[str]) -> bool:
    return entry.is_file(follow_symlinks=False) or entry.is_dir(follow_symlinks=False)


def _linked_folders(folder: Path) -> Iterator[tuple[Path, str]]:
    for name in _WRITTEN:
        outer = folder / name
        linked = [outer] if leads_elsewhere(outer) else []
        inner = () if linked else _below(outer)
        linked += sorted(Path(e.path) for e in inner if leads_elsewhere(e) and e.is_dir())
        for path in linked:
            yield path, _said(path)


def _below(folder: Path) -> Iterator[os.DirEntry[str]]:
    """Give everything in a folder and in the folders below it, links not followed."""
    waiting = [str(folder)]
    while waiting:
        try:
            with os.scandir(waiting.pop()) as inside:
                entries = list(inside)
        except OSError:
            continue
        yield from entries
        folders = (entry for entry in entries if entry.is_dir(follow_symlinks=False))
        waiting += [entry.path for entry in folders if not leads_elsewhere(entry)]


def _said(path: Path) -> str:
    return f'a link to "{path.readlink()}"'


LOCK: Final = ".lock"
"""The file in a study's `results` that its writer holds."""

# Neither follow a link nor wait at a pipe; Windows has neither word.
_AS_IT_LIES: Final = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)


@contextmanager
def only_writer(folder: Path, *, new: bool = False) -> Iterator[None]:
    """Hold the study while the block writes into it.

    The system drops the lock of a process that ends, however it ends: a run that was killed holds
    nobody up, and what it was writing when it died is removed. Whoever only reads needs no lock.

    A study may come from anybody: one of which a part leads elsewhere is refused before anything is
    written, and whatever the block writes under the study's name lands in it.

    Args:
        folder: The study's folder.
        new: The block may make the study. If it makes none, the folder is left as it was.

    Raises:
        InvalidInput: Another process holds the study, nothing can be written into it, or a part of
            it is a link to elsewhere.
    """
    with _holding(folder, alone=True, new=new):
        for inner in (folder, folder / "answers", folder / "scores"):
            remove_unfinished(inner)
        for inner in (folder / "results", folder / "campaigns"):
            remove_unfinished(inner, deep=True)
        with staying_inside(folder):
            yield


@contextmanager
def among_shards(folder: Path) -> Iterator[None]:
    """Hold the study beside other shards while the block keeps scores in it.

    Shards write files that nobody changes, so any number of them may be at work, on any number of
    machines that share the folder; whoever writes anything else waits until they have ended. Where
    the system knows no lock that several hold (Windows), one shard is at work at a time.

    Args:
        folder: The study's folder.

    Raises:
        InvalidInput: As for `only_writer`.
    """
    with _holding(folder, alone=False), staying_inside(folder):
        yield


@contextmanager
def only_user(folder: Path, *inner: str) -> Iterator[None]:
    """Hold a folder that is no study, such as a monitor's, while the block reads and writes it.

    As with a study, the lock of a process that dies is dropped, and what it was writing is removed.
    If the block makes no file there, the folder is left as it was.

    Args:
        folder: The folder; made if it is not there.
        inner: The folders in it that the block writes into.

    Raises:
        InvalidInput: Another process holds it, or nothing can be written into it.
    """
    path = folder / LOCK
    missing = _missing(folder)
    mine = False
    try:
        with _locked(path, folder, alone=True) as handle:
            mine = True
            for place in (folder, *(folder / name for name in inner)):
                remove_unfinished(place)
            try:
                yield
            finally:
                os.ftruncate(handle, 0)  # whose it was is nothing to keep
    finally:
        if mine and {file.name for file in folder.iterdir()} == {LOCK}:
            _leave_as_it_was(path, missing)


@contextmanager
def _holding(folder: Path, *, alone: bool, new: bool = False) -> Iterator[None]:
    path = folder / "results" / LOCK
    if not new and not is_there(folder / "study.toml"):
        must, hint = "be the folder of a study", f"Make one with: medassay new {folder}"
        raise InvalidInput(Problem(str(folder), must, "no study.toml in it", hint))
    refuse_links(folder)
    missing = _missing(path.parent)
    mine = False
    try:
        with _locked(path, folder, alone=alone):
            mine = True
            yield
    finally:
        if mine and not is_there(folder / "study.toml"):
            _leave_as_it_was(path, missing)


def _missing(folder: Path) -> list[Path]:
    return [inner for inner in (folder, *folder.parents) if not inner.exists()]


@contextmanager
def _locked(path: Path, folder: Path, *, alone: bool) -> Iterator[int]:
    """Hold a lock's file, and give its handle."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(path, os.O_RDWR | os.O_CREAT | _AS_IT_LIES, 0o666)
    except OSError as error:
        got = error.strerror or str(error)
        hint = "Give yourself the right to write there, or copy the study."
        raise InvalidInput(Problem(str(path.parent), "be writable", got, hint)) from error
    try:
        _refuse_shared(path, os.fstat(handle))
        if not _take(handle, alone=alone):
            raise InvalidInput(_held(folder, handle))
        os.ftruncate(handle, 0)
        os.lseek(handle, 0, os.SEEK_SET)
        os.write(handle, str(os.getpid()).encode())
        yield handle
    finally:
        os.close(handle)


def _refuse_shared(path: Path, status: os.stat_result) -> None:
    """Refuse a lock that is no file, or a second name of another file: its contents are replaced.

    Raises:
        InvalidInput: It is one.
    """
    if not stat.S_ISREG(status.st_mode) or status.st_nlink > 1:
        got = "a second name of another file" if status.st_nlink > 1 else "something that is none"
        raise InvalidInput(Problem(str(path), "be a file with one name", got, "Remove it."))


def _leave_as_it_was(path: Path, made: list[Path]) -> None:
    """Remove the lock of a study that was never made, and the folders made for it, if empty."""
    path.unlink(missing_ok=True)
    for folder in made:
        if any(folder.iterdir()):
            break
        folder.rmdir()


def _held(folder: Path, handle: int) -> Problem:
    os.lseek(handle, 0, os.SEEK_SET)
    holder = os.read(handle, 32).decode("ascii", "replace") or "unknown"
    must, hint = "be written by one command at a time", "Wait until it has ended, then run again."
    return Problem(str(folder), must, f"another that is at work, process {holder}", hint)


if sys.platform == "win32":

    def _take(handle: int, *, alone: bool) -> bool:
        import msvcrt

        del alone  # it knows no lock that several hold

        os.lseek(handle, 1024, os.SEEK_SET)  # beyond the number, which others must be able to read
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:

    def _take(handle: int, *, alone: bool) -> bool:
        import fcntl

        kind = fcntl.LOCK_EX if alone else fcntl.LOCK_SH
        try:
            fcntl.flock(handle, kind | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
