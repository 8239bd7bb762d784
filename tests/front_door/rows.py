"""What a layout makes of a study: tables, and what of the truth they hold."""

from collections.abc import Sequence
from dataclasses import dataclass

from tests.front_door.drawn import Drawn
from tests.front_door.written import Table

__all__ = ["Rows"]


@dataclass(frozen=True)
class Rows:
    """Tables, and what of the study they hold.

    Attributes:
        tables: The tables.
        shown: The truth as far as they hold it.
        arguments: What is told beside them.
        unsettled: Why a careful person would ask; empty where they would not.
        texts: Whether questions and answers are there.
        named_systems: Whether systems are named.
    """

    tables: Sequence[Table]
    shown: Drawn
    arguments: tuple[str, ...] = ()
    unsettled: tuple[str, ...] = ()
    texts: bool = True
    named_systems: bool = True
