"""The lead sees who has stalled, watches, and looks at agreement: that look is logged."""

import time as real_time
from datetime import timedelta
from pathlib import Path

import pytest
from typer.testing import CliRunner

from medassay.campaign import Wishes, create_campaign
from medassay.campaign.room import open_room, status_with_rooms
from medassay.cli import app
from medassay.study import Study

from .conftest import SECRET, Time, answer

pytestmark = pytest.mark.web


@pytest.fixture
def begun(study: Path, time: Time) -> Path:
    """Give a study with a room in which one rater has rated one answer."""
    create_campaign(Study.open_whole(study), Wishes(raters="2"), SECRET)
    with open_room(Study.open_whole(study), clock=time) as room:
        room.rating.consent("rater-1", room.design.options.information.version)
        task = room.rating.next("rater-1")
        assert task is not None
        answer(room, "rater-1", task)
    return study


def test_who_has_answers_left_and_rates_no_more_is_named(begun: Path, time: Time) -> None:
    def notes(days: float) -> list[str]:
        return status_with_rooms(
            Study.open_whole(begun), lambda: time.now + timedelta(days=days)
        ).notes

    assert not [note for note in notes(6) if "stalled" in note]
    assert "rater-1 has stalled in main: nothing for 8 days, 1 of 12 done." in notes(8)
    assert "Not begun in main: rater-2." in notes(0)


def test_a_look_at_agreement_is_logged(begun: Path) -> None:
    said = CliRunner().invoke(app, ["campaign", "status", str(begun), "--agreement"])
    assert said.exit_code == 0, said.output
    assert "Agreement so far in main (logged; no result)" in said.output
    from medassay.campaign.room.schema import tables
    from medassay.campaign.room.sql import sql

    with open_room(Study.open_whole(begun)) as room, room.database.reading() as connection:
        events = list(connection.execute(sql().select(tables().events.c.what)).scalars())
    assert "look at agreement" in events
    without = CliRunner().invoke(app, ["campaign", "status", str(begun)])
    assert "Agreement" not in without.output


def test_watching_prints_again_until_it_is_ended(
    begun: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits: list[float] = []

    def sleep(seconds: float) -> None:
        waits.append(seconds)
        if len(waits) == 3:
            raise KeyboardInterrupt

    monkeypatch.setattr(real_time, "sleep", sleep)
    said = CliRunner().invoke(app, ["campaign", "status", str(begun), "--watch", "5"])
    assert said.exit_code == 0, said.output
    assert waits == [5, 5, 5]
    assert said.output.count("Campaign main") == 3
