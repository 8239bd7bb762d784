"""In which order a rater meets the items, with repeats and breaks."""

from collections.abc import Sequence
from typing import TypeVar

import numpy as np

from medassay.judgements.campaign.secret import Draws

__all__ = ["batches_of", "with_repeats"]

_T = TypeVar("_T")


def with_repeats(order: Sequence[_T], repeats: int, draws: Draws) -> list[tuple[_T, bool]]:
    """Put some items of the first half into the second half again.

    They keep their order, so that about half of all items lies between the two times.

    Args:
        order: The items as the rater meets them.
        repeats: How many to repeat, at most half of them.
        draws: Say which ones, and where they stand.

    Returns:
        The items in order, each with whether it is a repeat.

    Example:
        >>> from medassay.judgements.campaign import Secret
        >>> met = with_repeats("abcdef", 2, Secret(bytes(32)).draws("orders"))
        >>> "".join(item.upper() if again else item for item, again in met)
        'abcdABef'
    """
    half = len(order) // 2
    # The earliest third is far enough from the second half; more repeats need the rest of the half.
    pool = min(half, max(repeats, len(order) // 3))
    drawn = draws.sample(pool, repeats)
    rest = list(order[half:])
    # A repeat never stands first in the second half, where its first time may just have been.
    places = [1 + place for place in draws.sample(len(rest) + repeats - 1, repeats)]
    again = {place: order[item] for place, item in zip(places, drawn, strict=True)}
    others = iter(rest)
    tail = [
        (again[place], True) if place in again else (next(others), False)
        for place in range(len(rest) + repeats)
    ]
    return [*((item, False) for item in order[:half]), *tail]


def batches_of(count: int, size: int) -> list[int]:
    """Part `count` items into batches of about `size`, as even as can be.

    Returns:
        For each item its batch, from 1.

    Example:
        >>> batches_of(5, 2), [batches_of(62, 12).count(n) for n in range(1, 6)]
        ([1, 1, 1, 2, 2], [13, 13, 12, 12, 12])
    """
    number = max(1, round(count / size)) if count else 0
    return (
        [
            batch
            for batch, items in enumerate(np.array_split(np.arange(count), number), start=1)
            for _ in items
        ]
        if number
        else []
    )
