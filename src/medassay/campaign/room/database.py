"""The database: opened as safely as it can be, read by many, written by one thread."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

from medassay.campaign.room.sql import Sql, sql
from medassay.campaign.room.together import Together
from medassay.errors import InvalidInput, Problem

if TYPE_CHECKING:
    from concurrent.futures import Future

__all__ = ["Database", "url_of"]

_P = TypeVar("_P")
_T = TypeVar("_T")
_WAIT_MS: Final = 30_000
_READERS: Final = 40
"""As many as the server has threads that read. A connection that is opened for one read and closed
again costs more than the read."""


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
        self._writer = Together("writer", self._transaction)
        self._reader = Together("reader", self.reading)

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
        return self._writer.submit(do, given)

    def look_up(self, do: Callable[[Sql, list[_P]], Sequence[_T]], given: _P) -> "Future[_T]":
        """Read something that many look up at once, in one query for all.

        Args:
            do: Is given the connection and all that was asked, and gives an answer for each.
            given: What is asked.
        """
        return self._reader.submit(do, given)

    def close(self) -> None:
        """Write what still waits, and let go of the database."""
        self._writer.close()
        self._reader.close()
        self.engine.dispose()

    @contextmanager
    def _transaction(self) -> Iterator[Sql]:
        with self.engine.connect().execution_options(writes=True) as connection, connection.begin():
            yield connection


def _engine(url: str) -> Sql:
    s = sql()
    if not url.startswith("sqlite"):
        return s.create_engine(url, pool_pre_ping=True, pool_size=_READERS)
    unbound = {"check_same_thread": False}
    engine = s.create_engine(url, connect_args=unbound, pool_size=_READERS)

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
