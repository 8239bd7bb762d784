"""The database: opened as safely as it can be, read by many, written by one thread."""

import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from queue import SimpleQueue
from typing import Final, Generic, TypeVar

from medassay.campaign.room.sql import Sql, sql
from medassay.errors import InvalidInput, Problem

__all__ = ["Database", "url_of"]

_P = TypeVar("_P")
_T = TypeVar("_T")
_MOST_AT_ONCE: Final = 256
_WAIT_MS: Final = 30_000


def url_of(where: "str | Path") -> str:
    """Give the address of a database: a file's for a path, and what it is for an address.

    Raises:
        InvalidInput: It is an address of a database that the room does not know.

    Example:
        >>> url_of("postgresql+psycopg://lead@db/room")
        'postgresql+psycopg://lead@db/room'
        >>> url_of(Path("/srv/room.db"))
        'sqlite:////srv/room.db'
    """
    text = str(where)
    if text.startswith("postgresql://"):
        text = text.replace("postgresql://", "postgresql+psycopg://", 1)
    if "://" not in text:
        return f"sqlite:///{Path(text).resolve()}"
    if not text.startswith(("sqlite:///", "postgresql+psycopg://")):
        must = "be a file, or an address such as postgresql+psycopg://USER@HOST/NAME"
        raise InvalidInput(Problem("--db", must, f'"{text.partition("://")[0]}://..."'))
    return text


class _Work(Generic[_P, _T]):
    def __init__(self, do: Callable[[Sql, list[_P]], Sequence[_T]], given: _P) -> None:
        self.do, self.given = do, given
        self.done: Future[_T] = Future()


def _each(connection: Sql, calls: list[Callable[[Sql], _T]]) -> list[_T]:
    return [call(connection) for call in calls]


class Database:
    """One database with one thread that writes.

    What waits to be written is written together, in one transaction, so that a hundred raters who
    press a key at once wait for one write to the disk and not for a hundred (group commit). Whoever
    asked is told only when the disk has it.

    Args:
        where: A file, or an address.
    """

    def __init__(self, where: "str | Path") -> None:
        self.url = url_of(where)
        self.engine = _engine(self.url)
        self._queue: SimpleQueue[_Work[Sql, Sql] | None] = SimpleQueue()
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()

    def __str__(self) -> str:
        """Name it without a password."""
        return str(self.engine.url.render_as_string(hide_password=True))

    @property
    def path(self) -> Path:
        """Give the file of SQLite."""
        return Path(self.url.removeprefix("sqlite:///"))

    @property
    def is_file(self) -> bool:
        """Say whether it is a file of SQLite."""
        return self.url.startswith("sqlite")

    @contextmanager
    def reading(self) -> Iterator[Sql]:
        """Give a connection to read with; it sees one state of the database throughout."""
        with self.engine.connect() as connection:
            yield connection

    @contextmanager
    def snapshot(self) -> Iterator[Sql]:
        """Give a connection that sees the database as it is at one moment, in all tables."""
        options = {} if self.is_file else {"isolation_level": "REPEATABLE READ"}
        with self.engine.connect().execution_options(**options) as connection:
            yield connection

    def forget_deleted(self) -> None:
        """Let nothing of what was deleted lie on in the file, or in the log beside it."""
        if self.is_file:
            plain = self.engine.raw_connection()
            try:
                for command in ("PRAGMA wal_checkpoint(TRUNCATE)", "VACUUM"):
                    plain.cursor().execute(command)
            finally:
                plain.close()

    def write(self, do: Callable[[Sql], _T]) -> _T:
        """Do something in a transaction, and return when the disk has it.

        Args:
            do: Is given the connection. It may be called twice, where others' work beside it has
                failed.
        """
        return self.submit(_each, do).result()

    def submit(self, do: Callable[[Sql, list[_P]], Sequence[_T]], given: _P) -> "Future[_T]":
        """Do something in a transaction; the future is done when the disk has it.

        Args:
            do: Is given the connection and all that waits for it, in order, and gives a result for
                each. It may be called twice, where others' work beside it has failed.
            given: What it is to be done with.
        """
        work = _Work(do, given)
        with self._lock:
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="writer", daemon=True)
                self._thread.start()
            self._queue.put(work)
        return work.done

    def close(self) -> None:
        """Write what still waits, and let go of the database."""
        with self._lock:
            thread, self._thread = self._thread, None
            if thread is not None:
                self._queue.put(None)
        if thread is not None:
            thread.join()
        self.engine.dispose()

    def _run(self) -> None:
        going = True
        while going:
            together = [self._queue.get()]
            while len(together) < _MOST_AT_ONCE and together[-1] and not self._queue.empty():
                together.append(self._queue.get())
            going = together[-1] is not None
            # Whoever gave up waiting before it began is not kept from asking again.
            works = [work for work in together if work and work.done.set_running_or_notify_cancel()]
            if works:
                self._write_together(works)

    def _write_together(self, works: "list[_Work[Sql, Sql]]") -> None:
        """Write all in one transaction; where that fails, each in one of its own."""
        done: list[tuple[_Work[Sql, Sql], Sql]] = []
        try:
            with self._transaction() as connection:
                for do in dict.fromkeys(work.do for work in works):
                    mine = [work for work in works if work.do == do]
                    results = do(connection, [work.given for work in mine])
                    done += zip(mine, results, strict=True)
        except Exception as error:  # noqa: BLE001 - whatever failed is told to whoever asked
            if len(works) == 1:
                works[0].done.set_exception(error)
                return
            for work in works:
                self._write_together([work])
            return
        for work, result in done:
            work.done.set_result(result)

    @contextmanager
    def _transaction(self) -> Iterator[Sql]:
        with self.engine.connect().execution_options(writes=True) as connection, connection.begin():
            yield connection


def _engine(url: str) -> Sql:
    s = sql()
    if not url.startswith("sqlite"):
        return s.create_engine(url, pool_pre_ping=True)
    engine = s.create_engine(url, connect_args={"check_same_thread": False})

    def safely(connection: Sql, _record: object) -> None:
        # SQLAlchemy says where a transaction begins, and not the driver.
        connection.isolation_level = None
        for pragma in (
            f"busy_timeout={_WAIT_MS}", "journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON",
            "secure_delete=ON",
        ):  # fmt: skip
            connection.execute(f"PRAGMA {pragma}")

    def begin(connection: Sql) -> None:
        # Who will write takes the lock at once: two who read first could both be refused later.
        writes = connection.get_execution_options().get("writes")
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    s.event.listen(engine, "connect", safely)
    s.event.listen(engine, "begin", begin)
    return engine
