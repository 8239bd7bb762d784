"""Erase what is known of a rater, and their labels too where that was promised."""

import re
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from medassay.campaign.create import DESIGN, write_files
from medassay.campaign.people import PEOPLE, people_bytes, people_kept
from medassay.campaign.renamed import refuse_what_keeps_a_name, rename_in_files
from medassay.campaign.room.clock import moment, now
from medassay.campaign.room.database import Database
from medassay.campaign.room.export import RECORDS, records_of
from medassay.campaign.room.invite import INVITATIONS
from medassay.campaign.room.logbook import log
from medassay.campaign.room.open import place_of_room
from medassay.campaign.room.renaming import rename_in_room
from medassay.campaign.room.room import Room
from medassay.campaign.room.schema import tables
from medassay.campaign.room.sql import Sql, sql
from medassay.errors import InvalidInput, Problem, nearest
from medassay.judgements.campaign import FOLDER, Secret, draw_codes, find_plans
from medassay.study.folder import Study
from medassay.tables import csv_bytes, guarded, is_there, read_sheet

__all__ = ["Erased", "erase"]

_NO_NAME: Final = re.compile(r"rater-\d+|r\d+|erased-[A-Z]{4}-[A-Z]{4}")
"""What raters are called where nobody named them."""


@dataclass(frozen=True)
class Erased:
    """What was erased.

    Attributes:
        rows: For each table of the room how many rows are gone.
        files: The study's files that were written again, without that person's rows.
        removed: Files in which nothing was left.
        notes: What is left, and where.
        called: What the rater is called from now on, everywhere in the study.
    """

    rows: dict[str, int]
    files: list[str]
    removed: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    called: str = ""


def erase(study: Study, room: Room, rater: str, fresh: Secret, *, labels: bool = False) -> Erased:
    """Erase a rater: addresses, links, sessions and passphrase; with `labels` all that they said.

    Their part ends. A rater whom the lead called by a name gets a code in its place, in every file
    and room of the study: so without `labels` what they said stays, and who that was is known no
    more. The trail says that it was done and when. Nothing of others is touched.

    Args:
        study: The study.
        room: The campaign's room.
        rater: The rater.
        fresh: What the code is drawn from.
        labels: Whether what they said, their guesses, signatures and reviews go too.

    Raises:
        InvalidInput: The room does not know this rater, a table that names the rater has a form
            that is not written here, or another campaign's room in which the rater is too cannot be
            written.
    """
    known = [person.name for person in room.access.people() if person.role == "rater"]
    if rater not in known:
        hint = nearest(rater, known)
        raise InvalidInput(Problem("RATER", "be a rater of the campaign", f'"{rater}"', hint))
    renamed = not _NO_NAME.fullmatch(rater)
    code = rater
    if renamed:
        refuse_what_keeps_a_name(study.path, rater)
        code = f"erased-{draw_codes(1, fresh.draws('erased'))[0]}"
        _rename_elsewhere(study.path, room.design.settings.name, rater, code)
    counts = room.database.write(lambda connection: _wipe(connection, rater, code, labels=labels))
    room.database.forget_deleted()
    room.kept.forget(rater)
    room.kept.forget(code)
    frames = study.judgements_on_file.frame, study.preferences_on_file.frame
    held = sum(int((frame["rater"] == rater).sum()) for frame in frames)
    notes = [f"Backups made before still hold {rater}: erase them, or keep them as you promised."]
    campaign = room.design.settings.name
    written = write_files(study.path, campaign, _without(study.path, campaign, rater))
    removed = list[str]()
    if renamed:
        done = rename_in_files(study.path, rater, code)
        written, removed, notes = [*written, *done.files], done.removed, [*notes, *done.notes]
    if labels:
        more, none_left = _records_left(study, room)
        written, removed = [*written, *more], [*removed, *none_left]
    notes += [
        f"study.toml names {code} under [[corrections]], on {one.dimension}: delete that table."
        for one in study.config.corrections
        if one.rater == rater
    ]
    if labels and held:
        notes.append(
            f"{held} rows of {code} were exported into the study before: take them out of its "
            "judgements or preferences, or exclude the rater in raters.csv."
        )
    there = [file for file in dict.fromkeys(written) if file not in removed]
    return Erased(counts, there, removed, notes, code)


def _wipe(connection: Sql, rater: str, code: str, *, labels: bool) -> dict[str, int]:
    """Take a rater out of the room; give for each table how many rows are gone."""
    t, time = tables(), moment(now())
    gone = [t.sessions, t.links]
    if labels:
        gone += [t.judgements, t.guesses, t.signatures, t.reviews, t.consents]
    judged = sql().select(t.judgements.c.code).where(t.judgements.c.rater == rater).distinct()
    codes = sorted(connection.execute(judged).scalars()) if labels else []
    counts = {
        table.name: int(connection.execute(table.delete().where(table.c.rater == rater)).rowcount)
        for table in gone
    }
    person = t.people.update().where(t.people.c.rater == rater)
    connection.execute(person.values(passphrase=None, ended=time))
    mine = t.assignments.c.rater == rater, t.assignments.c.ended.is_(None)
    connection.execute(t.assignments.update().where(*mine).values(ended=time))
    if labels:
        connection.execute(t.events.delete().where(t.events.c.who == rater))
    # The trail keeps of which answers something was erased, and nothing that was said.
    new = " ".join(("with labels:", *codes)) if labels else "without labels"
    log(connection, now, "lead", "erase", rater, new)
    if code != rater:
        rename_in_room(connection, rater, code)
    return counts


def _records_left(study: Study, room: Room) -> tuple[list[str], list[str]]:
    """Export again what was exported before: the others' rows and the trail.

    Returns:
        The files that were written; and those in which nothing was left.
    """
    campaign = room.design.settings.name
    home, records = study.path / FOLDER / campaign, records_of(study, room)
    there = {file: made for file, made in records.items() if (home / file).is_file()}
    removed = [file for file in RECORDS if file not in records and (home / file).is_file()]
    for file in removed:
        (home / file).unlink()
    gone = [f"{FOLDER}/{campaign}/{file}" for file in removed]
    return write_files(study.path, campaign, there), gone


def _rename_elsewhere(study: Path, campaign: str, rater: str, code: str) -> None:
    """Call the rater otherwise in the rooms of the study's other campaigns."""
    for other, plan in find_plans(study).items():
        has_room = is_there(study / FOLDER / other / DESIGN)
        if other != campaign and has_room and rater in plan.settings.raters:
            with Database(place_of_room(study, other)) as database:
                database.write(lambda connection: rename_in_room(connection, rater, code))
                database.forget_deleted()


def _without(study: Path, name: str, rater: str) -> dict[str, bytes]:
    """Give the people without a person's addresses, and the invitations without the person's."""
    files = {}
    if people := people_kept(study, name):
        rest = [replace(one, emails=()) if one.rater == rater else one for one in people]
        files[PEOPLE] = people_bytes(rest)
    path = study / FOLDER / name / INVITATIONS
    if not path.is_file():
        return files
    sheet = read_sheet(path, f"{FOLDER}/{name}/{INVITATIONS}")
    header = list(sheet.columns)
    rows = [
        [record.get(column) for column in header]
        for _, record in sheet.records()
        if record.get("rater") != guarded(rater)
    ]
    return files | {INVITATIONS: csv_bytes(header, rows)}
