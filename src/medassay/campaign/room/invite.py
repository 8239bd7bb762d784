"""Links for raters, and the words that go with them; nothing is sent."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from medassay.campaign.create import write_files
from medassay.campaign.people import people_kept
from medassay.campaign.room.address import address_of
from medassay.campaign.room.room import Room
from medassay.errors import InvalidInput, Problem, nearest
from medassay.judgements.campaign import FOLDER
from medassay.study.folder import Study
from medassay.tables import csv_bytes, guarded

__all__ = ["INVITATIONS", "Invited", "invite"]

INVITATIONS: Final = "invitations.csv"
_SUBJECT: Final = "{title}: your link to rate answers"
_TEXT: Final = """\
Dear colleague,

thank you for rating answers for "{title}". This link is yours alone; please do not pass it on:

{link}

There are {count} answers. You can stop at any time and go on later, on any device: what you said is
kept. The first page says what the study is, what is kept of you, and how to withdraw.
The link holds until {until}.
"""


@dataclass(frozen=True)
class Invited:
    """What was written for raters.

    Attributes:
        links: A link for each; it is shown this once and kept as a hash.
        ended: Whose earlier links ended by this.
        files: The study's files that were written.
    """

    links: dict[str, str]
    ended: list[str]
    files: list[str]


def invite(study: Study, room: Room, url: str, names: Sequence[str] = ()) -> Invited:
    """Give raters new links, and write what to send them: a CSV for a mail merge.

    The file has a row for each address, with subject and text; whoever is known by name alone has
    one row without an address. Their earlier links end, and nobody else's.

    Args:
        study: The study.
        room: The campaign's room.
        url: Where the room is served, such as https://rate.ward.example.
        names: Whom to invite; all raters if not given. The lead and the reviewer have their links
            from the server, unless they are named.

    Raises:
        InvalidInput: The room does not know somebody, or cannot be served there.
    """
    address = address_of(url)
    campaign, title = room.design.settings.name, room.design.title
    emails = {person.rater: person.emails for person in people_kept(study.path, campaign)}
    links: dict[str, str] = {}
    ended: list[str] = []
    rows: list[list[str]] = []
    people = room.access.people()
    known = [person.name for person in people if not person.ended]
    if strange := [name for name in names if name not in known]:
        must = "be somebody who rates in the room, lead or reviewer"
        raise InvalidInput(
            Problem("RATER", must, f'"{name}"', nearest(name, known)) for name in strange
        )
    for person in people:
        wanted = person.name in names if names else person.role == "rater"
        if person.ended or not wanted:
            continue
        if room.access.revoke(person.name):
            ended.append(person.name)
        days = room.design.options.link_days
        token, until = room.access.invite_until(person.name, days)
        # After the sign # a browser sends nothing, so no log of a server or proxy holds the token.
        link = f"{address}/in#{token}"
        links[person.name] = link
        if person.role != "rater":
            continue
        count = room.rating.stand(person.name).progress.asked
        words = {"title": title, "link": link, "count": count, "until": until[:10]}
        subject, text = _SUBJECT.format(**words), _TEXT.format(**words)
        rows += [
            [guarded(cell) for cell in (person.name, email, link, subject, text)]
            for email in emails.get(person.name) or ("",)
        ]
    header = ["rater", "email", "link", "subject", "text"]
    written = write_files(study.path, campaign, {INVITATIONS: csv_bytes(header, rows)})
    room.lead.log("lead", "invite", new=", ".join(links))
    return Invited(links, ended, written or [f"{FOLDER}/{campaign}/{INVITATIONS}"])
