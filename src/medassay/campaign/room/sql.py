"""SQLAlchemy, where it is installed; everything else of the room asks for it here."""

from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING, Any, TypeAlias

from medassay.models import need_package

if TYPE_CHECKING:
    from types import ModuleType

Sql: TypeAlias = Any
"""What SQLAlchemy gives and takes; it is not there for everybody, so it has no types here."""


@cache
def sql() -> "ModuleType":
    """Give the module `sqlalchemy`.

    Raises:
        MissingBackend: It is not installed; names the line that installs what the room needs.
    """
    return need_package("sqlalchemy", "the rating room")


def padded(values: Iterable[str]) -> list[str]:
    """Give values to look for, the last again until there are 1, 2, 4, 8 and so on.

    A database keeps a query prepared by its text: so there are few texts, however many ask at once.

    Example:
        >>> padded({"c", "a", "b"})
        ['a', 'b', 'c', 'c']
    """
    some = sorted(values)
    return some + some[-1:] * ((1 << (len(some) - 1).bit_length()) - len(some) if some else 0)
