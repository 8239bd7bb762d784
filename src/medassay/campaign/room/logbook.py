"""Lines of the audit trail: who, when, what, old, new, why; and moments as the room has them."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import TypeAlias

from medassay.campaign.room.database import Database, UnusableRoom
from medassay.campaign.room.schema import tables
from medassay.campaign.room.sql import Sql

Clock: TypeAlias = Callable[[], datetime]


def now() -> datetime:
    """Give the time."""
    return datetime.now(UTC)


def moment(time: datetime) -> str:
    """Write a moment.

    Example:
        >>> moment(datetime(2026, 3, 1, 12, 0, 5, tzinfo=UTC))
        '2026-03-01T12:00:05.000000Z'
    """
    return time.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def after(time: datetime, *, days: float = 0, hours: float = 0) -> str:
    """Write the moment that is so much later."""
    return moment(time + timedelta(days=days, hours=hours))


def log(
    connection: Sql,
    clock: Clock,
    who: str,
    what: str,
    old: str = "",
    new: str = "",
    why: str = "",
) -> None:
    """Write a line of the audit trail."""
    connection.execute(tables().events.insert(), _line(clock, who, what, old, new, why))


def log_look(database: Database, clock: Clock, who: str, what: str, new: str = "") -> None:
    """Write that somebody looked. On a full disk the look goes on, and is written once it fits."""
    rows = [*database.unwritten, _line(clock, who, what, new=new)]
    database.unwritten = []
    try:
        database.write(lambda c: c.execute(tables().events.insert(), rows))
    except UnusableRoom as error:
        database.unwritten = [*rows, *database.unwritten]
        if not error.full:
            raise


def _line(
    clock: Clock, who: str, what: str, old: str = "", new: str = "", why: str = ""
) -> dict[str, str]:
    time = moment(clock())
    return {"time": time, "who": who, "what": what, "old": old, "new": new, "why": why}
