"""A rater is called otherwise in a room: in all its tables, its frozen design and its trail."""

import json

from medassay.campaign.room.schema import tables
from medassay.campaign.room.sql import Sql, sql
from medassay.text import called_otherwise

__all__ = ["rename_in_room"]


def rename_in_room(connection: Sql, name: str, code: str) -> None:
    """Call a rater otherwise; what a rater or a reviewer wrote in words of their own stays.

    The hash of the design holds: it is of the plan, and not of what people are called.

    Args:
        connection: A connection that writes.
        name: What the rater was called.
        code: What the rater is called from now on.
    """
    t, s = tables(), sql()
    person = connection.execute(s.select(t.people).where(t.people.c.rater == name)).mappings().one()
    connection.execute(t.people.insert(), {**person, "rater": code})
    for table in t.metadata.sorted_tables:
        if "rater" in table.c and table is not t.people:
            connection.execute(table.update().where(table.c.rater == name).values(rater=code))
    connection.execute(t.people.delete().where(t.people.c.rater == name))
    design = t.facts.c.name == "design"
    frozen = json.loads(connection.execute(s.select(t.facts.c.value).where(design)).scalar_one())
    raters = frozen["settings"]["raters"]
    frozen["settings"]["raters"] = [code if rater == name else rater for rater in raters]
    connection.execute(t.facts.update().where(design).values(value=json.dumps(frozen)))
    for row in connection.execute(s.select(t.events)).mappings().all():
        told = {
            column: called_otherwise(row[column], {name: code})
            for column in ("who", "what", "old", "new", "why")
        }
        if any(told[column] != row[column] for column in told):
            connection.execute(t.events.update().where(t.events.c.id == row["id"]).values(**told))
