"""Other people's functions, called: what they print is dropped, what they raise is held."""

import io
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from typing import TypeVar

from medassay.plugins.raised import words_of

__all__ = ["Raised", "attempt", "unheard"]

_Found = TypeVar("_Found")


@dataclass(frozen=True, slots=True)
class Raised:
    """What a function raised.

    Attributes:
        error: The exception itself.
    """

    error: BaseException

    @property
    def words(self) -> str:
        """Say what was raised, in one line."""
        return words_of(self.error)


@contextmanager
def unheard() -> Iterator[None]:
    """Drop what is printed, warned and logged to the terminal inside."""
    nowhere = io.StringIO()
    with warnings.catch_warnings(), redirect_stdout(nowhere), redirect_stderr(nowhere):
        warnings.simplefilter("ignore")
        yield


def attempt(call: Callable[[], _Found]) -> _Found | Raised:
    """Call a function of another package, and give what it gives or what it raised.

    Whoever stops the process, and a machine without memory, stop it.

    Example:
        >>> attempt(lambda: 1), attempt(lambda: 1 // 0).words
        (1, 'ZeroDivisionError: integer division or modulo by zero')
    """
    try:
        with unheard():
            return call()
    except (KeyboardInterrupt, MemoryError):
        raise
    except BaseException as error:  # noqa: BLE001 - other people's code may raise anything, and exit
        return Raised(error)
