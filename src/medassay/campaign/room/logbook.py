"""Lines of the audit trail: who, when, what, old, new, why."""

from medassay.campaign.room.clock import Clock, moment
from medassay.campaign.room.database import Database
from medassay.campaign.room.schema import tables
from medassay.campaign.room.sql import Sql
from medassay.campaign.room.unusable import UnusableRoom

__all__ = ["log", "log_look"]


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
