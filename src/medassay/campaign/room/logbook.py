"""Lines of the audit trail: who, when, what, old, new, why."""

from medassay.campaign.room.clock import Clock, moment
from medassay.campaign.room.schema import tables
from medassay.campaign.room.sql import Sql

__all__ = ["log"]


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
