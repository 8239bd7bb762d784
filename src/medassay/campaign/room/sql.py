"""SQLAlchemy, where it is installed; everything else of the room asks for it here."""

from functools import cache
from typing import TYPE_CHECKING, Any, TypeAlias

from medassay.models import need_package

if TYPE_CHECKING:
    from types import ModuleType

__all__ = ["Sql", "sql"]

Sql: TypeAlias = Any
"""What SQLAlchemy gives and takes; it is not there for everybody, so it has no types here."""


@cache
def sql() -> "ModuleType":
    """Give the module `sqlalchemy`.

    Raises:
        MissingBackend: It is not installed; names the line that installs what the room needs.
    """
    return need_package("sqlalchemy", "the rating room")
