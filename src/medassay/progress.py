"""How far long work is: whoever works tells, whoever looks on listens, and nobody else hears.

What enters: the name of a step, how much of it is done and how much it is. What leaves: the same,
to the listener of the block that the work is called from, such as the bars of the command line.
"""

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final, TypeVar

Tell = Callable[[str, int, int], None]
"""Told what is being done, how much of it is done, and how much there is."""

_Item = TypeVar("_Item")
_LISTENER: Final[ContextVar[Tell | None]] = ContextVar("listener", default=None)


def tell(step: str, done: int, total: int) -> None:
    """Tell who listens, if anybody does."""
    listener = _LISTENER.get()
    if listener is not None:
        listener(step, done, total)


def told(step: str, items: Collection[_Item]) -> Iterator[_Item]:
    """Give the items one after the other, and tell how many are done.

    Example:
        >>> with listening(lambda *said: print(*said)):
        ...     for letter in told("letters", "ab"):
        ...         print(letter)
        letters 0 2
        a
        letters 1 2
        b
        letters 2 2
    """
    for done, item in enumerate(items):
        tell(step, done, len(items))
        yield item
    tell(step, len(items), len(items))


@contextmanager
def listening(listener: Tell) -> Iterator[None]:
    """Let somebody hear what the block's work tells."""
    before = _LISTENER.set(listener)
    try:
        yield
    finally:
        _LISTENER.reset(before)
