"""The first room: the tables as `schema` has them, while no room was ever released."""

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make all tables."""
    from alembic import op

    from medassay.campaign.room.schema import tables

    tables().metadata.create_all(op.get_bind())
