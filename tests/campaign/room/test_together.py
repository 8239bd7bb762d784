"""One thread does what waits for it, and what is asked while it ends keeps nobody waiting."""

import threading
from contextlib import nullcontext

import pytest

from medassay.campaign.room.database import Together

pytestmark = pytest.mark.web
PATIENCE = 60


def given_back(_: object, given: list[int]) -> list[int]:
    return given


def test_what_is_asked_while_it_ends_is_done_and_it_ends() -> None:
    began, go_on = threading.Event(), threading.Event()

    def waits(_: object, given: list[int]) -> list[int]:
        began.set()
        assert go_on.wait(PATIENCE)
        return given

    together = Together("together", nullcontext)
    first = together.submit(waits, 1)
    assert began.wait(PATIENCE)
    closing = threading.Thread(target=together.close, daemon=True)
    closing.start()
    while together._thread is not None:
        closing.join(0.01)
    assert together.submit(given_back, 2).result(PATIENCE) == 2
    go_on.set()
    assert first.result(PATIENCE) == 1
    closing.join(PATIENCE)
    assert not closing.is_alive()
    together.close()
