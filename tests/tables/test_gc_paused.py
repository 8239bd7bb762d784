"""The collector rests while records are made, and then does what it did before."""

import gc

import pytest

from medassay.tables import gc_paused


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
