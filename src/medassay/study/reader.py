"""Read many files, and report every problem of all of them at once."""

from collections.abc import Callable
from typing import TypeVar

from medassay.errors import InvalidInput, Problem

__all__ = ["Reader"]

_Read = TypeVar("_Read")


class Reader:
    """Goes on after a problem, so that all are found in one reading.

    Attributes:
        problems: Those of all that was read so far.
    """

    def __init__(self) -> None:
        """Begin without a problem."""
        self.problems: list[Problem] = []

    def collect(self, read: Callable[[], _Read]) -> _Read | None:
        """Give what was read; None where it has problems."""
        try:
            return read()
        except InvalidInput as error:
            self.problems += error.problems
        return None
