"""Links for raters, the address in them, and the words that go with them; nothing is sent."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from medassay.campaign.catalogues import catalogues_of, refuse_unspoken
from medassay.campaign.create import write_files
from medassay.campaign.people import Person as Known
from medassay.campaign.people import people_kept
from medassay.campaign.room.room import Room
from medassay.errors import InvalidInput, Problem, nearest
from medassay.judgements.campaign import FOLDER
from medassay.study.folder import Study
from medassay.tables import csv_bytes, guarded, read_sheet

_USUAL: Final = {"http": 80, "https": 443}
_PATH: Final = r"(/(?!\.\.?(/|$))[A-Za-z0-9._~-]+)*"
"""Signs that nobody between writes otherwise, and no step up."""


def address_of(url: str) -> str:
    """Give the address as browsers name it when they ask for a page of it.

    They write a server's name in small ASCII letters, and leave out the usual port. A path is kept:
    it stands before that of every page.

    Example:
        >>> address_of("https://rate.ward.example/")
        'https://rate.ward.example'
        >>> address_of("https://ward.example/ratings/")
        'https://ward.example/ratings'
        >>> address_of("https://Rate.München.example:443")
        'https://rate.xn--mnchen-3ya.example'

    Raises:
        InvalidInput: It is no address of a server, or goes on behind its path.
    """
    must = "be the address of a server, such as https://rate.ward.example"
    try:
        parts = urlsplit(url)
        name, port = (parts.hostname or "").encode("idna").decode(), parts.port
    except ValueError as error:
        raise InvalidInput(Problem("--url", must, f'"{url}"')) from error
    if parts.scheme not in _USUAL or not name:
        raise InvalidInput(Problem("--url", must, f'"{url}"'))
    if "@" in parts.netloc:
        # It may be a password: it is not quoted, and would stand in everybody's link.
        raise InvalidInput(Problem("--url", "name a server alone", "a name before an @"))
    path = parts.path.removesuffix("/")
    if set(url) & {"?", "#"} or not re.fullmatch(_PATH, path):
        must = "end with the server's name, its port, or a path of letters, digits, - . _ and ~"
        hint = f"Such as {parts.scheme}://{parts.netloc}/ratings."
        raise InvalidInput(Problem("--url", must, f'"{url}"', hint))
    shown = f"[{name}]" if ":" in name else name
    at = "" if port in {None, _USUAL[parts.scheme]} else f":{port}"
    return f"{parts.scheme}://{shown}{at}{path}"


INVITATIONS: Final = "invitations.csv"
HEADER: Final = ("rater", "email", "link", "subject", "text")


@dataclass(frozen=True)
class Invited:
    """What was written for raters.

    Attributes:
        links: A link for each; it is shown this once and kept as a hash.
        ended: Whose earlier links ended by this.
        files: The study's files that were written.
        kept: Whose earlier invitations the file still has, below the new ones.
    """

    links: dict[str, str]
    ended: list[str]
    files: list[str]
    kept: list[str]


def invite(study: Study, room: Room, url: str, names: Sequence[str] = ()) -> Invited:
    """Give raters new links, and write what to send them, each in their language, for a mail merge.

    The file has a row for each address, with subject and text; whoever is known by name alone has
    one row without an address. Their earlier links end, and nobody else's: rows of others whose
    links still hold stay in the file, below the new ones, since they may not be sent yet.

    Args:
        study: The study.
        room: The campaign's room.
        url: Where the room is served, such as https://rate.ward.example.
        names: Whom to invite; all raters if not given. The lead and the reviewer have their links
            from the server, unless they are named.

    Raises:
        InvalidInput: The room does not know somebody, does not speak a language of `people.csv`, or
            cannot be served there.
    """
    address = address_of(url)
    campaign, title = room.design.settings.name, room.design.title
    kept = {person.rater: person for person in people_kept(study.path, campaign)}
    catalogues, _ = catalogues_of(study.path, campaign)
    refuse_unspoken(kept.values(), catalogues, campaign)
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
        known_as = kept.get(person.name, Known(person.name))
        language = person.language or known_as.language
        if language != person.language:
            room.access.speak(person.name, language)
        texts = catalogues.choose(language, "")
        count = room.rating.stand(person.name).progress.asked
        subject = texts("invitation.subject", title=title)
        text = texts("invitation.text", title=title, count=count, until=until[:10])
        # A link keeps all signs away from its ends: a mail program takes them for a part of it.
        text = text.replace("{link}", link)
        rows += [
            [guarded(cell) for cell in (person.name, email, link, subject, text)]
            for email in known_as.emails or ("",)
        ]
    room.lead.log("lead", "invite", new=", ".join(links))
    if not rows:
        return Invited(links, ended, [], [])
    others = [row for row in invitations_kept(study.path, campaign) if _holds(room, row[2])]
    written = write_files(study.path, campaign, {INVITATIONS: csv_bytes(HEADER, rows + others)})
    files = written or [f"{FOLDER}/{campaign}/{INVITATIONS}"]
    return Invited(links, ended, files, list(dict.fromkeys(row[0] for row in others)))


def invitations_kept(study: Path, campaign: str) -> list[list[str]]:
    """Read the rows of the file of invitations; none where there is no file."""
    path = study / FOLDER / campaign / INVITATIONS
    if not path.is_file():
        return []
    sheet = read_sheet(path, f"{FOLDER}/{campaign}/{INVITATIONS}")
    return [[str(record.get(column, "")) for column in HEADER] for _, record in sheet.records()]


def _holds(room: Room, link: str) -> bool:
    return room.access.look_up(link.partition("#")[2]) is not None
