"""Print a result in a few lines, however much it holds."""

from collections.abc import Sized
from dataclasses import fields, is_dataclass
from typing import Final

__all__ = ["Brief", "brief"]

_LONGEST: Final = 70
"""Characters of a field that are shown; longer ones say how many things they hold."""


class Brief:
    """A result whose `repr` fits a screen.

    Its class is a dataclass with `repr=False`.
    """

    __slots__ = ()

    def __repr__(self) -> str:
        """Say what it is and what each field holds, long fields by their length."""
        return brief(self)


def brief(record: object) -> str:
    """Print a record's fields; of a long one, what it holds how many of.

    Example:
        >>> from dataclasses import dataclass
        >>> @dataclass
        ... class Tally:
        ...     system: str
        ...     wins: tuple[int, ...]
        >>> brief(Tally("A", (1, 2))), brief(Tally("A", tuple(range(40))))
        ("Tally(system='A', wins=(1, 2))", "Tally(system='A', wins=<tuple of 40>)")
    """
    if not is_dataclass(record) or isinstance(record, type):
        message = f"brief prints dataclasses, and this is a {type(record).__name__}"
        raise TypeError(message)
    shown = (f"{field.name}={_value(getattr(record, field.name))}" for field in fields(record))
    return f"{type(record).__name__}({', '.join(shown)})"


def _value(value: object) -> str:
    shape = getattr(value, "shape", None)
    if isinstance(shape, tuple) and shape:
        return f"<{type(value).__name__} of {' x '.join(map(str, shape))}>"
    text = repr(value)
    if len(text) <= _LONGEST:
        return text
    if isinstance(value, str):
        return f"{text[: _LONGEST - 3]}...{text[-1]}"
    if isinstance(value, Sized):
        return f"<{type(value).__name__} of {len(value)}>"
    return f"<{type(value).__name__}>"
