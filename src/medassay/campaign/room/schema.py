"""The tables of a room's database, for SQLite and PostgreSQL alike.

The systems are named in the design, among which raters guess at the end, and in `guesses`:
which of them a code stands for is in the campaign's `key.csv` alone. No machine's address is kept.
"""

from functools import cache
from types import SimpleNamespace

from medassay.campaign.room.sql import Sql, sql


@cache
def tables() -> Sql:
    """Give the tables by name, and their `metadata`."""
    s = sql()
    column, text, whole, real = s.Column, s.Text, s.Integer, s.Float
    key, boolean = s.ForeignKey, s.Boolean
    metadata = s.MetaData()

    def number(name: str) -> Sql:
        # SQLite counts rows by itself only in a column of exactly this type.
        kind = s.BigInteger().with_variant(s.Integer, "sqlite")
        return column(name, kind, primary_key=True, autoincrement=True)

    def table(name: str, *parts: Sql) -> Sql:
        return s.Table(name, metadata, *parts)

    by_name = {
        # What the campaign is: its frozen design, its standing, the texts of its first page.
        "facts": table("facts", column("name", text, primary_key=True), column("value", text)),
        "people": table(
            "people",
            column("rater", text, primary_key=True),
            column("role", text, nullable=False),
            column("calibration", text, nullable=False, server_default="open"),
            column("passphrase", text),
            # The language that the person chose, or that the lead gave; empty: the browser's.
            column("language", text, nullable=False, server_default=""),
            column("ended", text),
        ),
        "links": table(
            "links",
            column("hash", text, primary_key=True),
            column("rater", text, key("people.rater"), nullable=False, index=True),
            column("issued", text, nullable=False),
            column("expires", text, nullable=False),
            column("revoked", text),
        ),
        "sessions": table(
            "sessions",
            column("hash", text, primary_key=True),
            column("rater", text, key("people.rater"), nullable=False, index=True),
            column("link", text, nullable=False),
            column("started", text, nullable=False),
            column("expires", text, nullable=False),
            column("ended", text),
        ),
        "consents": table(
            "consents",
            number("id"),
            column("rater", text, key("people.rater"), nullable=False, index=True),
            column("version", text, nullable=False),
            column("time", text, nullable=False),
        ),
        "items": table(
            "items",
            column("item", whole, primary_key=True),
            column("content", text, nullable=False),
        ),
        "assignments": table(
            "assignments",
            column("code", text, primary_key=True),
            column("rater", text, key("people.rater"), nullable=False, index=True),
            column("item", whole, key("items.item"), nullable=False, index=True),
            column("phase", text, nullable=False),
            column("position", whole, nullable=False),
            column("batch", whole, nullable=False),
            column("display", text, nullable=False, server_default=""),
            column("turned", boolean, nullable=False, server_default=s.false()),
            column("ended", text),
            column("instead_of", text),
        ),
        # Append-only: the last row of a rater, code, dimension and about is what holds.
        "judgements": table(
            "judgements",
            number("id"),
            column("client", text, nullable=False),
            column("rater", text, nullable=False),
            column("code", text, key("assignments.code"), nullable=False, index=True),
            column("dimension", text, nullable=False),
            column("about", text, nullable=False),
            column("label", text),
            column("number", real),
            column("reason", text),
            column("comment", text),
            column("dangerous", boolean),
            column("confidence", real),
            # What is credited by the server's clock, and what the browser claimed.
            column("seconds", real),
            column("claimed", real),
            column("said", text),
            column("saved", text, nullable=False),
            column("takes_back", text),
            column("why", text),
            # How sure a rater is: a share in `confidence`, or a word of the rubric here.
            column("sure", text),
            # Whether it is what the rater said of the same document beside another answer.
            column("carried", boolean),
            # The language in which the label was shown; null where the rubric does not say.
            column("language", text),
            s.UniqueConstraint("client", "rater", name="said_once"),
            s.Index("said_by", "rater", "id"),
        ),
        "guesses": table(
            "guesses",
            number("id"),
            column("client", text, nullable=False),
            column("rater", text, nullable=False),
            column("code", text, key("assignments.code"), nullable=False),
            column("system", text, nullable=False),
            column("sure", real),
            column("saved", text, nullable=False),
            s.UniqueConstraint("client", "rater", name="guessed_once"),
        ),
        "reviews": table(
            "reviews",
            number("id"),
            column("rater", text, nullable=False, index=True),
            # All of it where there is no code; an answer as a whole where there is no dimension.
            column("code", text),
            column("dimension", text, nullable=False, server_default=""),
            column("about", text, nullable=False, server_default=""),
            column("reviewer", text, nullable=False),
            column("outcome", text, nullable=False),
            column("note", text, nullable=False, server_default=""),
            # The last judgement of this rater that the reviewer had seen.
            column("seen", s.BigInteger, nullable=False, server_default="0"),
            column("saved", text, nullable=False),
        ),
        "signatures": table(
            "signatures",
            number("id"),
            column("rater", text, nullable=False, index=True),
            column("meaning", text, nullable=False),
            # The SHA-256 of what was signed, and the codes of the answers that it covers.
            column("signed", text, nullable=False),
            column("saved", text, nullable=False),
            column("batch", whole, nullable=False, server_default="0"),
            column("covers", text, nullable=False, server_default=""),
        ),
        # The audit trail of all that is no judgement: who, when, what, old, new, why.
        "events": table(
            "events",
            number("id"),
            column("time", text, nullable=False),
            column("who", text, nullable=False),
            column("what", text, nullable=False),
            column("old", text, nullable=False, server_default=""),
            column("new", text, nullable=False, server_default=""),
            column("why", text, nullable=False, server_default=""),
        ),
    }
    return SimpleNamespace(metadata=metadata, **by_name)
