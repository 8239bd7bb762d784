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
    row = {
        "time": moment(clock()), "who": who, "what": what, "old": old, "new": new, "why": why,
    }  # fmt: skip
    connection.execute(tables().events.insert(), row)


def log_look(database: Database, clock: Clock, who: str, what: str, new: str = "") -> None:
    """Write that somebody looked. On a full disk the look goes on, and is written once it fits."""
    row = {"time": moment(clock()), "who": who, "what": what, "old": "", "new": new, "why": ""}
    rows, database.unwritten = [*database.unwritten, row], []
    try:
        database.write(lambda c: c.execute(tables().events.insert(), rows))
    except UnusableRoom as error:
        database.unwritten = [*rows, *database.unwritten]
        if not error.full:
            raise
