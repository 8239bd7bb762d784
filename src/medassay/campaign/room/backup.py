"""Copy a room while it is served, and put a copy back: from either store into either."""

from pathlib import Path
from typing import Final

from medassay.campaign.plans import plan_in
from medassay.campaign.room.database import Database
from medassay.campaign.room.kept import facts_of
from medassay.campaign.room.logbook import log, now
from medassay.campaign.room.migrations import migrate, version_of
from medassay.campaign.room.open import mark_of, place_of_room
from medassay.campaign.room.schema import tables
from medassay.campaign.room.sql import Sql, sql
from medassay.errors import InvalidInput, Problem

_ROWS: Final = 1000


def copy_room(source: str | Path, target: str | Path, mark: str | None = None) -> dict[str, int]:
    """Copy all that a room holds, as it is at one moment, into a database that holds none.

    Args:
        source: The room's database; raters may go on meanwhile.
        target: A new file, which is a room of its own and can be served, or an address.
        mark: What tells the campaign whose room it must be; any if not given.

    Returns:
        For each table how many rows were copied.

    Raises:
        InvalidInput: There is no room, it is of another campaign, or there is one already where the
            copy should be.
    """
    reads, writes = Database(source), Database(target)
    try:
        facts = facts_of(reads)
        if not facts:
            hint = (
                "If one was here, put your last backup back: medassay campaign restore STUDY FILE"
            )
            raise InvalidInput(Problem(str(reads), "hold a rating room", "none", hint))
        if mark is not None and facts.get("campaign") != mark:
            must, hint = "be a copy of this campaign's room", "Look for the copy of this --name."
            raise InvalidInput(Problem(str(reads), must, "that of another campaign", hint))
        if facts_of(writes):
            hint = "A copy never replaces a room. Move the database that is there away first."
            raise InvalidInput(Problem(str(writes), "hold no room yet", "one", hint))
        writes.close()
        writes = Database(target, new=True)
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
            writes.write(lambda c: log(c, now, "lead", "copy", str(reads)))
        return counts
    finally:
        reads.close()
        writes.close()


def restore_room(study: Path, name: str, copy: Path) -> dict[str, int]:
    """Put a copy of a campaign's room back where its room is; give how many rows each table has.

    Args:
        study: The study's folder.
        name: The campaign.
        copy: What `copy_room` wrote.

    Raises:
        InvalidInput: There is no such campaign, the copy is another's, or a room is there.
    """
    where = place_of_room(study, name)
    return copy_room(copy.resolve(), where, mark_of(plan_in(study, name)))


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
