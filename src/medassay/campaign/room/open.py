"""Open a campaign's room: the first time its design is frozen and its database made."""

from pathlib import Path
from typing import Final

from medassay.campaign.create import DESIGN, write_files
from medassay.campaign.options import read_options
from medassay.campaign.plans import plan_named, refuse_changed
from medassay.campaign.reassign import reassigned_lines
from medassay.campaign.room.clock import Clock, now
from medassay.campaign.room.create import create_room, design_of, mark_of
from medassay.campaign.room.database import Database
from medassay.campaign.room.following import follow_plan
from medassay.campaign.room.kept import facts_of
from medassay.campaign.room.room import Room
from medassay.campaign.secret_file import read_secret
from medassay.errors import InvalidInput, Problem
from medassay.judgements.campaign import FOLDER
from medassay.study.folder import Study
from medassay.tables import json_bytes

__all__ = ["DATABASE", "open_room", "place_of_room", "unheeded_options"]

DATABASE: Final = "room.db"
"""The room's database in the campaign's folder, where `campaign.toml` names no other."""


def place_of_room(study: Path, name: str) -> "str | Path":
    """Say where a campaign's database is: a file of its folder, or what `campaign.toml` says."""
    return read_options(study, name).room.database or study / FOLDER / name / DATABASE


def open_room(study: Study, name: str = "main", clock: Clock = now) -> Room:
    """Open the room of a campaign; where there is none yet, make it and freeze the design.

    The design (rubric, plan, primary outcome, options) goes into `design.json` with its hash before
    anybody can rate, and a room whose design is another is not opened. Where raters came or went
    since, the room takes that over.

    Args:
        study: The study.
        name: The campaign.
        clock: Tells the time.

    Raises:
        InvalidInput: There is no such campaign, an answer has changed since it was drawn up, or the
            database holds the room of another.
        MissingBackend: SQLAlchemy is not installed.
    """
    plan, where = plan_named(study, name), place_of_room(study.path, name)
    options = read_options(study.path, name).room
    database = Database(where)
    try:
        facts = facts_of(database)
    finally:
        database.close()
    if not facts:
        refuse_changed(study, plan)
        frozen = design_of(study, plan, options)
        record = {"hash": frozen.hash, "design": frozen.model_dump(mode="json")}
        write_files(study.path, name, {DESIGN: json_bytes(record)})
        create_room(study, plan, read_secret(study.path, name), where, options)
    elif facts["campaign"] != mark_of(plan):
        must, hint = f"hold the room of {name}", "Name another under [room] database."
        raise InvalidInput(Problem(str(database), must, "the room of another campaign", hint))
    room = Room(where, clock)
    follow_plan(room, plan, reassigned_lines(study.path, name))
    return room


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
