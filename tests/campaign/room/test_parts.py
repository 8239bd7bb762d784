"""Numbers, and kinds of passages with how bad each is: what is taken, and what comes home."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from medassay.campaign.room import Room, Task, export_room, open_demo
from medassay.study import Study

from .conftest import answer, said

pytestmark = pytest.mark.web
ONCE = ("contradicted, serious", "span:0-3")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "study"


@pytest.fixture
def room(folder: Path) -> Iterator[Room]:
    with open_demo(folder, "parts") as room:
        room.rating.consent("rater-1", room.design.options.information.version)
        yield room


@pytest.fixture
def task(room: Room) -> Task:
    """Give the first answer, its documents labelled."""
    task = room.rating.next("rater-1")
    assert task is not None
    assert task.shown.answer is None
    (documents,) = task.questions
    for about in documents.about:
        room.rating.say("rater-1", said(task, documents.id, "helps", about=about.about))
    opened = room.rating.task("rater-1", task.code)
    assert opened is not None
    assert opened.shown.answer is not None
    return opened


@pytest.mark.parametrize(
    ("dimension", "more", "word"),
    [
        ("usefulness", {"number": 100.0}, ""),
        ("usefulness", {"reason": "cannot_judge"}, ""),
        ("usefulness", {"number": 100.5}, "no_number"),
        ("usefulness", {"number": -1.0}, "no_number"),
        ("usefulness", {"label": "40"}, "no_number"),
        ("errors", {"label": ONCE[0], "about": ONCE[1]}, ""),
        ("errors", {"label": "none"}, ""),
        ("errors", {"label": "contradicted", "about": ONCE[1]}, "no_label"),
        ("errors", {"label": "none", "about": ONCE[1]}, "not_asked"),
        ("errors", {"label": ONCE[0]}, "not_asked"),
        ("errors", {"number": 3.0, "about": ONCE[1]}, "no_number"),
        ("errors", {"label": ONCE[0], "about": "span:0-100000"}, "not_asked"),
    ],
)
def test_what_was_asked_is_taken_and_nothing_else(
    room: Room, task: Task, dimension: str, more: dict[str, object], word: str
) -> None:
    receipt = room.rating.say("rater-1", said(task, dimension, **more))  # type: ignore[arg-type] # the tests' own words
    assert (receipt.saved, receipt.refusal.word if receipt.refusal else "") == (not word, word)


def test_whoever_said_none_and_then_marks_something_has_marked_it(
    folder: Path, room: Room, task: Task
) -> None:
    room.rating.say("rater-1", said(task, "errors", "none"))
    room.rating.say("rater-1", said(task, "errors", ONCE[0], about=ONCE[1]))
    answer(room, "rater-1", task)
    export_room(Study.open_whole(folder), room)
    frame = Study.open_whole(folder).judgements_on_file.frame
    (mark,) = frame.filter(frame["dimension"] == "errors").iter_rows(named=True)
    assert (mark["kind"], mark["severity"], mark["about"]) == ("contradicted", "serious", ONCE[1])
    (number,) = frame.filter(frame["dimension"] == "usefulness")["number"]
    assert number == 40
