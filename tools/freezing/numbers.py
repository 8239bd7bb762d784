"""Every number of report.json under a path that tells what it is a number of."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

_DIGITS: Final = 10
"""Significant digits that are kept: beyond them libraries differ from machine to machine."""
_LONGEST: Final = 60
"""A longer text is a sentence and names nothing."""


def numbers_of(value: object, path: str = "") -> Iterator[tuple[str, str, str]]:
    """Give record, field and value of every number and every yes or no.

    An entry of a list is named by what tells it from the others of the list, not by its place: what
    is put in before it changes no other path.

    Example:
        >>> report = {"standings": [{"system": "a", "mean": 0.5, "interval": {"low": 0.25}}]}
        >>> list(numbers_of(report))
        [('standings[a]', 'mean', '0.5'), ('standings[a]', 'interval.low', '0.25')]
    """
    if isinstance(value, Mapping):
        yield from _of_record(value, path)
    elif isinstance(value, list):
        for key, one in zip(keys_of(value), value, strict=True):
            yield from numbers_of(one, f"{path}[{key}]")
    elif isinstance(value, int | float):
        record, _, field = path.rpartition(".")
        yield record, field or path, shown(value)


def _of_record(
    record: Mapping[str, object], path: str, inside: str = ""
) -> Iterator[tuple[str, str, str]]:
    for name, value in record.items():
        field = f"{inside}.{name}" if inside else name
        if isinstance(value, Mapping):
            yield from _of_record(value, path, field)
        elif isinstance(value, list):
            yield from numbers_of(value, f"{path}.{field}" if path else field)
        elif isinstance(value, int | float):
            yield path, field, shown(value)


def shown(value: float) -> str:
    """Write a number with the digits that every machine agrees on.

    Example:
        >>> shown(1 / 3), shown(2.0), shown(7), shown(True), shown(-0.0)
        ('0.3333333333', '2.0', '7', 'true', '0.0')
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    text = f"{value + 0.0:.{_DIGITS}g}"
    return text if set(text) & set(".en") else f"{text}.0"


def keys_of(entries: Sequence[object]) -> list[str]:
    """Name the entries of a list: by their first few short texts, as many as tell them apart.

    Example:
        >>> keys_of([{"system": "a", "n": 1, "case": "1"}, {"system": "a", "n": 1, "case": "2"}])
        ['a, 1', 'a, 2']
        >>> keys_of([0.5, 0.25]), keys_of([{"n": 1}, {"n": 1}])
        (['0', '1'], ['0', '1'])
    """
    texts = [_texts(one) for one in entries]
    most = max(map(len, texts), default=0)
    for many in range(1, most + 1):
        keys = [", ".join(one[:many]) for one in texts]
        if len(set(keys)) == len(keys):
            return keys
    return [str(place) for place in range(len(entries))]


def _texts(entry: object) -> list[str]:
    """Give the short texts of an entry, and of what stands inside it, in their order."""
    if isinstance(entry, Mapping):
        return [text for value in entry.values() for text in _texts(value)]
    if isinstance(entry, list):
        return [text for value in entry for text in _texts(value) if isinstance(value, str)]
    if isinstance(entry, str) and entry and len(entry) < _LONGEST:
        return [" ".join(entry.split())]
    return []
