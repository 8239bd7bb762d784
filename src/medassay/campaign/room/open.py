"""Open a campaign's room: frozen and made the first time, then following its plan."""

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Final, Literal

from medassay.campaign.create import DESIGN, with_displays, write_files
from medassay.campaign.options import (
    OPTIONS,
    VARIABLE,
    RoomOptions,
    allow_database,
    allowed_database,
    read_options,
)
from medassay.campaign.people import people_kept
from medassay.campaign.plans import campaign_command, plan_named, read_secret, refuse_changed
from medassay.campaign.reassign import reassigned_lines
from medassay.campaign.room.content import content_of
from medassay.campaign.room.database import Database
from medassay.campaign.room.design import Design
from medassay.campaign.room.kept import Kept, Place, facts_of
from medassay.campaign.room.logbook import Clock, log, now
from medassay.campaign.room.migrations import migrate
from medassay.campaign.room.room import Room
from medassay.campaign.room.schema import tables
from medassay.campaign.room.sql import Sql, sql
from medassay.campaign.subjects import asked_parts, asked_rubric, hash_of
from medassay.errors import InvalidInput, Problem
from medassay.judgements.campaign import FOLDER, Assignment, CampaignPlan, Secret
from medassay.study.folder import Study
from medassay.tables import is_there, json_bytes


def design_of(study: Study, plan: CampaignPlan, options: RoomOptions) -> Design:
    """Give the design of a room for a plan.

    Raises:
        InvalidInput: `ask_confidence` asks what the study's rubric has no place for.
    """
    _refuse_without_place(study, plan, options)
    systems = {system for assignment in plan.assignments for system in assignment.item.pair}
    who = [[row.code, row.rater, row.phase, row.position, row.batch] for row in plan.assignments]
    return Design(
        title=study.config.title,
        settings=plan.settings,
        rubric=asked_rubric(study, plan.settings.kind),
        reveals=len(asked_parts(study, plan.settings.kind)) > 1,
        asks_passages=True,
        render=options.render or "markdown",
        plan=hash_of(who),
        answers=plan.answers,
        primary=options.primary,
        systems=tuple(sorted(systems)),
        options=options,
    )


def create_room(
    study: Study, plan: CampaignPlan, secret: Secret, where: "str | Path", options: RoomOptions
) -> Design:
    """Make the tables, and fill them with a plan.

    Args:
        study: The study.
        plan: Who rates what.
        secret: What the order of items and the arms of display follow from.
        where: A file, or an address of a database in which there is no room yet.
        options: What `campaign.toml` says.
    """
    design = design_of(study, plan, options)
    t = tables()
    items = sorted({assignment.item.upright for assignment in plan.assignments})
    turn = secret.draws(plan.settings.name, "items").permutation(len(items))
    numbers = {items[at]: number for number, at in enumerate(turn, start=1)}
    contents = [
        {
            "item": number,
            "content": json.dumps(content_of(study, item, plan.settings), ensure_ascii=False),
        }
        for item, number in sorted(numbers.items(), key=lambda pair: pair[1])
    ]
    drawn = plan.assignments
    if not any(row.display for row in drawn):
        drawn = with_displays(drawn, secret, plan.settings.name, options.display)
    places = [_place_of(row, numbers[row.item.upright]) for row in drawn]
    spoken = {one.rater: one.language for one in people_kept(study.path, plan.settings.name)}
    roles = {**dict.fromkeys(plan.settings.raters, "rater"), "lead": "lead", "reviewer": "reviewer"}
    people = [
        {"rater": name, "role": role, "language": spoken.get(name, "")}
        for name, role in roles.items()
    ]
    facts = [
        {"name": "design", "value": design.model_dump_json(exclude_defaults=True)},
        {"name": "hash", "value": design.hash},
        {"name": "status", "value": "open"},
        {"name": "campaign", "value": mark_of(plan)},
    ]

    def fill(connection: Sql) -> None:
        for table, rows in (
            (t.facts, facts), (t.people, people), (t.items, contents), (t.assignments, places),
        ):  # fmt: skip
            connection.execute(table.insert(), rows)

    with Database(where, new=True) as database:
        migrate(database)
        database.write(fill)
    return design


def _refuse_without_place(study: Study, plan: CampaignPlan, options: RoomOptions) -> None:
    """Refuse to ask how sure raters are where the study could not take in what they say."""
    if not options.ask_confidence or plan.settings.kind == "preferences":
        return
    rubric = asked_rubric(study, plan.settings.kind)
    silent = [dimension.id for dimension in rubric.dimensions if not dimension.confidence]
    if silent:
        must = "be left out where the rubric does not ask how sure a rater is"
        hint = 'Write confidence = "0-1", or words from unsure to sure, into its questions.'
        file = f"{FOLDER}/{plan.settings.name}/{OPTIONS}"
        got = f"true, and none asked in {', '.join(silent)}"
        raise InvalidInput(Problem(file, must, got, hint, None, "room.ask_confidence"))


def mark_of(plan: CampaignPlan) -> str:
    """Give what tells the room of one campaign from that of another."""
    return f"{plan.settings.name} {plan.rubric} {plan.answers}"


def _place_of(row: Assignment, item: int) -> dict[str, object]:
    """Give an assignment as a row of the table `assignments`."""
    return {
        "code": row.code,
        "rater": row.rater,
        "item": item,
        "phase": row.phase,
        "position": row.position,
        "batch": row.batch,
        "display": row.display,
        "turned": row.item != row.item.upright,
        "ended": row.ended or None,
        "instead_of": row.instead_of or None,
    }


def done_in_room(room: Room) -> frozenset[str]:
    """List the codes of which nothing is missing in a room."""
    with room.rating.folding, room.database.reading() as connection:
        return frozenset(
            place.code
            for place in room.kept.places(connection)
            if room.kept.is_done(place, room.kept.spoken(connection, place.rater))
        )


def _follow_plan(room: Room, plan: CampaignPlan, trail: Sequence[Sequence[str]]) -> None:
    """Take over what the plan says anew: who came, who left, what was handed on.

    Nothing that was said changes. Given twice it does nothing more, so a change that was cut off
    between the plan and the room is made whole the next time that the room is opened.

    Args:
        room: The room.
        plan: The plan as it is now.
        trail: The lines of `reassigned.csv`: time, who, what, old, new, why.
    """
    t, s = tables(), sql()

    def follow(connection: Sql) -> None:
        places = {place.code: place for place in room.kept.places(connection)}
        new = [row for row in plan.assignments if row.code not in places]
        people = dict(connection.execute(s.select(t.people.c.rater, t.people.c.ended)).all())
        for rater in plan.settings.raters:
            if rater not in people:
                connection.execute(t.people.insert(), {"rater": rater, "role": "rater"})
        _end_and_open(connection, plan, people, trail)
        if new:
            items = _items(plan, places)
            rows = [_place_of(row, items[row.item.upright]) for row in new]
            connection.execute(t.assignments.insert(), rows)
        for row in plan.assignments:
            if row.ended and row.code in places and places[row.code].ended is None:
                mine = t.assignments.update().where(t.assignments.c.code == row.code)
                connection.execute(mine.values(ended=row.ended))
        events = t.events.c
        known = {
            tuple(line)
            for line in connection.execute(
                s.select(events.time, events.who, events.what, events.old, events.new)
            ).all()
        }
        lines = [line for line in trail if tuple(line[:5]) not in known]
        names = ("time", "who", "what", "old", "new", "why")
        if lines:
            rows = [dict(zip(names, line, strict=True)) for line in lines]
            connection.execute(t.events.insert(), rows)

    if plan.left or any(row.wave or row.ended for row in plan.assignments) or trail:
        room.database.write(follow)


def _items(plan: CampaignPlan, places: dict[str, Place]) -> dict[object, int]:
    """Give the number in the room of each item."""
    return {
        row.item.upright: places[row.code].item for row in plan.assignments if row.code in places
    }


def _end_and_open(
    connection: Sql,
    plan: CampaignPlan,
    people: dict[str, str | None],
    trail: Sequence[Sequence[str]],
) -> None:
    """End the part of who left, and open that of who came back since."""
    t = tables()
    went = {line[3]: line[0] for line in trail if line[2] == "drop rater"}
    came = {line[4]: line[0] for line in trail if line[2] == "add rater"}
    for rater in plan.settings.raters:
        ended = people.get(rater)
        person = t.people.update().where(t.people.c.rater == rater)
        if rater in plan.left and ended is None:
            connection.execute(person.values(ended=went[rater]))
        elif rater not in plan.left and ended is not None and came.get(rater, "") > ended:
            connection.execute(person.values(ended=None))


def _follow_render(
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


_DATABASE: Final = "room.db"
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
    return allowed_database(study, name, database) or study / FOLDER / name / _DATABASE


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
        _follow_render(study.path, name, where, options.render, clock)
    room = Room(where, clock, study.config.phases_that_count)
    if not is_there(frozen):
        # Last: where the design is, the room was whole. One that was cut off before is made whole.
        record = {"hash": room.design.hash, "design": room.design.model_dump(mode="json")}
        write_files(study.path, name, {DESIGN: json_bytes(record)})
    if database:
        allow_database(study.path, name, database)
    _follow_plan(room, plan, reassigned_lines(study.path, name))
    return room


def _gone(study: Path, name: str, where: "str | Path", shown: str) -> Problem:
    """Say that a room was here, as its design shows, and is not any more."""
    line = f"{campaign_command('restore', study, name)} FILE"
    hint = f"No new room was made. Restore your last backup: {line}"
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
