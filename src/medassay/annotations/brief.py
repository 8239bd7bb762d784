"""Records on a screen: few lines, and every interval in them."""

from collections.abc import Iterator, Mapping, Sequence, Sized
from dataclasses import fields, is_dataclass
from itertools import islice
from typing import Final

_LONGEST_FIELD: Final = 70
"""Characters of a field that are shown; longer ones say how many things they hold."""
_WIDE: Final = 98
_MOST_LINES: Final = 20
_MOST_INTERVALS: Final = 4
_USUAL: Final = 0.95
_DEEP: Final = 5


class Brief:
    """A result whose `repr` fits a screen.

    Its class is a dataclass with `repr=False`.
    """

    __slots__ = ()

    def __repr__(self) -> str:
        """Say what it is and what each field holds, long fields by their length."""
        return brief(self)


def brief(record: object) -> str:
    """Print a record's fields; of a long one, what it holds how many of, and its intervals.

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
    name = type(record).__name__
    shown = [
        _clipped(f"{field.name}={_value(getattr(record, field.name))}") for field in fields(record)
    ]
    line = f"{name}({', '.join(shown)})"
    if len(line) <= _WIDE:
        return line
    lines = [f"{name}("]
    for at, part in enumerate(shown):
        if len(lines[-1]) + len(part) + 2 <= _WIDE and at:
            lines[-1] += f" {part},"
        else:
            lines.append(f"    {part},")
    if len(lines) >= _MOST_LINES:
        left = len(lines) - _MOST_LINES + 2
        lines[_MOST_LINES - 2 :] = [f"    ... and {left} lines more"]
    return "\n".join([*lines, ")"])


def _clipped(part: str) -> str:
    most = _WIDE - len("    ,")
    return part if len(part) <= most else f"{part[: most - 1]}…"


def _value(value: object) -> str:
    shape = getattr(value, "shape", None)
    if isinstance(shape, tuple) and shape:
        return f"<{type(value).__name__} of {' x '.join(map(str, shape))}>"
    text = repr(value)
    if len(text) <= _LONGEST_FIELD and "\n" not in text:
        return text
    if isinstance(value, str):
        return f"{text[: _LONGEST_FIELD - 3]}...{text[-1]}"
    kind = type(value).__name__
    words = f"{kind} of {len(value)}" if isinstance(value, Sized) else kind
    spans = [*islice(_spans(value, _DEEP), _MOST_INTERVALS + 1)]
    listed = ", ".join([*spans[:_MOST_INTERVALS], *(["..."] if spans[_MOST_INTERVALS:] else [])])
    return f"<{words}: {listed}>" if spans else f"<{words}>"


def _spans(value: object, deep: int) -> Iterator[str]:
    """Print each interval inside, the first ones first."""
    low, high = getattr(value, "low", None), getattr(value, "high", None)
    if isinstance(low, float) and isinstance(high, float):
        level = getattr(value, "level", _USUAL)
        beside = "" if level == _USUAL else f" ({level:.4g})"
        yield f"{low:.4g} to {high:.4g}{beside}"
        return
    if not deep or isinstance(value, str | bytes):
        return
    inside: Iterator[object] = iter(())
    if is_dataclass(value):
        inside = (getattr(value, field.name) for field in fields(value))
    elif isinstance(value, Mapping):
        inside = iter(value.values())
    elif isinstance(value, Sequence):
        inside = iter(value)
    for part in inside:
        yield from _spans(part, deep - 1)
