"""One thread does what waits for it, and can be ended while somebody still asks."""

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import pytest

from medassay.campaign.room.database import Together
from medassay.campaign.room.sql import Sql

LONG = 60
"""Seconds after which a thread that has not ended never will."""


@contextmanager
def connection() -> Iterator[None]:
    yield None


def given_back(_: Sql, given: list[int]) -> Sequence[int]:
    return given


@pytest.mark.parametrize("asked", [1, 2, 3])
def test_it_ends_though_somebody_asks_while_it_is_ending(asked: int) -> None:
    together = Together("test", connection)
    begun, go_on = threading.Event(), threading.Event()

    def waits(_: Sql, given: list[int]) -> Sequence[int]:
        begun.set()
        go_on.wait(LONG)
        return given

    first = together.submit(waits, 0)
    assert begun.wait(LONG)
    closing = threading.Thread(target=together.close, daemon=True)
    closing.start()
    while together._thread is not None:  # the last word to the first thread has been said
        pass
    late = [together.submit(given_back, number) for number in range(1, asked + 1)]
    assert [future.result(LONG) for future in late] == [*range(1, asked + 1)]
    go_on.set()
    assert first.result(LONG) == 0
    closing.join(LONG)
    assert not closing.is_alive()
    together.close()


def test_one_statement_needs_no_transaction_unless_something_else_waits() -> None:
    """What stands alone is opened so; beside other work, all holds together or not at all."""
    opened: list[str] = []
    begun, go_on = threading.Event(), threading.Event()

    @contextmanager
    def opens(how: str) -> Iterator[None]:
        opened.append(how)
        yield None

    def waits(_: Sql, given: list[int]) -> Sequence[int]:
        begun.set()
        go_on.wait(LONG)
        return given

    together = Together("test", lambda: opens("whole"), lambda: opens("lone"))
    first = together.submit(waits, 0)
    assert begun.wait(LONG)
    mixed = [
        together.submit(given_back, 1, lone=True),
        together.submit(lambda _, given: [-number for number in given], 2),
    ]
    go_on.set()
    assert [future.result(LONG) for future in (first, *mixed)] == [0, 1, -2]
    assert together.submit(given_back, 3, lone=True).result(LONG) == 3
    together.close()
    assert opened == ["whole", "whole", "lone"]
