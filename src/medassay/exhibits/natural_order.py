"""Ids in the order in which people count them."""

import re
from typing import Final

__all__ = ["natural_order"]

_NUMBER: Final = re.compile("([0-9]+)")


def natural_order(name: str) -> tuple[tuple[str | int, ...], str]:
    """Give the key that puts S2 before S10; names that differ in leading zeros keep one order.

    Example:
        >>> sorted(["S10", "S2", "S1-b", "S1"], key=natural_order)
        ['S1', 'S1-b', 'S2', 'S10']
    """
    parts = _NUMBER.split(name)
    # Text and numbers alternate, so that a place always compares two of a kind.
    return tuple(int(part) if i % 2 else part for i, part in enumerate(parts)), name
