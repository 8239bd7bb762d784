"""Erase what is known of a rater, and their labels too where that was promised."""

from dataclasses import dataclass, field, replace
from pathlib import Path

from medassay.campaign.create import write_files
from medassay.campaign.people import PEOPLE, people_bytes, people_kept
from medassay.campaign.room.clock import moment, now
from medassay.campaign.room.export import RECORDS, records_of
from medassay.campaign.room.invite import INVITATIONS
from medassay.campaign.room.logbook import log
from medassay.campaign.room.room import Room
from medassay.campaign.room.schema import tables
from medassay.campaign.room.sql import Sql, sql
from medassay.errors import InvalidInput, Problem, nearest
from medassay.judgements.campaign import FOLDER
from medassay.study.folder import Study
from medassay.tables import csv_bytes, guarded, read_sheet

__all__ = ["Erased", "erase"]


@dataclass(frozen=True)
class Erased:
    """What was erased.

    Attributes:
        rows: For each table of the room how many rows are gone.
        files: The study's files that were written anew, without that person's rows.
        removed: Files in which nothing was left.
        notes: What is left, and where.
    """

    rows: dict[str, int]
    files: list[str]
    removed: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def erase(study: Study, room: Room, rater: str, *, labels: bool = False) -> Erased:
    """Erase a rater: addresses, links, sessions and passphrase; with `labels` all that they said.

    Their part ends. Without `labels` what they said stays under their pseudonym, and who that was
    is known no more; the trail says that it was done and when. Nothing of others is touched.

    Args:
        study: The study.
        room: The campaign's room.
        rater: The rater.
        labels: Whether what they said, their guesses, signatures and reviews go too.

    Raises:
        InvalidInput: The room does not know this rater.
    """
    known = [person.name for person in room.access.people()]
    if rater not in known:
        hint = nearest(rater, known)
        raise InvalidInput(Problem("RATER", "be a rater of the campaign", f'"{rater}"', hint))
    t, time = tables(), moment(now())
    gone = [t.sessions, t.links]
    if labels:
        gone += [t.judgements, t.guesses, t.signatures, t.reviews, t.consents]

    def wipe(connection: Sql) -> dict[str, int]:
        judged = sql().select(t.judgements.c.code).where(t.judgements.c.rater == rater).distinct()
        codes = sorted(connection.execute(judged).scalars()) if labels else []
        counts = {
            table.name: int(
                connection.execute(table.delete().where(table.c.rater == rater)).rowcount
            )
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
        return counts

    counts = room.database.write(wipe)
    room.database.forget_deleted()
    room.kept.forget(rater)
    name = room.design.settings.name
    files = {}
    if people := people_kept(study.path, name):
        rest = [
            replace(person, emails=()) if person.rater == rater else person for person in people
        ]
        files[PEOPLE] = people_bytes(rest)
    files |= _without(study.path, name, rater)
    home = study.path / FOLDER / name
    removed = []
    if labels:
        # What was exported before is written anew of what is left: the others' rows and the trail.
        records = records_of(study, room)
        files |= {file: made for file, made in records.items() if (home / file).is_file()}
        for file in RECORDS:
            if file not in records and (home / file).is_file():
                (home / file).unlink()
                removed.append(f"{FOLDER}/{name}/{file}")
    notes = [f"Backups made before still hold {rater}: erase them, or keep them as you promised."]
    notes += [
        f"study.toml names {rater} under [[corrections]], on {one.dimension}: delete that table."
        for one in study.config.corrections
        if one.rater == rater
    ]
    frames = study.judgements_on_file.frame, study.preferences_on_file.frame
    held = sum(int((frame["rater"] == rater).sum()) for frame in frames)
    if labels and held:
        notes.append(
            f"{held} rows of {rater} were exported into the study before: take them out of its "
            "judgements or preferences, or exclude the rater in raters.csv."
        )
    return Erased(counts, write_files(study.path, name, files), removed, notes)


def _without(study: Path, name: str, rater: str) -> dict[str, bytes]:
    """Give the invitations without a person's rows, where there are any."""
    path = study / FOLDER / name / INVITATIONS
    if not path.is_file():
        return {}
    sheet = read_sheet(path, f"{FOLDER}/{name}/{INVITATIONS}")
    header = list(sheet.columns)
    rows = [
        [record.get(column) for column in header]
        for _, record in sheet.records()
        if record.get("rater") != guarded(rater)
    ]
    return {INVITATIONS: csv_bytes(header, rows)}
