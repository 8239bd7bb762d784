"""Raters who come and go while a room is open: the room follows the plan, and loses nothing."""

from pathlib import Path

import pytest

from medassay.campaign import RaterWishes, change_raters
from medassay.campaign.room import (
    change_raters_midway,
    done_in_room,
    export_room,
    open_room,
)
from medassay.judgements.campaign import find_plans
from medassay.study import Study

from .conftest import Time, answer, planned, said

pytestmark = pytest.mark.web
WISHES = RaterWishes("dora", ("anna",), (), "on leave")


def begun(study: Path, time: Time) -> tuple[list[str], list[str]]:
    """Let anna judge three answers whole and a fourth in part; give these codes and all of hers."""
    planned(study, raters="anna,ben,cleo", overlap=2)
    with open_room(Study.open_whole(study), clock=time) as room:
        room.rating.consent("anna", room.design.options.information.version)
        seen = []
        for _ in range(3):
            task = room.rating.next("anna")
            assert task is not None
            answer(room, "anna", task)
            seen.append(task.code)
        task = room.rating.next("anna")
        assert task is not None
        label = said(task, task.questions[0].id, task.questions[0].labels[0].label)
        assert room.rating.say("anna", label).saved
        assert done_in_room(room) == set(seen)
    return [*seen, task.code], [row.code for row in find_plans(study)["main"].of_rater("anna")]


def test_the_room_takes_it_over_at_once(study: Path, time: Time) -> None:
    codes, mine = begun(study, time)
    with open_room(Study.open_whole(study), clock=time) as served:
        time.on(minutes=5)
        done = change_raters_midway(Study.open_whole(study), "main", WISHES, time)
        assert (done.stay, done.more["dora"]) == ({"anna": 3}, len(mine) - 3)
        # The room that is being served says so too.
        assert served.rating.stand("anna").standing == "closed"
        task = served.rating.task("anna", codes[0])
        assert task is not None
        late = said(task, task.questions[0].id, task.questions[0].labels[0].label)
        assert not served.rating.say("anna", late).saved
        served.rating.consent("dora", served.design.options.information.version)
        stand = served.rating.stand("dora")
        assert (stand.standing, stand.progress.asked) == ("task", len(mine) - 3)
        while (first := served.rating.next("dora")) is not None:
            answer(served, "dora", first)
        export = export_room(Study.open_whole(study), served)
        frame = Study.open_whole(study).judgements_on_file.frame
        # The labels of the answer that anna had begun come home as well.
        assert frame.filter(frame["rater"] == "anna").height == 3 * len(task.questions) + 1
        assert export.added == frame.height
    trail = (study / "campaigns/main/audit.csv").read_text(encoding="utf-8")
    assert "drop rater,anna,,on leave" in trail
    assert trail.count(",reassign,") == len(mine) - 3


def test_a_change_that_was_cut_off_is_made_whole_and_done_once(study: Path, time: Time) -> None:
    _, mine = begun(study, time)
    with open_room(Study.open_whole(study), clock=time) as room:
        done = done_in_room(room)
    time.on(minutes=5)
    moment = "2026-03-02T09:05:00.000000Z"
    change_raters(Study.open_whole(study), "main", WISHES, moment, done)
    for _ in range(2):
        with open_room(Study.open_whole(study), clock=time) as room:
            assert room.rating.stand("dora").progress.asked == len(mine) - 3
            export_room(Study.open_whole(study), room)
    trail = (study / "campaigns/main/audit.csv").read_text(encoding="utf-8")
    assert trail.count("drop rater") == 1


def test_who_left_comes_back_and_an_answer_is_handed_on(study: Path, time: Time) -> None:
    begun(study, time)
    change_raters_midway(Study.open_whole(study), "main", RaterWishes(drop=("anna",)), time)
    time.on(minutes=5)
    plan = find_plans(study)["main"]
    code = plan.holding("cleo")[0].code
    back = RaterWishes("anna", (), (code,), "back from leave")
    done = change_raters_midway(Study.open_whole(study), "main", back, time)
    plan = find_plans(study)["main"]
    (new,) = [row for row in plan.assignments if row.instead_of == code]
    assert new.rater != "cleo"
    assert sum(done.more.values()) == 1
    with open_room(Study.open_whole(study), clock=time) as room:
        assert room.rating.stand("anna").standing != "closed"
        assert room.rating.task("cleo", code) is None
