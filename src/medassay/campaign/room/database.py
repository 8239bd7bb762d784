"""The database: a file of the room's own, read by many, written by one thread, or unusable."""

import os
import sqlite3
import stat
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path
from queue import SimpleQueue
from typing import Final, Generic, Self, TypeVar

from medassay.campaign.plans import campaign_command
from medassay.campaign.room.sql import Sql, sql
from medassay.errors import InvalidInput, Problem
from medassay.judgements.campaign import FOLDER

_MARK: Final = 0x6D645F72
"""What SQLite calls an application id: `md_r`. `PRAGMA application_id` shows it."""
_MAGIC: Final = b"SQLite format 3\x00"
_MARK_AT: Final = 68
_HEADER: Final = 100
_NO_LINK: Final = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
_BESIDE: Final = ("", "-wal", "-shm", "-journal")
"""What SQLite opens with a database, by its name alone, and follows where it is a link."""


def _is_empty(path: Path) -> bool:
    """Say whether there is no file, or one of no bytes."""
    return not os.path.lexists(path) or path.lstat().st_size == 0


def _refuse_foreign(path: Path) -> None:
    """Refuse a file that no rating room made, before SQLite sees it.

    Raises:
        InvalidInput: It, or what SQLite keeps beside it, is a link or no file; or it is another
            program's database, or none.
    """
    for end in _BESIDE:
        beside = path.with_name(f"{path.name}{end}")
        if not os.path.lexists(beside):
            continue
        # A room writes ahead (-wal). A -journal names files that SQLite would remove.
        if end == "-journal" or not stat.S_ISREG(beside.lstat().st_mode):
            got = f'a link to "{beside.readlink()}"' if beside.is_symlink() else "something else"
            hint = "Move it away: the room reads and writes its own file alone."
            raise InvalidInput(Problem(str(beside), "be a file that the room made", got, hint))
    if _is_empty(path):
        return
    handle = os.open(path, os.O_RDONLY | _NO_LINK)
    try:
        header = os.read(handle, _HEADER)
    finally:
        os.close(handle)
    must = "be a rating room's file"
    if not header.startswith(_MAGIC):
        hint = (
            "If a room was here, its file is broken. Move it away, then put your last backup "
            f"back: {_restoring(path)}"
        )
        raise InvalidInput(Problem(str(path), must, "a file that holds no database", hint))
    if int.from_bytes(header[_MARK_AT : _MARK_AT + 4], "big") != _MARK:
        hint = "Move it away: nothing is written into it."
        raise InvalidInput(Problem(str(path), must, "another program's database", hint))


def _restoring(path: Path) -> str:
    """Give the command that puts a backup back, as it is typed."""
    study = path.parents[2] if path.parent.parent.name == FOLDER else Path("STUDY")
    name = path.parent.name if path.parent.parent.name == FOLDER else "main"
    return f"{campaign_command('restore', study, name)} FILE"


def _make_own(path: Path) -> None:
    """Make a room's file, for its owner alone; SQLite gives what is beside it the same rights.

    Raises:
        InvalidInput: It cannot be made, or the disk is full.
    """
    import sqlite3

    try:
        handle = os.open(path, os.O_RDWR | os.O_CREAT | _NO_LINK, 0o600)
        os.close(handle)
        connection = sqlite3.connect(path, isolation_level=None)
        try:
            # Before the room writes ahead: so the mark stands in the file itself.
            connection.execute(f"PRAGMA application_id={_MARK}")
        finally:
            connection.close()
    except (OSError, sqlite3.Error) as error:
        got = getattr(error, "strerror", None) or str(error)
        hint = "Give yourself the right to write there, or make room, then run again."
        raise InvalidInput(Problem(str(path), "be writable", got, hint)) from error


_MOST_AT_ONCE: Final = 256


_P = TypeVar("_P")
_T = TypeVar("_T")


class _Work(Generic[_P, _T]):
    def __init__(
        self, do: Callable[[Sql, list[_P]], Sequence[_T]], given: _P, *, lone: bool
    ) -> None:
        self.do, self.given, self.lone = do, given, lone
        self.done: Future[_T] = Future()


class Together:
    """One thread that does what waits for it, all of it over one connection.

    A hundred raters who press a key at once wait for one transaction and not for a hundred; and a
    hundred threads that take turns at one processor would wait for each other instead.

    Args:
        name: What the thread is called.
        opened: Opens a connection; what was done with it holds once it is closed.
        lone: Opens one for what writes with a single statement; the same if not given.
    """

    def __init__(
        self,
        name: str,
        opened: Callable[[], AbstractContextManager[Sql]],
        lone: Callable[[], AbstractContextManager[Sql]] | None = None,
    ) -> None:
        self._name, self._opened, self._lone = name, opened, lone or opened
        self._queue: SimpleQueue[_Work[Sql, Sql] | None] = SimpleQueue()
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()

    def submit(
        self, do: Callable[[Sql, list[_P]], Sequence[_T]], given: _P, *, lone: bool = False
    ) -> "Future[_T]":
        """Do something with all that waits for the same; the future is done when it holds.

        Args:
            do: Is given the connection and all that waits for it, in order, and gives a result for
                each. It may be called twice, where others' work beside it has failed.
            given: What it is to be done with.
            lone: Whether all of it is written by one statement.
        """
        work = _Work(do, given, lone=lone)
        with self._lock:
            if self._thread is None:
                # A queue of its own: one that is still ending would take what is for this one.
                self._queue = SimpleQueue()
                self._thread = threading.Thread(
                    target=self._run, args=(self._queue,), name=self._name, daemon=True
                )
                self._thread.start()
            self._queue.put(work)
        return work.done

    def close(self) -> None:
        """Do what still waits, and end the thread."""
        with self._lock:
            thread, self._thread = self._thread, None
            if thread is not None:
                self._queue.put(None)
        if thread is not None:
            thread.join()

    def _run(self, queue: "SimpleQueue[_Work[Sql, Sql] | None]") -> None:
        going = True
        while going:
            waiting = [queue.get()]
            while len(waiting) < _MOST_AT_ONCE and waiting[-1] and not queue.empty():
                waiting.append(queue.get())
            going = waiting[-1] is not None
            # Whoever gave up waiting before it began is not kept from asking again.
            works = [work for work in waiting if work and work.done.set_running_or_notify_cancel()]
            if works:
                self._do(works)

    def _do(self, works: "list[_Work[Sql, Sql]]") -> None:
        """Do all over one connection; where that fails, each over one of its own."""
        done: list[tuple[_Work[Sql, Sql], Sql]] = []
        kinds = dict.fromkeys(work.do for work in works)
        alone = len(kinds) == 1 and works[0].lone
        try:
            with (self._lone if alone else self._opened)() as connection:
                for do in kinds:
                    mine = [work for work in works if work.do == do]
                    results = do(connection, [work.given for work in mine])
                    done += zip(mine, results, strict=True)
        except Exception as error:  # noqa: BLE001 - whatever failed is told to whoever asked
            if len(works) == 1:
                works[0].done.set_exception(error)
                return
            for work in works:
                self._do([work])
            return
        for work, result in done:
            work.done.set_result(result)


_RESTORE: Final = "Keep a copy of the file and move it away, then put your last backup back: "
_HINTS: Final = (
    (("full", "No space left"), "Make room on the disk, then go on: what was saved is kept."),
    (("locked", "busy"), "Another program holds it: end that, then run again."),
    (("readonly", "unable to open", "permission denied"), "Give yourself the right to write it."),
    (("malformed", "not a database", "no such", "disk I/O"), _RESTORE),
)
_ELSEWHERE: Final = "Look whether the database runs and its address is right, then run again."


class UnusableRoom(InvalidInput):
    """The room's database is broken, full, locked or cannot be reached.

    Attributes:
        full: Whether the disk is full, so that what is there can still be read.
    """

    def __init__(self, problem: Problem, *, full: bool) -> None:
        super().__init__(problem)
        self.full = full


@contextmanager
def _told_of(name: str, *, is_file: bool) -> Iterator[None]:
    """Tell what a database refuses in the block, and leave the program's own mistakes as they are.

    Args:
        name: What messages call the database; it holds no password.
        is_file: Whether it is a file of SQLite.

    Raises:
        UnusableRoom: It cannot be used.
    """
    known = sql().exc
    ours = (known.IntegrityError, known.DataError, sqlite3.IntegrityError)
    try:
        yield
    except (known.DBAPIError, known.TimeoutError, sqlite3.Error) as error:
        if isinstance(error, ours):
            raise
        got = str(getattr(error, "orig", None) or error).strip().partition("\n")[0]
        hints = (hint for words, hint in _HINTS if any(word in got for word in words))
        hint = next(hints, _RESTORE) if is_file else _ELSEWHERE
        if hint is _RESTORE:
            hint += _restoring(Path(name))
        full = hint is _HINTS[0][1] or "No space left" in got
        must = "be a database that can be read and written"
        raise UnusableRoom(Problem(name, must, got, hint), full=full) from error


_WAIT_MS: Final = 30_000
_READERS: Final = 40
"""As many as the server has threads that read. A connection that is opened for one read and closed
again costs more than the read."""
_PAUSE: Final = 5.0
"""Seconds after which a server is asked whether it is still there, before anything else."""


def _each(connection: Sql, calls: list[Callable[[Sql], _T]]) -> list[_T]:
    return [call(connection) for call in calls]


class Database:
    """One database with one thread that writes.

    What waits to be written is written together, in one transaction, so that a hundred raters who
    press a key at once wait for one write to the disk and not for a hundred (group commit). Whoever
    asked is told only when the disk has it.

    Args:
        where: A file of SQLite, or an address of PostgreSQL.
        new: Make the file, where there is none.

    Raises:
        InvalidInput: The file is a link or no rating room's, or cannot be made.
    """

    def __init__(self, where: "str | Path", *, new: bool = False) -> None:
        self.is_file = isinstance(where, Path) or "://" not in where
        given = Path(where)
        self.path = given.parent.resolve() / given.name
        """The file of SQLite."""
        if self.is_file:
            _refuse_foreign(self.path)
            if new and _is_empty(self.path):
                _make_own(self.path)
        self.engine = _engine(self.path) if self.is_file else _server(str(where))
        self.unwritten: list[dict[str, str]] = []
        """Looks of the lead that a full disk did not take, written with the next."""
        # One statement holds whole or not at all: a server is told of no transaction around it.
        lone = None if self.is_file else self.reading
        self._writer = Together("writer", self._transaction, lone)
        self._reader = Together("reader", self.reading)

    def __str__(self) -> str:
        """Name it without a password."""
        if self.is_file:
            return str(self.path)
        return str(self.engine.url.render_as_string(hide_password=True))

    @property
    def is_there(self) -> bool:
        """Say whether there is a file with anything in it; of a server only asking tells."""
        return not (self.is_file and _is_empty(self.path))

    @contextmanager
    def reading(self) -> Iterator[Sql]:
        """Give a connection to read with; what one query gives is the state of one moment."""
        # A server is told of no transaction around a statement: that would be two messages more.
        options = {} if self.is_file else {"isolation_level": "AUTOCOMMIT"}
        with self._told(), self.engine.connect().execution_options(**options) as connection:
            yield connection

    @contextmanager
    def snapshot(self) -> Iterator[Sql]:
        """Give a connection that sees the database as it is at one moment, in all tables."""
        options = {} if self.is_file else {"isolation_level": "REPEATABLE READ"}
        with self._told(), self.engine.connect().execution_options(**options) as connection:
            yield connection

    def forget_deleted(self) -> None:
        """Let nothing of what was deleted lie on in the file, or in the log beside it."""
        if self.is_file:
            with self._told(), closing(self.engine.raw_connection()) as plain:
                for command in ("PRAGMA wal_checkpoint(TRUNCATE)", "VACUUM"):
                    plain.cursor().execute(command)

    def write(self, do: Callable[[Sql], _T]) -> _T:
        """Do something in a transaction, and return when the disk has it.

        Args:
            do: Is given the connection. It may be called twice, where others' work beside it has
                failed.
        """
        return self.submit(_each, do).result()

    def submit(
        self, do: Callable[[Sql, list[_P]], Sequence[_T]], given: _P, *, lone: bool = False
    ) -> "Future[_T]":
        """Do something in a transaction; the future is done when the disk has it.

        Args:
            do: Is given the connection and all that waits for it, in order, and gives a result for
                each. It may be called twice, where others' work beside it has failed.
            given: What it is to be done with.
            lone: Whether it reads, and then writes all of it by one statement at its end.
        """
        return self._writer.submit(do, given, lone=lone)

    def look_up(self, do: Callable[[Sql, list[_P]], Sequence[_T]], given: _P) -> "Future[_T]":
        """Read something that many look up at once, in one query for all.

        Args:
            do: Is given the connection and all that was asked, and gives an answer for each.
            given: What is asked.
        """
        return self._reader.submit(do, given)

    def __enter__(self) -> Self:
        """Use it in a `with` block, which closes it."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close it."""
        self.close()

    def close(self) -> None:
        """Write what still waits, and let go of the database."""
        self._writer.close()
        self._reader.close()
        self.engine.dispose()

    def _told(self) -> AbstractContextManager[None]:
        return _told_of(str(self), is_file=self.is_file)

    @contextmanager
    def _transaction(self) -> Iterator[Sql]:
        with (
            self._told(),
            self.engine.connect().execution_options(writes=True) as connection,
            connection.begin(),
        ):
            yield connection


def _server(address: str) -> Sql:
    s = sql()
    # The connection that was used last is taken first: it has its statements prepared.
    engine = s.create_engine(address, pool_size=_READERS, pool_use_lifo=True)

    def rests(_connection: Sql, record: Sql) -> None:
        record.info["rests"] = time.monotonic()

    def is_there(connection: Sql, record: Sql, _lent: Sql) -> None:
        # Asked each time, whether the server is still there would be a message before each query.
        now = time.monotonic()
        if now - record.info.get("rests", now) < _PAUSE:
            return
        try:
            engine.dialect.do_ping(connection)
        except engine.dialect.loaded_dbapi.Error as error:
            raise s.exc.InvalidatePoolError from error

    s.event.listen(engine, "checkin", rests)
    s.event.listen(engine, "checkout", is_there)
    return engine


def _engine(path: Path) -> Sql:
    s = sql()
    url = s.URL.create("sqlite", database=str(path))
    unbound = {"check_same_thread": False}
    engine = s.create_engine(url, connect_args=unbound, pool_size=_READERS)

    def safely(connection: Sql, _record: object) -> None:
        # SQLAlchemy says where a transaction begins, and not the driver.
        connection.isolation_level = None
        for pragma in (
            f"busy_timeout={_WAIT_MS}", "journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON",
            "secure_delete=ON", "trusted_schema=OFF",
        ):  # fmt: skip
            connection.execute(f"PRAGMA {pragma}")

    def begin(connection: Sql) -> None:
        # Who will write takes the lock at once: two who read first could both be refused later.
        writes = connection.get_execution_options().get("writes")
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    s.event.listen(engine, "connect", safely)
    s.event.listen(engine, "begin", begin)
    return engine
