"""The first room."""

from typing import Any

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make all tables."""
    import sqlalchemy as s
    from alembic import op

    column, text, whole, real = s.Column, s.Text, s.Integer, s.Float
    key, boolean = s.ForeignKey, s.Boolean

    def number(name: str) -> Any:  # noqa: ANN401 - a column
        kind = s.BigInteger().with_variant(s.Integer, "sqlite")
        return column(name, kind, primary_key=True, autoincrement=True)

    op.create_table("facts", column("name", text, primary_key=True), column("value", text))
    op.create_table(
        "people",
        column("rater", text, primary_key=True),
        column("role", text, nullable=False),
        column("calibration", text, nullable=False, server_default="open"),
        column("passphrase", text),
        column("ended", text),
    )
    op.create_table(
        "links",
        column("hash", text, primary_key=True),
        column("rater", text, key("people.rater"), nullable=False, index=True),
        column("issued", text, nullable=False),
        column("expires", text, nullable=False),
        column("revoked", text),
    )
    op.create_table(
        "sessions",
        column("hash", text, primary_key=True),
        column("rater", text, key("people.rater"), nullable=False, index=True),
        column("link", text, nullable=False),
        column("started", text, nullable=False),
        column("expires", text, nullable=False),
        column("ended", text),
    )
    op.create_table(
        "consents",
        number("id"),
        column("rater", text, key("people.rater"), nullable=False, index=True),
        column("version", text, nullable=False),
        column("time", text, nullable=False),
    )
    op.create_table(
        "items",
        column("item", whole, primary_key=True),
        column("content", text, nullable=False),
    )
    op.create_table(
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
    )
    op.create_table(
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
        column("seconds", real),
        column("claimed", real),
        column("said", text),
        column("saved", text, nullable=False),
        column("takes_back", text),
        column("why", text),
        s.UniqueConstraint("client", "rater", name="said_once"),
        s.Index("said_by", "rater", "id"),
    )
    op.create_table(
        "guesses",
        number("id"),
        column("client", text, nullable=False),
        column("rater", text, nullable=False),
        column("code", text, key("assignments.code"), nullable=False),
        column("system", text, nullable=False),
        column("sure", real),
        column("saved", text, nullable=False),
        s.UniqueConstraint("client", "rater", name="guessed_once"),
    )
    op.create_table(
        "reviews",
        number("id"),
        column("rater", text, nullable=False, index=True),
        column("code", text),
        column("dimension", text, nullable=False, server_default=""),
        column("about", text, nullable=False, server_default=""),
        column("reviewer", text, nullable=False),
        column("outcome", text, nullable=False),
        column("note", text, nullable=False, server_default=""),
        column("seen", s.BigInteger, nullable=False, server_default="0"),
        column("saved", text, nullable=False),
    )
    op.create_table(
        "signatures",
        number("id"),
        column("rater", text, nullable=False, index=True),
        column("meaning", text, nullable=False),
        column("signed", text, nullable=False),
        column("saved", text, nullable=False),
    )
    op.create_table(
        "events",
        number("id"),
        column("time", text, nullable=False),
        column("who", text, nullable=False),
        column("what", text, nullable=False),
        column("old", text, nullable=False, server_default=""),
        column("new", text, nullable=False, server_default=""),
        column("why", text, nullable=False, server_default=""),
    )
