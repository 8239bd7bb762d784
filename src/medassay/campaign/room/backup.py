"""Copy a room while it is served, and put a copy back: from either store into either."""

from typing import TYPE_CHECKING, Final

from medassay.campaign.room.clock import moment, now
from medassay.campaign.room.database import Database
from medassay.campaign.room.kept import facts_of
from medassay.campaign.room.migrations import migrate, version_of
from medassay.campaign.room.schema import tables
from medassay.campaign.room.sql import Sql, sql
from medassay.errors import InvalidInput, Problem

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["copy_room"]

_ROWS: Final = 1000


def copy_room(source: "str | Path", target: "str | Path") -> dict[str, int]:
    """Copy all that a room holds, as it is at one moment, into a database that holds none.

    Args:
        source: The room's database; raters may go on meanwhile.
        target: A new file, which is a room of its own and can be served, or an address.

    Returns:
        For each table how many rows were copied.

    Raises:
        InvalidInput: There is no room, or there is one already where the copy should be.
    """
    reads, writes = Database(source), Database(target)
    try:
        if not facts_of(reads):
            raise InvalidInput(Problem(str(reads), "hold a rating room", "none"))
        if facts_of(writes):
            hint = "Give another place: a copy never replaces a room."
            raise InvalidInput(Problem(str(writes), "hold no room yet", "one", hint))
        # A copy of an older room is made as that was, and then carried forward: the room itself,
        # which may be served by an older medassay, stays as it is.
        migrate(writes, version_of(reads) or "head")
        counts: dict[str, int] = {}

        def fill(connection: Sql) -> None:
            counts.clear()
            with reads.snapshot() as reading:
                there = sql().MetaData()
                there.reflect(reading, only=lambda name, _: name in tables().metadata.tables)
                for table in there.sorted_tables:
                    counts[table.name] = _copy(table, reading, connection)
            _go_on_counting(writes, connection)

        writes.write(fill)
        migrate(writes)
        if writes.is_file:
            writes.write(lambda c: c.execute(tables().events.insert(), _event(str(reads))))
        return counts
    finally:
        reads.close()
        writes.close()


def _event(source: str) -> dict[str, str]:
    return {"time": moment(now()), "who": "lead", "what": "copy", "old": source}


def _copy(table: Sql, reading: Sql, writing: Sql) -> int:
    rows_read, count = reading.execute(sql().select(table)), 0
    while rows := rows_read.mappings().fetchmany(_ROWS):
        writing.execute(table.insert(), [dict(row) for row in rows])
        count += len(rows)
    return count


def _go_on_counting(database: Database, connection: Sql) -> None:
    """Let PostgreSQL number new rows from behind the copied ones; SQLite does so by itself."""
    if database.is_file:
        return
    for table in tables().metadata.sorted_tables:
        if "id" in table.c:
            last = f"(SELECT COALESCE(MAX(id), 0) + 1 FROM {table.name})"  # noqa: S608 - our own names
            connection.exec_driver_sql(
                f"SELECT setval(pg_get_serial_sequence('{table.name}', 'id'), {last}, false)"
            )
