"""An assignment knows which one it takes the place of, where an answer passed to another rater."""

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Add the column; what was assigned before took no other's place."""
    import sqlalchemy as s
    from alembic import op

    with op.batch_alter_table("assignments") as table:
        table.add_column(s.Column("instead_of", s.Text))
