"""What one label is about: the key that labels are counted, joined and compared by."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    import polars as pl

__all__ = ["DEFAULTS", "UNIT", "Unit", "with_defaults", "without_defaults"]


class Unit(NamedTuple):
    """What a label says something of.

    Attributes:
        system: Whose answer.
        case: To which case.
        sample: Which of the system's answers to that case, from 0.
        about: Empty for the answer as a whole; otherwise a part of it or of what it is held
            against, such as `criterion:c3` or `statement:2` (see `About`).

    Example:
        >>> Unit("A", "1"), Unit("A", "1", about="criterion:c3").pair
        (Unit(system='A', case='1', sample=0, about=''), ('A', '1'))
    """

    system: str
    case: str
    sample: int = 0
    about: str = ""

    @property
    def pair(self) -> tuple[str, str]:
        """Give the cell that it belongs to: system and case."""
        return self.system, self.case


UNIT: Final = Unit._fields
"""The columns of the key, in the order that rows are sorted by."""

DEFAULTS: Final[Mapping[str, object]] = MappingProxyType({"sample": 0, "about": ""})
"""What a table of whole first answers leaves out of the key."""


def with_defaults(frame: "pl.DataFrame") -> "pl.DataFrame":
    """Add the columns of the key that a table of whole first answers leaves out.

    Example:
        >>> import polars as pl
        >>> with_defaults(pl.DataFrame({"system": ["A"], "case": ["1"]})).rows()
        [('A', '1', 0, '')]
    """
    import polars as pl

    types = {"sample": pl.Int64(), "about": pl.String()}
    return frame.with_columns(
        pl.lit(value, dtype=types[name]).alias(name)
        for name, value in DEFAULTS.items()
        if name not in frame.columns
    )


def without_defaults(frame: "pl.DataFrame") -> "pl.DataFrame":
    """Leave out the columns of the key that hold their default in every row.

    Example:
        >>> import polars as pl
        >>> frame = pl.DataFrame({"case": ["1"], "sample": [0], "about": ["span:3-9"]})
        >>> without_defaults(frame).columns
        ['case', 'about']
    """
    return frame.drop(
        name
        for name, value in DEFAULTS.items()
        if name in frame.columns and bool((frame[name] == value).all())
    )
