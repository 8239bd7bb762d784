"""What raters see and say in the room."""

from pathlib import Path

import pytest

from medassay.campaign.room import Room

from .conftest import Time, answer, said

pytestmark = pytest.mark.web


def test_a_rater_answers_all_in_the_order_of_the_plan(room: Room) -> None:
    seen: list[str] = []
    while task := room.rating.next("rater-1"):
        assert task.position == len(seen) + 1
        assert task.shown.answer is not None
        seen.append(task.code)
        answer(room, "rater-1", task)
        stand = room.rating.stand("rater-1")
        if stand.pause is not None:
            assert room.rating.next("rater-1") is None
            room.rating.take_break("rater-1", stand.pause.after)
    assert len(seen) == 12
    stand = room.rating.stand("rater-1")
    assert (stand.standing, stand.progress.done) == ("done", 12)
    assert room.rating.stand("rater-2").progress.done == 0


def test_what_is_sent_twice_is_kept_once(room: Room) -> None:
    task = room.rating.next("rater-1")
    assert task is not None
    question = task.questions[0]
    once = said(task, question.id, question.labels[0].label)
    first, again = room.rating.say("rater-1", once), room.rating.say("rater-1", once)
    assert (first.saved, first.again, again.saved, again.again) == (True, False, True, True)


def test_what_is_taken_back_gives_way_to_what_held_before(room: Room) -> None:
    task = room.rating.next("rater-1")
    assert task is not None
    question = task.questions[0]
    first, second = (said(task, question.id, one.label) for one in question.labels[:2])
    room.rating.say("rater-1", first)
    room.rating.say("rater-1", second)
    for undone, holds in ((second, first.label), (first, "")):
        room.rating.say("rater-1", said(task, question.id, takes_back=undone.client))
        after = room.rating.task("rater-1", task.code)
        if holds:
            assert after is not None
            assert after.given[question.id, ""].label == holds
        else:
            assert room.rating.next("rater-1") == task or after is not None


def test_nobody_reads_or_writes_what_is_anothers(room: Room) -> None:
    task = room.rating.next("rater-1")
    assert task is not None
    assert room.rating.task("rater-2", task.code) is None
    question = task.questions[0]
    receipt = room.rating.say("rater-2", said(task, question.id, question.labels[0].label))
    assert not receipt.saved
    assert receipt.refusal is not None
    assert receipt.refusal.word == "not_yours"


def test_what_was_not_asked_is_refused(room: Room) -> None:
    task = room.rating.next("rater-1")
    assert task is not None
    question = task.questions[0]
    for wrong, word in (
        (said(task, "kindness", "very"), "not_asked"),
        (said(task, question.id, question.labels[0].label, about="statement:9"), "not_asked"),
        (said(task, question.id, "no such label"), "no_label"),
        (said(task, question.id, reason="tired"), "no_label"),
        (said(task, question.id, question.labels[0].label, confidence=7.0), "no_label"),
    ):
        receipt = room.rating.say("rater-1", wrong)
        assert receipt.refusal is not None
        assert receipt.refusal.word == word


def test_a_link_opens_a_session_and_ends_when_it_is_revoked(room: Room, time: Time) -> None:
    token = room.access.invite("rater-1", days=2)
    person = room.access.look_up(token)
    assert person is not None
    assert person.name == "rater-1"
    secret = room.access.start(token, hours=1)
    assert secret is not None
    assert room.access.session(secret) == person
    time.on(hours=2)
    assert room.access.session(secret) is None
    other = room.access.start(token)
    assert other is not None
    assert room.access.revoke("rater-1") == 1
    assert room.access.session(other) is None
    assert room.access.look_up(token) is None
    late = room.access.invite("rater-2", days=2)
    time.on(days=3)
    assert room.access.start(late) is None


def test_a_new_link_ends_the_earlier_ones_and_sessions_go_on(room: Room) -> None:
    first = room.access.renew("lead")
    session = room.access.start(first)
    assert session is not None
    second = room.access.renew("lead")
    assert room.access.look_up(first) is None
    assert room.access.look_up(second) is not None
    assert room.access.session(session) is not None


def test_the_database_holds_neither_links_nor_what_codes_stand_for(
    room: Room, tmp_path: Path
) -> None:
    token = room.access.invite("rater-1")
    secret = room.access.start(token)
    assert secret is not None
    room.close()
    kept = (tmp_path / "room.db").read_bytes()
    assert token.encode() not in kept
    assert secret.encode() not in kept
    # The systems are named once, in the design, where raters choose among them at the end.
    assert kept.count(b"clinic") == 1
