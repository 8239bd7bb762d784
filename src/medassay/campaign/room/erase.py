"""Erase what is known of a rater, and their labels too where that was promised."""

from dataclasses import dataclass, field, replace

from medassay.campaign.create import write_files
from medassay.campaign.people import PEOPLE, people_bytes, people_kept
from medassay.campaign.room.clock import moment, now
from medassay.campaign.room.room import Room
from medassay.campaign.room.schema import tables
from medassay.campaign.room.sql import Sql
from medassay.errors import InvalidInput, Problem, nearest
from medassay.judgements.campaign import FOLDER
from medassay.study.folder import Study

__all__ = ["Erased", "erase"]


@dataclass(frozen=True)
class Erased:
    """What was erased.

    Attributes:
        rows: For each table of the room how many rows are gone.
        files: The study's files that were written anew.
        notes: What is left, and where.
    """

    rows: dict[str, int]
    files: list[str]
    notes: list[str] = field(default_factory=list)


def erase(study: Study, room: Room, rater: str, *, labels: bool = False) -> Erased:
    """Erase a rater: addresses, links, sessions and passphrase; with `labels` all that they said.

    Their part ends. Without `labels` what they said stays under their pseudonym, and who that was
    is known no more; the trail says that it was done and when, and nothing of the person.

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
        new = "with labels" if labels else "without labels"
        row = {"time": time, "who": "lead", "what": "erase", "old": rater, "new": new}
        connection.execute(t.events.insert(), row)
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
    home = study.path / FOLDER / name
    for made in ("invitations.csv", "audit.csv", "guesses.csv", "dangerous.csv", "signatures.csv"):
        # They are written anew by the command that made them.
        (home / made).unlink(missing_ok=True)
    notes = [f"Backups made before still hold {rater}: erase them, or keep them as you promised."]
    frames = study.judgements_on_file.frame, study.preferences_on_file.frame
    held = sum(int((frame["rater"] == rater).sum()) for frame in frames)
    if labels and held:
        notes.append(
            f"{held} rows of {rater} were exported into the study before: take them out of its "
            "judgements or preferences, or exclude the rater in raters.csv."
        )
    return Erased(counts, write_files(study.path, name, files), notes)
