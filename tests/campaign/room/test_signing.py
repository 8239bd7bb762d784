"""Signatures: a passphrase set once, given again to sign, and bound to what was said."""

import csv
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest
from typer.testing import CliRunner

from medassay.campaign import Wishes, create_campaign
from medassay.campaign.room import (
    Reviewed,
    Room,
    RoomOptions,
    Stand,
    copy_room,
    erase,
    export_room,
    migrations,
    open_room,
    signing,
)
from medassay.campaign.room.database import Database
from medassay.campaign.room.sql import sql
from medassay.cli import app
from medassay.errors import InvalidInput
from medassay.study import Study

from .conftest import SECRET, WHOLE_HASHER, Time, answer, opened, said

pytestmark = pytest.mark.web
RATER = "rater-1"
WORDS = "four green teapots"
OPTIONS = RoomOptions(guesses=0, signatures=True)
LATER = """
revision = "later"
down_revision = "0001"

def upgrade():
    import sqlalchemy as s
    from alembic import op
    with op.batch_alter_table("signatures") as table:
        table.add_column(s.Column("newer", s.Integer, nullable=False, server_default="0"))
"""


@pytest.fixture
def room(study: Path, tmp_path: Path, time: Time) -> Iterator[Room]:
    """Give a room of twelve answers in three batches; its raters agreed."""
    with opened(study, tmp_path / "room.db", time, OPTIONS, batch=4) as room:
        for rater in room.design.settings.raters:
            room.rating.consent(rater, room.design.options.information.version)
        yield room


def stand(room: Room) -> Stand:
    return room.rating.stand(RATER)


def rate_batch(room: Room) -> Stand:
    """Answer what is open until something else is due; breaks are taken."""
    while (now := stand(room)).standing in {"task", "break"}:
        if now.pause is not None:
            room.rating.take_break(RATER, now.pause.after)
            continue
        task = room.rating.next(RATER)
        assert task is not None
        answer(room, RATER, task)
    return now


def sign_due(room: Room, passphrase: str = WORDS) -> tuple[int, ...]:
    due = {one.batch: one.sha256 for one in stand(room).signing}
    return room.signing.sign(RATER, passphrase, due).signed


def change(room: Room, code: str) -> None:
    task = room.rating.task(RATER, code)
    assert task is not None
    question = task.questions[0]
    other = next(
        one.label for one in question.labels if one.label != task.given[question.id, ""].label
    )
    assert room.rating.say(RATER, said(task, question.id, other)).saved


def test_a_passphrase_comes_before_the_first_answer_and_is_kept_as_a_hash(
    room: Room, tmp_path: Path
) -> None:
    assert stand(room).standing == "passphrase"
    short = room.signing.set_passphrase(RATER, "teapots")
    assert short.refusal is not None
    assert short.refusal.word == "too_simple"
    assert room.signing.set_passphrase(RATER, WORDS).refusal is None
    again = room.signing.set_passphrase(RATER, "another one of mine")
    assert again.refusal is not None
    assert again.refusal.word == "passphrase_set"
    assert stand(room).standing == "task"
    room.close()
    assert WORDS.encode() not in (tmp_path / "room.db").read_bytes()


def test_users_passphrases_are_hashed_at_the_cost_that_the_library_advises(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(signing, "_hasher", WHOLE_HASHER)
    kept = signing.hashed(WORDS)
    assert kept.startswith("$argon2id$v=19$m=65536,t=3,p=4$")
    assert signing.is_right(f"{WORDS} ", kept)
    assert not signing.is_right("another one of mine", kept)


def test_each_finished_batch_is_signed_before_the_next(room: Room, study: Path) -> None:
    room.signing.set_passphrase(RATER, WORDS)
    signed: list[int] = []
    while (now := rate_batch(room)).standing == "sign":
        (due,) = now.signing
        assert (due.answers, due.meaning) == (4, "authorship")
        # As a phone types it.
        signed += sign_due(room, f"{WORDS} ")
    assert (signed, now.standing) == ([1, 2, 3], "done")
    lines, signatures = room.signing.signatures("lead")
    assert [one.holds for one in signatures] == [True] * 3
    assert {(one.rater, one.signed, one.finished, one.unsigned) for one in lines} == {
        (RATER, 3, 3, 0),
        ("rater-2", 0, 0, 0),
    }
    done = export_room(Study.open_whole(study), room)
    assert not any("not signed" in note for note in done.notes)
    text = (study / "campaigns/main/signatures.csv").read_text(encoding="utf-8")
    rows = list(csv.DictReader(text.splitlines()))
    assert [(row["rater"], row["meaning"], row["batch"], row["holds"]) for row in rows] == [
        (RATER, "authorship", batch, "yes") for batch in "123"
    ]
    codes = " ".join(row["codes"] for row in rows).split()
    assert len(set(codes)) == 12
    trail = (study / "campaigns/main/audit.csv").read_text(encoding="utf-8")
    assert rows[0]["sha256"] in trail


def test_a_change_ends_a_signature_until_it_is_signed_again(room: Room, study: Path) -> None:
    room.signing.set_passphrase(RATER, WORDS)
    first = rate_batch(room).signing[0]
    sign_due(room)
    change(room, first.code)
    (due,) = stand(room).signing
    assert (due.batch, due.meaning) == (1, "correction")
    (_, (signature,)) = room.signing.signatures("lead")
    assert not signature.holds
    done = export_room(Study.open_whole(study), room)
    assert f"4 judged answers of {RATER}: not signed, or changed since." in done.notes
    assert sign_due(room) == (1,)
    (_, signatures) = room.signing.signatures("lead")
    assert [(one.meaning, one.holds) for one in signatures] == [
        ("authorship", False),
        ("correction", True),
    ]
    # What was signed once holds again where the change is taken back.
    change(room, first.code)
    assert stand(room).standing != "sign"
    assert [one.holds for one in room.signing.signatures("lead")[1]] == [True, False]


def test_what_waits_in_a_browser_is_taken_after_a_reset(room: Room) -> None:
    room.signing.set_passphrase(RATER, WORDS)
    task = room.rating.next(RATER)
    assert task is not None
    room.signing.reset("lead", RATER)
    question = task.questions[0]
    assert room.rating.say(RATER, said(task, question.id, question.labels[0].label)).saved


@pytest.mark.parametrize("more", [{"comment": "On reflection."}, {"dangerous": True}])
def test_words_and_marks_are_signed_too(room: Room, more: dict[str, object]) -> None:
    room.signing.set_passphrase(RATER, WORDS)
    first = rate_batch(room).signing[0]
    sign_due(room)
    task = room.rating.task(RATER, first.code)
    assert task is not None
    assert room.rating.say(RATER, said(task, "", **more)).saved  # type: ignore[arg-type] # the tests' own words
    assert stand(room).standing == "sign"


def test_what_was_changed_elsewhere_is_not_signed_unseen(room: Room) -> None:
    room.signing.set_passphrase(RATER, WORDS)
    shown = rate_batch(room).signing[0]
    change(room, shown.code)
    receipt = room.signing.sign(RATER, WORDS, {shown.batch: shown.sha256})
    assert receipt.refusal is not None
    assert receipt.refusal.word == "changed"
    assert sign_due(room) == (1,)
    # Sent again, since the answer was lost on its way: signed once.
    now = {1: room.signing.signatures("lead")[1][0].sha256}
    assert room.signing.sign(RATER, WORDS, now).signed == (1,)
    assert len(room.signing.signatures("lead")[1]) == 1


def test_nobody_signs_an_unfinished_batch(room: Room) -> None:
    room.signing.set_passphrase(RATER, WORDS)
    receipt = room.signing.sign(RATER, WORDS, {1: "0" * 64})
    assert receipt.refusal is not None
    assert receipt.refusal.word == "changed"
    assert room.signing.signatures("lead")[1] == []


def test_wrong_passphrases_are_counted_and_wait_and_the_lead_lets_one_back_in(
    room: Room, time: Time, study: Path
) -> None:
    room.signing.set_passphrase(RATER, WORDS)
    due = {one.batch: one.sha256 for one in rate_batch(room).signing}
    left = [room.signing.sign(RATER, "open sesame, please", due).left for _ in range(4)]
    assert left == [4, 3, 2, 1]
    receipt = room.signing.sign(RATER, "open sesame, please", due)
    assert receipt.refusal is not None
    assert (receipt.refusal.word, receipt.wait) == ("too_many_tries", 15)
    right = room.signing.sign(RATER, WORDS, due)
    assert right.refusal is not None
    assert (right.refusal.word, right.signed) == ("too_many_tries", ())
    assert room.signing.signatures("lead")[0][0].wrong == 5
    time.on(minutes=16)
    assert room.signing.sign(RATER, WORDS, due).signed == (1,)
    assert room.signing.signatures("lead")[0][0].wrong == 0
    due = {one.batch: one.sha256 for one in rate_batch(room).signing}
    for _ in range(5):
        room.signing.sign(RATER, "open sesame, please", due)
    room.signing.reset("lead", RATER, "forgotten, asked by telephone")
    now = stand(room)
    assert (now.standing, now.renewed) == ("passphrase", True)
    room.signing.set_passphrase(RATER, "seven blue kettles")
    assert sign_due(room, "seven blue kettles") == (2,)
    assert all(one.holds for one in room.signing.signatures("lead")[1])
    export_room(Study.open_whole(study), room)
    trail = (study / "campaigns/main/audit.csv").read_text(encoding="utf-8")
    assert trail.count("wrong passphrase") == 10
    assert "forgotten, asked by telephone" in trail
    assert "sesame" not in trail
    with pytest.raises(InvalidInput, match="be a rater"):
        room.signing.reset("lead", "nobody")


@pytest.mark.parametrize("status", ["paused", "closed"])
def test_nothing_is_signed_while_the_room_takes_nothing(
    room: Room, status: Literal["paused", "closed"]
) -> None:
    room.signing.set_passphrase(RATER, WORDS)
    due = {one.batch: one.sha256 for one in rate_batch(room).signing}
    room.lead.set_status("lead", status)
    receipt = room.signing.sign(RATER, WORDS, due)
    assert receipt.refusal is not None
    assert receipt.refusal.word == status
    assert room.signing.signatures("lead")[1] == []


def test_first_answers_are_signed_when_they_have_been_reviewed(
    study: Path, tmp_path: Path, time: Time
) -> None:
    with opened(study, tmp_path / "room.db", time, OPTIONS, calibration=2, batch=5) as room:
        room.rating.consent(RATER, room.design.options.information.version)
        room.signing.set_passphrase(RATER, WORDS)
        assert rate_batch(room).standing == "review"
        room.lead.review("reviewer", Reviewed(RATER, "passed"))
        now = stand(room)
        assert (now.standing, now.signing[0].answers) == ("sign", 2)


def test_what_a_rater_signed_goes_with_what_they_said(room: Room, study: Path) -> None:
    room.signing.set_passphrase(RATER, WORDS)
    rate_batch(room)
    sign_due(room)
    erase(Study.open_whole(study), room, RATER, SECRET)
    assert not room.signing.signatures("lead")[0][0].passphrase
    # Who it was is known no more; what they said, and signed, stays under the pseudonym.
    assert [one.holds for one in room.signing.signatures("lead")[1]] == [True]
    assert erase(Study.open_whole(study), room, RATER, SECRET, labels=True).rows["signatures"] == 1
    assert room.signing.signatures("lead")[1] == []


def test_where_nothing_is_signed_nobody_is_asked(study: Path, tmp_path: Path, time: Time) -> None:
    with opened(study, tmp_path / "room.db", time) as room:
        room.rating.consent(RATER, room.design.options.information.version)
        assert stand(room).standing == "task"
        for receipt in (
            room.signing.set_passphrase(RATER, WORDS),
            room.signing.sign(RATER, WORDS, {1: "0" * 64}),
        ):
            assert receipt.refusal is not None
            assert receipt.refusal.word == "not_asked"


def test_a_room_of_an_earlier_version_goes_on_and_so_does_its_copy(
    study: Path, tmp_path: Path, time: Time, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A step that comes later adds what it adds, and all that was said is there."""
    where, copy = tmp_path / "room.db", tmp_path / "copy.db"
    with opened(study, where, time, OPTIONS) as room:
        room.rating.consent(RATER, room.design.options.information.version)
        room.signing.set_passphrase(RATER, WORDS)
        task = room.rating.next(RATER)
        assert task is not None
        answer(room, RATER, task)
    later = shutil.copytree(migrations.__path__[0], tmp_path / "later")
    (later / "versions" / "later.py").write_text(LATER)
    monkeypatch.setattr(migrations, "_HERE", later)
    assert copy_room(where, copy)["judgements"] > 0
    assert migrations.version_of(Database(where)) == "0001"
    for path in (where, copy):
        with Room(path, time) as room:
            assert migrations.version_of(room.database) == "later"
            with room.database.reading() as reading:
                newer = sql().Table("signatures", sql().MetaData(), autoload_with=reading)
            assert "newer" in newer.c
            assert stand(room).progress.done == 1


def test_whoever_closes_is_told_what_is_not_signed(study: Path) -> None:
    create_campaign(Study.open_whole(study), Wishes(raters="2"), SECRET)
    settings = study / "campaigns" / "main" / "campaign.toml"
    asked = settings.read_text(encoding="utf-8").replace("[room]", "[room]\nsignatures = true", 1)
    settings.write_text(asked, encoding="utf-8")
    with open_room(Study.open_whole(study)) as room:
        room.rating.consent(RATER, room.design.options.information.version)
        room.signing.set_passphrase(RATER, WORDS)
        task = room.rating.next(RATER)
        assert task is not None
        answer(room, RATER, task)
    told = CliRunner().invoke(app, ["campaign", "close", str(study)])
    assert told.exit_code == 0, told.output
    assert f"note: 1 judged answer of {RATER} not signed, or changed since." in told.output
