"""A signature says what it covers, and how sure a rater is may be a word of the rubric."""

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Add the columns; nothing was signed before, and how sure raters were is a number there."""
    import sqlalchemy as s
    from alembic import op

    with op.batch_alter_table("signatures") as table:
        table.add_column(s.Column("batch", s.Integer, nullable=False, server_default="0"))
        table.add_column(s.Column("covers", s.Text, nullable=False, server_default=""))
    with op.batch_alter_table("judgements") as table:
        table.add_column(s.Column("sure", s.Text))
