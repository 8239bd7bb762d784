"""Who may come in: links, and the sessions that they open. Only hashes are kept of either."""

import secrets
from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from typing import Final, Literal

from medassay.campaign.room.database import Database
from medassay.campaign.room.logbook import Clock, after, moment
from medassay.campaign.room.schema import tables
from medassay.campaign.room.sql import Sql, padded, sql

Role = Literal["rater", "reviewer", "lead"]
_BYTES: Final = 32


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody whom the room knows.

    Attributes:
        name: The pseudonym that judgements use; a lead's or a reviewer's word.
        role: What they may do: rate; review calibration and settle differences; lead.
        ended: Whether their part has ended: nothing is taken from them any more.
        language: The code of the language that they chose; empty: as their browser wishes.
    """

    name: str
    role: Role
    ended: bool = False
    language: str = ""


def _hash(secret: str) -> str:
    # 256 random bits need no salt and no slow hash: there is nothing to guess.
    return sha256(secret.encode()).hexdigest()


class Access:
    """Links and sessions.

    Args:
        database: The room's database.
        clock: Tells the time.
    """

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database, self._clock = database, clock

    def invite(self, name: str, days: float = 90) -> str:
        """Give somebody a new link's token; it is shown this once and kept nowhere.

        Args:
            name: The person.
            days: When it expires. Links that were given before hold beside it until revoked.
        """
        return self.invite_until(name, days)[0]

    def invite_until(self, name: str, days: float = 90) -> tuple[str, str]:
        """Give somebody a new link's token, as `invite` does, and the moment when it expires."""
        token, time, t = secrets.token_urlsafe(_BYTES), self._clock(), tables()
        row = {
            "hash": _hash(token),
            "rater": name,
            "issued": moment(time),
            "expires": after(time, days=days),
        }
        self._database.write(lambda c: c.execute(t.links.insert(), row))
        return token, row["expires"]

    def renew(self, name: str, days: float = 90) -> str:
        """Give somebody a new link's token that ends the earlier ones; their sessions go on."""
        self._database.write(lambda c: self._end_links(c, name))
        return self.invite(name, days)

    def look_up(self, token: str) -> Person | None:
        """Say whose link it is, if it holds; nothing is kept of it, as mail scanners look too."""
        t, time = tables(), moment(self._clock())
        links = t.links.c
        query = _people(t.links, links.rater).where(
            links.hash == _hash(token), links.revoked.is_(None), links.expires > time
        )
        with self._database.reading() as connection:
            return _person(connection.execute(query).first())

    def revoke(self, name: str) -> int:
        """End all links and sessions of somebody; give how many links held until now."""
        t, time = tables(), moment(self._clock())

        def ends(connection: Sql) -> int:
            mine = t.sessions.c.rater == name, t.sessions.c.ended.is_(None)
            connection.execute(t.sessions.update().where(*mine).values(ended=time))
            return self._end_links(connection, name)

        return self._database.write(ends)

    def start(self, token: str, hours: float = 12) -> str | None:
        """Swap a link's token for a session's secret, for a cookie; None if it holds no more.

        Args:
            token: The token.
            hours: When the session ends by itself.
        """
        person = self.look_up(token)
        if person is None:
            return None
        return self._session(person.name, _hash(token), hours)

    def start_for(self, name: str, hours: float = 12) -> str | None:
        """Open a session for somebody whom a named proxy vouches for; None for a stranger."""
        t = tables()
        query = sql().select(t.people.c.rater).where(t.people.c.rater == name)
        with self._database.reading() as connection:
            known = connection.execute(query).first()
        return None if known is None else self._session(name, "proxy", hours)

    def session(self, secret: str) -> Person | None:
        """Say whose session it is, if it holds."""
        return self.ask(secret).result()

    def ask(self, secret: str) -> Future[Person | None]:
        """Say whose session it is, if it holds; all who knock at once are looked up together."""
        return self._database.look_up(self._sessions, _hash(secret))

    def _sessions(self, connection: Sql, hashes: Sequence[str]) -> list[Person | None]:
        asked = {"hashes": padded(set(hashes)), "now": moment(self._clock())}
        rows = connection.execute(_held_sessions(), asked)
        found = {row.hash: _person(row) for row in rows}
        return [found.get(one) for one in hashes]

    def speak(self, name: str, language: str) -> None:
        """Keep the language that somebody chose: every device of theirs speaks it from now on."""
        people = tables().people
        query = people.update().where(people.c.rater == name).values(language=language)
        self._database.write(lambda c: c.execute(query))

    def end(self, secret: str) -> None:
        """End a session."""
        t, time = tables(), moment(self._clock())
        query = t.sessions.update().where(t.sessions.c.hash == _hash(secret)).values(ended=time)
        self._database.write(lambda c: c.execute(query))

    def people(self) -> Sequence[Person]:
        """List everybody, by name."""
        t = tables()
        columns = t.people.c.rater, t.people.c.role, t.people.c.ended, t.people.c.language
        query = sql().select(*columns)
        with self._database.reading() as connection:
            rows = connection.execute(query.order_by(t.people.c.rater)).all()
        return [person for row in rows if (person := _person(row)) is not None]

    def _end_links(self, connection: Sql, name: str) -> int:
        t = tables()
        held = t.links.c.rater == name, t.links.c.revoked.is_(None)
        query = t.links.update().where(*held).values(revoked=moment(self._clock()))
        return int(connection.execute(query).rowcount)

    def _session(self, name: str, link: str, hours: float) -> str:
        secret, time, t = secrets.token_urlsafe(_BYTES), self._clock(), tables()
        row = {
            "hash": _hash(secret),
            "rater": name,
            "link": link,
            "started": moment(time),
            "expires": after(time, hours=hours),
        }
        self._database.write(lambda c: c.execute(t.sessions.insert(), row))
        return secret


def _people(beside: Sql, rater: Sql, *more: Sql) -> Sql:
    people = tables().people
    columns = people.c.rater, people.c.role, people.c.ended, people.c.language, *more
    return sql().select(*columns).select_from(people.join(beside, rater == people.c.rater))


@cache
def _held_sessions() -> Sql:
    """Ask whose some sessions are, of those that hold now; made once, as every request asks it."""
    s, sessions = sql(), tables().sessions
    return _people(sessions, sessions.c.rater, sessions.c.hash).where(
        sessions.c.hash.in_(s.bindparam("hashes", expanding=True)),
        sessions.c.ended.is_(None),
        sessions.c.expires > s.bindparam("now"),
    )


def _person(row: Sql) -> Person | None:
    return None if row is None else Person(row.rater, row.role, row.ended is not None, row.language)
