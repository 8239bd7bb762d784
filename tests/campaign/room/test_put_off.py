"""An answer that is put off comes again at the end of its batch; the lead sees how raters go."""

from pathlib import Path

import pytest

from medassay.campaign.room import Room, RoomOptions, Task

from .conftest import Time, answer, opened, said

pytestmark = pytest.mark.web
RATER = "rater-1"


def due(room: Room) -> Task:
    stand = room.rating.stand(RATER)
    if stand.pause is not None:
        room.rating.take_break(RATER, stand.pause.after)
    task = room.rating.next(RATER)
    assert task is not None
    return task


def agreed(room: Room) -> Room:
    for rater in room.design.settings.raters:
        room.rating.consent(rater, room.design.options.information.version)
    return room


@pytest.fixture
def where(study: Path, tmp_path: Path, time: Time) -> Path:
    options = RoomOptions(guesses=0, review_calibration=False)
    where = tmp_path / "room.db"
    with opened(study, where, time, options, batch=4, calibration=2) as room:
        agreed(room)
    return where


def test_it_comes_at_the_end_of_its_batch_and_before_the_next(where: Path) -> None:
    with Room(where) as room:
        places = [(task_of.code, task_of.phase, task_of.batch) for task_of in mine(room)]
        first = due(room)
        assert room.rating.put_off(RATER, first.code)
        second = due(room)
        assert second.code != first.code
        answer(room, RATER, second)
    # It is in the database: another server goes on alike.
    with Room(where) as room:
        assert due(room).code == first.code
        assert room.rating.task(RATER, first.code) is not None
        # The first answers are calibration, and nothing of the rest comes before they are done.
        assert not room.rating.put_off(RATER, first.code)
        answer(room, RATER, due(room))
        seen: list[str] = []
        tried = set()
        while room.rating.stand(RATER).standing in {"task", "break"}:
            task = due(room)
            if len(seen) % 4 == 1 and len(seen) not in tried:
                tried.add(len(seen))
                if room.rating.put_off(RATER, task.code):
                    continue
            seen.append(task.code)
            answer(room, RATER, task)
        rest = [code for code, phase, _ in places if phase != "calibration"]
        assert sorted(seen) == sorted(rest)
        batches = {code: batch for code, _, batch in places}
        assert [batches[code] for code in seen] == [batches[code] for code in rest]
        assert seen != rest
        assert room.rating.stand(RATER).standing == "done"


def mine(room: Room) -> list:  # type: ignore[type-arg] # places, which are the room's own
    with room.database.reading() as connection:
        return room.rating.mine(connection, RATER)


def put_off(room: Room) -> list[str]:
    with room.database.reading() as connection:
        return list(room.rating._put_off.codes(connection, RATER))


def test_who_puts_all_off_goes_round(room: Room) -> None:
    seen = []
    for _ in range(24):
        task = due(room)
        seen.append(task.code)
        assert room.rating.put_off(RATER, task.code)
    assert seen[:12] == seen[12:]
    assert len(set(seen)) == 12


def test_what_comes_again_leads_on_to_what_is_open_and_not_through_all_that_is_rated(
    room: Room,
) -> None:
    first = due(room)
    assert room.rating.put_off(RATER, first.code)
    second = due(room)
    answer(room, RATER, second)
    again = room.rating.task(RATER, first.code)
    assert again is not None
    assert again.later == ""
    answer(room, RATER, again)
    looked_back = room.rating.task(RATER, first.code)
    assert looked_back is not None
    assert looked_back.later == second.code


def test_what_was_said_of_it_stays(room: Room) -> None:
    task = due(room)
    question = task.questions[0]
    room.rating.say(RATER, said(task, question.id, question.labels[0].label))
    assert room.rating.put_off(RATER, task.code)
    again = room.rating.task(RATER, task.code)
    assert again is not None
    assert again.given[question.id, ""].label == question.labels[0].label


def test_only_what_a_rater_is_shown_and_has_not_finished_is_put_off(room: Room) -> None:
    first = due(room)
    others = [place.code for place in mine(room) if place.code != first.code]
    assert not room.rating.put_off("rater-2", first.code)
    assert not any(room.rating.put_off(RATER, code) for code in [*others, "ZZZZ"])
    answer(room, RATER, first)
    assert not room.rating.put_off(RATER, first.code)
    assert put_off(room) == []


def test_the_lead_sees_median_seconds_and_the_longest_run_of_one_label(
    room: Room, time: Time
) -> None:
    for seconds, place in ((10, 0), (30, 1), (20, 1), (40, 1), (400, 0)):
        task = due(room)
        time.on(seconds=seconds)
        for at, question in enumerate(task.questions):
            label = question.labels[place if at == 0 else (place + int(seconds == 20)) % 2].label
            more = {"seconds": seconds} if at == 0 else {}
            room.rating.say(RATER, said(task, question.id, label, **more))
    lines = {line.rater: line for line in room.lead.progress("lead")}
    pace, question = lines[RATER].pace, due(room).questions[0]
    assert pace.seconds == pytest.approx(30, abs=0.01)
    assert (pace.run, pace.label, pace.title) == (3, question.labels[1].label, question.title)
    assert lines["rater-2"].pace.seconds is None
    assert lines["rater-2"].pace.run == 0
