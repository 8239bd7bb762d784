"""Carry a room's database forward to what this version of medassay reads.

What enters: a database without tables, or of an earlier version. What leaves: the same judgements
in the tables of today. Each step is a file of `versions`, run by alembic in one transaction.
"""

from pathlib import Path
from typing import Final

from medassay.campaign.room.database import Database
from medassay.campaign.room.schema import tables
from medassay.campaign.room.sql import Sql, sql
from medassay.errors import InvalidInput, Problem
from medassay.models import need_package
from medassay.tables import listed

__all__ = ["migrate", "version_of"]

_HERE: Final = Path(__file__).parent


def version_of(database: Database) -> str | None:
    """Say which version of tables a database has; None where it has none."""
    need_package("alembic", "the rating room")
    from alembic.runtime.migration import MigrationContext

    with database.reading() as connection:
        version: str | None = MigrationContext.configure(connection).get_current_revision()
    return version


def migrate(database: Database, to: str = "head") -> str:
    """Bring a database to a version; the newest if not given.

    Returns:
        The version that it has now.

    Raises:
        InvalidInput: It was made by a newer medassay, or holds another program's tables.
        MissingBackend: alembic is not installed.
    """
    need_package("alembic", "the rating room")
    from alembic.config import Config
    from alembic.runtime.environment import EnvironmentContext
    from alembic.script import ScriptDirectory

    config = Config()
    # A sign % in a path would be read as a variable.
    config.set_main_option("script_location", str(_HERE).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    script = ScriptDirectory.from_config(config)
    known = [revision.revision for revision in script.walk_revisions()]
    newest = known[0] if to == "head" else to
    _refuse_strangers(database)
    now = version_of(database)
    if now is not None and now not in known:
        must, hint = f"be of version {newest} or earlier", "Install the newer medassay."
        raise InvalidInput(Problem(str(database), must, f"version {now}", hint))
    if now == newest:
        return str(newest)

    def forward(connection: Sql) -> None:
        def steps(current: str, _context: object) -> object:
            return script._upgrade_revs(newest, current)  # noqa: SLF001 - what alembic's own command calls

        with EnvironmentContext(config, script, fn=steps, destination_rev=newest) as environment:
            environment.configure(connection=connection, render_as_batch=True)
            environment.run_migrations()

    database.write(forward)
    return str(newest)


def _refuse_strangers(database: Database) -> None:
    """Write into no database that another program uses; erasing and restoring are thorough."""
    with database.reading() as connection:
        found = sql().inspect(connection).get_table_names()
    strangers = sorted({*found} - {*tables().metadata.tables, "alembic_version"})
    if strangers:
        got = f"tables of another program: {listed(strangers)}"
        hint = "Make a separate database: CREATE DATABASE room, and give its address."
        if database.is_file:
            hint = "Move it away: nothing is written into it."
        raise InvalidInput(Problem(str(database), "hold nothing but the room", got, hint))
