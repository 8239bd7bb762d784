"""Work that falls into parts, done by as many threads as there are processors."""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final, TypeVar

__all__ = ["side_by_side"]

_MOST: Final = 4
_Part = TypeVar("_Part")
_Made = TypeVar("_Made")


def side_by_side(work: Callable[[_Part], _Made], parts: Sequence[_Part]) -> list[_Made]:
    """Do each part, and give what came of them in their order.

    It helps where a part is numpy's work on large arrays, which lets other threads run. No part may
    depend on another, so that the number of threads changes no bit.

    Args:
        work: Done with one part.
        parts: Them; a single one is done at once.

    Example:
        >>> side_by_side(lambda part: part**2, [1, 2, 3])
        [1, 4, 9]
    """
    threads = min(len(parts), _MOST, _processors())
    if threads <= 1:
        return [work(part) for part in parts]
    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(work, parts))


def _processors() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
