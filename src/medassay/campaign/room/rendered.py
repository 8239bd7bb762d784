"""How a room shows answers, changed before anybody takes part."""

from pathlib import Path
from typing import Literal

from medassay.campaign.create import DESIGN, write_files
from medassay.campaign.options import OPTIONS
from medassay.campaign.room.clock import Clock
from medassay.campaign.room.database import Database
from medassay.campaign.room.kept import Kept
from medassay.campaign.room.logbook import log
from medassay.campaign.room.schema import tables
from medassay.campaign.room.sql import Sql, sql
from medassay.errors import InvalidInput, Problem
from medassay.judgements.campaign import FOLDER
from medassay.tables import json_bytes

__all__ = ["follow_render"]


def follow_render(
    study: Path,
    name: str,
    where: "str | Path",
    render: Literal["markdown", "plain"] | None,
    clock: Clock,
) -> None:
    """Show answers as `campaign.toml` says, where nobody has agreed to take part yet.

    Args:
        study: The study's folder.
        name: The campaign.
        where: Its database, which holds a room.
        render: What `campaign.toml` says; None: nothing, and all stays as it was frozen.
        clock: Tells the time.

    Raises:
        InvalidInput: Somebody takes part, or has rated: all labels of a study are about answers
            that were shown in one way.
    """
    with Database(where) as database:
        design = Kept(database).design
        if render is None or render == design.render:
            return
        options = design.options.model_copy(update={"render": render})
        new = design.model_copy(update={"render": render, "options": options})
        facts, columns = tables().facts, tables().facts.c

        def keep(connection: Sql) -> None:
            _refuse_begun(connection, name, design.render, render)
            record = {"hash": new.hash, "design": new.model_dump(mode="json")}
            # First: whoever is cut off here and opens the room again writes the same.
            write_files(study, name, {DESIGN: json_bytes(record)})
            told = {"design": new.model_dump_json(exclude_defaults=True), "hash": new.hash}
            for fact, value in told.items():
                row = facts.update().where(columns.name == fact).values(value=value)
                connection.execute(row)
            log(connection, clock, "lead", "change how answers are shown", design.render, render)

        database.write(keep)


def _refuse_begun(connection: Sql, name: str, frozen: str, render: str) -> None:
    t = tables()
    begun = any(
        connection.execute(sql().select(table).limit(1)).first() is not None
        for table in (t.consents, t.judgements)
    )
    if begun:
        file = f"{FOLDER}/{name}/{OPTIONS}"
        must = f'be "{frozen}", as raters of this campaign have been shown the answers'
        hint = f'Write render = "{frozen}", or make a new campaign with another --name.'
        raise InvalidInput(Problem(file, must, f'"{render}"', hint, None, "room.render"))
