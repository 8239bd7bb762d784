"""Open a campaign's room: the first time its design is frozen and its database made."""

import os
from pathlib import Path
from typing import Final

from medassay.campaign.allowed import VARIABLE, allow_database, allowed_database
from medassay.campaign.create import DESIGN, write_files
from medassay.campaign.options import read_options
from medassay.campaign.plans import campaign_command, plan_named, refuse_changed
from medassay.campaign.reassign import reassigned_lines
from medassay.campaign.room.clock import Clock, now
from medassay.campaign.room.create import create_room, mark_of
from medassay.campaign.room.database import Database
from medassay.campaign.room.following import follow_plan
from medassay.campaign.room.kept import facts_of
from medassay.campaign.room.rendered import follow_render
from medassay.campaign.room.room import Room
from medassay.campaign.secret_file import read_secret
from medassay.errors import InvalidInput, Problem
from medassay.judgements.campaign import FOLDER
from medassay.study.folder import Study
from medassay.tables import is_there, json_bytes

__all__ = ["DATABASE", "open_room", "place_of_room", "unheeded_options"]

DATABASE: Final = "room.db"
"""The room's database in the campaign's folder, where the user names no other."""


def place_of_room(study: Path, name: str, database: str = "") -> "str | Path":
    """Say where a campaign's database is: a file of its folder, or what the user allowed.

    Args:
        study: The study's folder.
        name: The campaign.
        database: The address that the user typed.

    Raises:
        InvalidInput: `campaign.toml` asks for a database that nobody here allowed.
    """
    return allowed_database(study, name, database) or study / FOLDER / name / DATABASE


def open_room(study: Study, name: str = "main", clock: Clock = now, database: str = "") -> Room:
    """Open the room of a campaign; where there is none yet, make it and freeze the design.

    The design (rubric, plan, primary outcome, options) goes into `design.json` with its hash before
    anybody can rate. Where raters came or went since, the room takes that over.

    Args:
        study: The study.
        name: The campaign.
        clock: Tells the time.
        database: The address that the user typed: it is kept, as `allow_database` does.

    Raises:
        InvalidInput: There is no such campaign, an answer has changed since it was drawn up, the
            room that was there is gone, or the database is broken, or another's; or answers are to
            be shown otherwise than raters have seen them.
        MissingBackend: SQLAlchemy is not installed.
    """
    plan, where = plan_named(study, name), place_of_room(study.path, name, database)
    options = read_options(study.path, name).room
    frozen = study.path / FOLDER / name / DESIGN
    with Database(where) as database_there:
        facts, shown = facts_of(database_there), str(database_there)
    if not facts:
        if is_there(frozen):
            raise InvalidInput(_gone(study.path, name, where, shown))
        refuse_changed(study, plan)
        create_room(study, plan, read_secret(study.path, name), where, options)
    elif facts.get("campaign") != mark_of(plan):
        must, hint = f"hold the room of {name}", "Move it away, or name another database."
        got = "the room of another campaign"
        raise InvalidInput(Problem(shown, must, got, hint))
    else:
        follow_render(study.path, name, where, options.render, clock)
    room = Room(where, clock, study.config.phases_that_count)
    if not is_there(frozen):
        # Last: where the design is, the room was whole. One that was cut off before is made whole.
        record = {"hash": room.design.hash, "design": room.design.model_dump(mode="json")}
        write_files(study.path, name, {DESIGN: json_bytes(record)})
    if database:
        allow_database(study.path, name, database)
    follow_plan(room, plan, reassigned_lines(study.path, name))
    return room


def _gone(study: Path, name: str, where: "str | Path", shown: str) -> Problem:
    """Say that a room was here, as its design shows, and is not any more."""
    line = f"{campaign_command('restore', study, name)} FILE"
    hint = f"Nothing was made anew. Put your last backup back: {line}"
    if os.environ.get(VARIABLE):
        hint += f" Or unset {VARIABLE}, if the room was elsewhere."
    must = f"hold the room that {FOLDER}/{name}/{DESIGN} was frozen for"
    got = "no room"
    if isinstance(where, Path):
        got = "an empty file" if where.exists() else "no file"
    return Problem(shown, must, got, hint)


def unheeded_options(study: Path, name: str, room: Room) -> list[str]:
    """Name what `campaign.toml` says of the room otherwise than the frozen design.

    Args:
        study: The study's folder.
        name: The campaign.
        room: The open room of that campaign.
    """
    said, frozen = read_options(study, name).room, room.design.options
    names = (option for option in type(said).model_fields if option != "database")
    return [option for option in names if getattr(said, option) != getattr(frozen, option)]
