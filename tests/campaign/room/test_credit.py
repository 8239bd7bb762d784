"""What a browser may claim: seconds, names that come again, and an order of its own."""

from pathlib import Path
from random import Random
from typing import Any

import pytest

from medassay.campaign.room import Guess, Reviewed, Room, RoomOptions, Said, Task

from .conftest import Time, answer, opened, said

pytestmark = pytest.mark.web
RATER = "rater-1"
DAY = 86_400.0


def next_task(room: Room) -> Task:
    task = room.rating.next(RATER)
    assert task is not None
    return task


@pytest.mark.parametrize("seed", range(5))
def test_no_claim_is_credited_beyond_the_servers_clock(room: Room, time: Time, seed: int) -> None:
    rng = Random(seed)  # noqa: S311 - draws claims
    task, begun = next_task(room), time.now
    question = task.questions[0]
    claimed = 0.0
    for _ in range(20):
        time.on(seconds=rng.choice([0, 0.5, 3, 60]))
        seconds = rng.choice([0.0, 1.0, 45.0, DAY])
        claimed += seconds
        label = question.labels[rng.randrange(2)].label
        room.rating.say(RATER, said(task, question.id, label, seconds=seconds))
        line = room.lead.progress("lead")[0]
        assert line.hours * 3600 <= (time.now - begun).total_seconds() + 1e-6
        assert line.claimed * 3600 == pytest.approx(claimed)


def test_what_is_sent_together_shares_the_time_since_the_last_answer(
    room: Room, time: Time
) -> None:
    task = next_task(room)
    question = task.questions[0]
    time.on(seconds=100)
    label = question.labels[0].label
    entries = [said(task, question.id, label, seconds=70.0) for _ in range(3)]
    assert all(receipt.saved for receipt in room.rating.submit(RATER, *entries).result())
    line = room.lead.progress("lead")[0]
    assert line.hours * 3600 == pytest.approx(100)
    assert line.claimed * 3600 == pytest.approx(210)


def test_a_name_that_comes_again_says_the_same_or_is_refused(room: Room) -> None:
    task = next_task(room)
    first, second = task.questions[:2]
    words: dict[str, Any] = {"client": "same-name", "code": task.code, "dimension": first.id}
    label = first.labels[0].label
    assert room.rating.say(RATER, Said(**words, label=label, comment="So.")).saved
    again = room.rating.say(RATER, Said(**words, label=label, comment="So."))
    assert (again.saved, again.again) == (True, True)
    others: list[dict[str, Any]] = [
        {"label": first.labels[1].label, "comment": "So."},
        {"label": label, "comment": "Not so."},
        {"label": label, "comment": "So.", "dangerous": True},
        {"label": label, "comment": "So.", "dimension": second.id},
        {"label": label, "comment": "So.", "code": "ELSE-WHERE"},
        {"reason": "cannot_judge"},
        {"takes_back": "same-name"},
    ]
    for other in others:
        receipt = room.rating.say(RATER, Said(**{**words, **other}))
        assert receipt.refusal is not None, other
        assert receipt.refusal.word == "said_before"
    back = Said("other-name", task.code, first.id, takes_back="same-name")
    assert [room.rating.say(RATER, back).saved for _ in range(2)] == [True, True]


def test_a_guess_that_comes_again_with_another_system_is_refused(
    study: Path, tmp_path: Path, time: Time
) -> None:
    with opened(study, tmp_path / "guessed.db", time, RoomOptions(guesses=1)) as room:
        room.rating.consent(RATER, room.design.options.information.version)
        while (task := room.rating.next(RATER)) is not None:
            answer(room, RATER, task)
        (due,) = room.rating.guesses_due(RATER)
        first, second = room.design.systems[:2]
        assert room.rating.guess(RATER, Guess("guess", due.code, first)).saved
        assert room.rating.guess(RATER, Guess("guess", due.code, first)).again
        assert not room.rating.guess(RATER, Guess("guess", due.code, second)).saved


@pytest.mark.parametrize("reviewed", [True, False], ids=["reviewed", "not reviewed"])
def test_nothing_is_taken_of_the_rest_before_the_first_answers(
    study: Path,
    tmp_path: Path,
    time: Time,
    reviewed: bool,  # noqa: FBT001 - a parameter of pytest
) -> None:
    options = RoomOptions(guesses=0, review_calibration=reviewed)
    with opened(study, tmp_path / "first.db", time, options, calibration=1) as room:
        room.rating.consent(RATER, room.design.options.information.version)
        with room.database.reading() as connection:
            places = room.rating.mine(connection, RATER)
        code = next(place.code for place in places if place.phase == "main")
        first = next_task(room)
        question = first.questions[0]

        def main_is_taken(name: str) -> bool:
            label = question.labels[0].label
            receipt = room.rating.say(RATER, Said(name, code, question.id, label=label))
            return receipt.saved

        assert not main_is_taken("before")
        answer(room, RATER, first)
        if reviewed:
            assert not main_is_taken("unreviewed")
            room.lead.review("reviewer", Reviewed(RATER, "passed"))
        assert main_is_taken("after")
