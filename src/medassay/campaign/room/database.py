"""The database: opened as safely as it can be, read by many, written by one thread."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final, Self, TypeVar

from medassay.campaign.room.own_file import is_empty, make_own, refuse_foreign
from medassay.campaign.room.sql import Sql, sql
from medassay.campaign.room.together import Together
from medassay.campaign.room.unusable import told_of

if TYPE_CHECKING:
    from concurrent.futures import Future

__all__ = ["Database"]

_P = TypeVar("_P")
_T = TypeVar("_T")
_WAIT_MS: Final = 30_000
_READERS: Final = 40
"""As many as the server has threads that read. A connection that is opened for one read and closed
again costs more than the read."""


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
            refuse_foreign(self.path)
            if new and is_empty(self.path):
                make_own(self.path)
        self.engine = _engine(self.path) if self.is_file else _server(str(where))
        self.unwritten: list[dict[str, str]] = []
        """Looks of the lead that a full disk did not take, written with the next."""
        self._writer = Together("writer", self._transaction)
        self._reader = Together("reader", self.reading)

    def __str__(self) -> str:
        """Name it without a password."""
        if self.is_file:
            return str(self.path)
        return str(self.engine.url.render_as_string(hide_password=True))

    @property
    def is_there(self) -> bool:
        """Say whether there is a file with anything in it; of a server only asking tells."""
        return not (self.is_file and is_empty(self.path))

    @contextmanager
    def reading(self) -> Iterator[Sql]:
        """Give a connection to read with; it sees one state of the database throughout."""
        with self._told(), self.engine.connect() as connection:
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
        return told_of(str(self), is_file=self.is_file)

    @contextmanager
    def _transaction(self) -> Iterator[Sql]:
        with (
            self._told(),
            self.engine.connect().execution_options(writes=True) as connection,
            connection.begin(),
        ):
            yield connection


def _server(address: str) -> Sql:
    return sql().create_engine(address, pool_pre_ping=True, pool_size=_READERS)


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
