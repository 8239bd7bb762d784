"""A room of the ankles study, and raters who answer all that they are asked."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from importlib.util import find_spec
from itertools import count
from pathlib import Path

import pytest
from tests.campaign.conftest import write_study

from medassay.campaign import Wishes, create_campaign
from medassay.campaign.room import (
    AboutShown,
    Room,
    RoomOptions,
    Said,
    Task,
    create_room,
    signing,
)
from medassay.judgements.campaign import CampaignPlan, Secret, find_plans
from medassay.study import Study

SECRET = Secret(bytes(32))
WHOLE_HASHER = signing._hasher
"""What hashes passphrases for users, with 64 MiB a hash."""
_CLIENTS = count()


@pytest.fixture(autouse=True, scope="session")
def cheap_passphrases() -> Iterator[None]:
    """Hash passphrases at little cost: what is tested is who is let in."""
    if find_spec("argon2") is None:
        yield  # rooms have an environment of their own
        return
    from argon2 import PasswordHasher

    cheap = PasswordHasher(time_cost=1, memory_cost=64, parallelism=1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(signing, "_hasher", lambda: cheap)
        yield


@dataclass
class Time:
    """A clock that goes on only when it is told to."""

    now: datetime = field(default=datetime(2026, 3, 2, 9, tzinfo=UTC))

    def __call__(self) -> datetime:
        return self.now

    def on(self, **spans: float) -> None:
        self.now += timedelta(**spans)


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
def study(tmp_path: Path) -> Path:
    return write_study(tmp_path / "study")


def planned(folder: Path, **wishes: object) -> CampaignPlan:
    """Draw up a campaign."""
    asked = Wishes(**{"raters": "2", **wishes})  # type: ignore[arg-type] # the tests' own words
    create_campaign(Study.open_whole(folder), asked, SECRET)
    return find_plans(folder)[asked.name]


def opened(
    folder: Path,
    where: "str | Path",
    time: Time,
    options: RoomOptions | None = None,
    **wishes: object,
) -> Room:
    """Open a room for a new campaign."""
    plan = planned(folder, **wishes)
    create_room(Study.open_whole(folder), plan, SECRET, where, options or RoomOptions())
    return Room(where, time)


@pytest.fixture
def room(study: Path, tmp_path: Path, time: Time) -> Iterator[Room]:
    with opened(study, tmp_path / "room.db", time, RoomOptions(guesses=0)) as room:
        for rater in room.design.settings.raters:
            room.rating.consent(rater, room.design.options.information.version)
        yield room


def said(task: Task, dimension: str, label: str = "", **more: object) -> Said:
    """Say something of a task, under a name of its own."""
    words = {"client": f"client-{next(_CLIENTS)}", "code": task.code, "label": label, **more}
    return Said(dimension=dimension, **words)  # type: ignore[arg-type] # the tests' own words


def answer(room: Room, rater: str, task: Task, place: int = 0) -> None:
    """Give the first label, or the one at this place, to all that is asked at every stage."""
    while True:
        due = [
            (question, about.about)
            for question in task.questions
            for about in question.about or (AboutShown(),)
            if (question.id, about.about) not in task.given
        ]
        if not due:
            return
        for question, about in due:
            words = (
                {"number": 40.0 + place}
                if question.number
                else {"label": question.none or question.labels[place].label}
            )
            receipt = room.rating.say(rater, said(task, question.id, about=about, **words))
            assert receipt.saved, receipt
        after = room.rating.task(rater, task.code)
        assert after is not None
        task = after
