"""The collector rests while records are made, and then does what it did before."""

import gc

import pytest

from medassay.tables import gc_leaving_be, gc_paused


def stop_at_a_bad_row() -> None:
    with gc_paused():
        assert not gc.isenabled()
        raise ValueError("bad row")


def test_it_rests_inside_and_goes_on_after_an_error() -> None:
    assert gc.isenabled()
    with pytest.raises(ValueError, match="bad row"):
        stop_at_a_bad_row()
    assert gc.isenabled()


def test_where_it_was_off_it_stays_off() -> None:
    gc.disable()
    try:
        with gc_paused():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_what_is_there_is_left_alone_inside_and_no_longer() -> None:
    with gc_leaving_be():
        assert gc.get_freeze_count() > 0
    assert gc.get_freeze_count() == 0


@pytest.mark.slow
def test_what_somebody_else_left_alone_stays_so() -> None:
    gc.freeze()
    try:
        with gc_leaving_be(), gc_paused():
            pass
        assert gc.get_freeze_count() > 0
    finally:
        gc.unfreeze()


def test_what_was_made_counts_as_old() -> None:
    with gc_paused():
        made: list[list[int]] = [[] for _ in range(1_000)]
    assert not any(thing is made for young in (0, 1) for thing in gc.get_objects(young))
