"""What a reviewer says of each kind of label, and what its rater can do about it."""

from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from medassay.campaign.room import Remark, Reviewed, Room, Said, Task, open_demo

from .conftest import answer, said

pytestmark = pytest.mark.web
RATER = "rater-1"
MARK = "span:0-3"
_NAMES = count()

# What is remarked on: dimension and about; and what changes it.
KINDS: dict[str, tuple[str, str | None, dict[str, Any]]] = {
    "a document before the answer": ("relevance", None, {"label": "not needed"}),
    "a number": ("usefulness", "", {"number": 12.0}),
    "a marked passage": ("errors", MARK, {"reason": "not_applicable"}),
    "all passages": ("errors", "", {"about": "span:4-9", "label": "contradicted, minor"}),
    "the answer as a whole": ("", "", {"dimension": "usefulness", "number": 12.0}),
}


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    with open_demo(tmp_path / "study", "parts") as room:
        room.rating.consent(RATER, room.design.options.information.version)
        yield room


@pytest.fixture
def task(room: Room) -> Task:
    """Rate the first answer, one passage of it marked; it goes to the reviewer."""
    task = room.rating.next(RATER)
    assert task is not None
    answer(room, RATER, task)
    room.rating.say(RATER, said(task, "errors", "contradicted, serious", about=MARK))
    assert room.rating.stand(RATER).standing == "review"
    (first,) = room.lead.calibration_of("reviewer", RATER).tasks
    return first


def sent_back(room: Room, task: Task, dimension: str, about: str) -> Remark:
    mistake = Reviewed(RATER, "mistake", task.code, "No.", dimension, about)
    room.lead.review("reviewer", mistake)
    assert seen_by_rater(room, task) == ()
    room.lead.review("reviewer", mistake, Reviewed(RATER, "again"))
    (remark,) = seen_by_rater(room, task)
    assert (remark.words, remark.open) == ("No.", True)
    assert not room.rating.hand_in(RATER)
    return remark


def seen_by_rater(room: Room, task: Task) -> tuple[Remark, ...]:
    now = room.rating.task(RATER, task.code)
    assert now is not None
    return now.remarks


def kept(task: Task, dimension: str, about: str, why: str) -> Said:
    return Said(f"kept-{next(_NAMES)}", task.code, dimension, about, why=why)


@pytest.mark.parametrize("kind", KINDS)
def test_a_remark_is_settled_by_a_change_or_a_reason_and_by_nothing_else(
    room: Room, task: Task, kind: str
) -> None:
    dimension, about, change = KINDS[kind]
    if about is None:
        about = next(about for name, about in task.given if name == dimension)
    was = sent_back(room, task, dimension, about).was
    assert was.holds == ((dimension, about) in task.given)
    # Words beside it are no reason, and another label of the answer is no change of this one.
    room.rating.say(RATER, said(task, "", comment="I see."))
    assert not room.rating.hand_in(RATER)
    because = kept(task, dimension, about, "The note says so.")
    assert room.rating.say(RATER, because).saved
    (remark,) = seen_by_rater(room, task)
    assert (remark.settled, remark.because) == ("kept", "The note says so.")
    undone = Said(f"kept-{next(_NAMES)}", task.code, dimension, about, takes_back=because.client)
    assert room.rating.say(RATER, undone).saved
    assert [each.open for each in seen_by_rater(room, task)] == [True]
    receipt = room.rating.say(
        RATER, said(task, **{"dimension": dimension, "about": about, **change})
    )
    assert receipt.saved, receipt
    (remark,) = seen_by_rater(room, task)
    assert (remark.settled, remark.was) == ("changed", was)
    assert room.rating.hand_in(RATER)
    assert room.rating.stand(RATER).standing == "review"


def test_what_was_said_is_kept_once_and_said_of_what_is_there_now(room: Room, task: Task) -> None:
    sent_back(room, task, "usefulness", "")
    same = Reviewed(RATER, "mistake", task.code, "No.", "usefulness")
    nothing = Reviewed(RATER, "", task.code, "", "usefulness")
    room.lead.review("reviewer", same)
    room.rating.say(RATER, said(task, "usefulness", number=12.0))
    room.lead.review("reviewer", nothing)
    (first,) = room.lead.calibration_of("reviewer", RATER).tasks
    assert [remark.settled for remark in first.remarks] == ["changed"]
    room.lead.review("reviewer", same)
    (first,) = room.lead.calibration_of("reviewer", RATER).tasks
    assert [(remark.settled, remark.was.number) for remark in first.remarks] == [("", 12.0)]
