"""A campaign in a room from its first link to what comes home, on both stores."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from medassay.campaign import Wishes, create_campaign
from medassay.campaign.create import DESIGN
from medassay.campaign.room import (
    Guess,
    Reviewed,
    Room,
    copy_room,
    erase,
    export_room,
    invite,
    open_room,
    unheeded_options,
)
from medassay.errors import InvalidInput
from medassay.judgements.campaign import find_plans
from medassay.study import Study

from .conftest import SECRET, Time, answer, said
from .stores import STORES, postgres, store

pytestmark = pytest.mark.web


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with postgres() as address:
        yield address


@pytest.fixture(params=STORES)
def where(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Give an empty database; PostgreSQL is started where it is the one that is tested."""
    server = request.getfixturevalue("server") if request.param == "postgres" else ""
    return store(request.param, tmp_path / "study" / "campaigns" / "main", server)


def created(folder: Path, where: str, **wishes: object) -> None:
    database = where if "://" in where else None
    asked = Wishes(**{"raters": "2", "database": database, **wishes})  # type: ignore[arg-type] # the tests' own words
    create_campaign(Study.open_whole(folder), asked, SECRET)


@pytest.fixture
def opened(study: Path, where: str, time: Time) -> Iterator[Room]:
    created(study, where)
    with open_room(Study.open_whole(study), clock=time) as room:
        for rater in room.design.settings.raters:
            room.rating.consent(rater, room.design.options.information.version)
        yield room


def test_a_database_that_another_program_uses_is_refused_and_left_as_it_was(
    study: Path, server: str, tmp_path: Path
) -> None:
    from sqlalchemy import create_engine, inspect

    where = store("postgres", tmp_path, server)
    engine = create_engine(where)
    with engine.begin() as connection:
        connection.exec_driver_sql("CREATE TABLE patients (name text)")
    created(study, where)
    with pytest.raises(InvalidInput, match=r"hold nothing but the room.*patients"):
        open_room(Study.open_whole(study))
    assert inspect(engine).get_table_names() == ["patients"]
    engine.dispose()


def rate_all(room: Room, rater: str) -> int:
    """Answer everything, breaks taken; give how many answers there were."""
    count = 0
    while (stand := room.rating.stand(rater)).standing in {"task", "break"}:
        if stand.pause is not None:
            room.rating.take_break(rater, stand.pause.after)
            continue
        task = room.rating.next(rater)
        assert task is not None
        answer(room, rater, task)
        count += 1
    return count


def test_what_was_said_comes_home_once_with_its_history(study: Path, opened: Room) -> None:
    assert rate_all(opened, "rater-1") == 12
    code = find_plans(study)["main"].of_rater("rater-1")[0].code
    task = opened.rating.task("rater-1", code)
    assert task is not None
    question = task.questions[0]
    opened.rating.say("rater-1", said(task, question.id, question.labels[1].label, comment="=1+1"))
    opened.rating.say("rater-1", said(task, "", dangerous=True, comment="Never."))
    done = export_room(Study.open_whole(study), opened)
    questions = len(task.questions)
    assert (done.added, done.known) == (12 * questions + 1, 0)
    again = export_room(Study.open_whole(study), opened)
    assert (again.added, again.known) == (0, 12 * questions + 1)
    judgements = Study.open_whole(study).judgements_on_file
    assert judgements.corrected == 1
    item = find_plans(study)["main"].by_code[code].item
    row = judgements.current().filter(
        (judgements.current()["case"] == item.case)
        & (judgements.current()["system"] == item.system)
        & (judgements.current()["dimension"] == question.id)
    )
    assert row["label"].to_list() == [question.labels[1].label]
    assert row["comment"].to_list() == ["=1+1\nNever."]
    home = study / "campaigns" / "main"
    assert item.system in (home / "dangerous.csv").read_text(encoding="utf-8")
    trail = (home / "audit.csv").read_text(encoding="utf-8").splitlines()
    assert len(trail) > 12 * questions
    assert any(
        question.labels[0].label in line and question.labels[1].label in line for line in trail
    )


def test_what_was_taken_back_stays_in_the_room(study: Path, opened: Room) -> None:
    task = opened.rating.next("rater-1")
    assert task is not None
    question = task.questions[0]
    slip = said(task, question.id, question.labels[0].label)
    opened.rating.say("rater-1", slip)
    opened.rating.say("rater-1", said(task, question.id, takes_back=slip.client))
    assert export_room(Study.open_whole(study), opened).added == 0
    trail = (study / "campaigns" / "main" / "audit.csv").read_text(encoding="utf-8")
    assert question.labels[0].label in trail


def test_the_design_is_frozen_with_its_hash_before_anybody_rates(study: Path, where: str) -> None:
    created(study, where)
    # Nobody was sent anything yet: what is asked may still change.
    created(study, where, repeats=1)
    with open_room(Study.open_whole(study)) as room:
        frozen = json.loads((study / "campaigns" / "main" / DESIGN).read_text(encoding="utf-8"))
        assert frozen["hash"] == room.design.hash
    with pytest.raises(InvalidInput, match="name a new campaign"):
        created(study, where, repeats=2)
    answers = study / "answers" / "clinic.csv"
    answers.write_text(answers.read_text(encoding="utf-8").replace("6", "7"), encoding="utf-8")
    with open_room(Study.open_whole(study)) as again:
        assert again.design == room.design


def test_what_is_changed_after_the_freeze_is_named(study: Path, opened: Room) -> None:
    assert unheeded_options(study, "main", opened) == []
    options = study / "campaigns" / "main" / "campaign.toml"
    text = options.read_text(encoding="utf-8")
    signed = text.replace("# signatures = false", "signatures = true")
    options.write_text(signed, encoding="utf-8")
    assert unheeded_options(study, "main", opened) == ["signatures"]


def test_a_copy_made_while_raters_go_on_is_a_room_of_its_own(
    opened: Room, where: str, tmp_path: Path
) -> None:
    task = opened.rating.next("rater-1")
    assert task is not None
    answer(opened, "rater-1", task)
    counts = copy_room(where, tmp_path / "copy.db")
    assert counts["judgements"] == len(task.questions)
    with Room(tmp_path / "copy.db") as copy:
        assert copy.rating.task("rater-1", task.code) == opened.rating.task("rater-1", task.code)
        later = copy.rating.next("rater-1")
        assert later is not None
        answer(copy, "rater-1", later)
    with pytest.raises(InvalidInput, match="hold no room yet"):
        copy_room(where, tmp_path / "copy.db")
    with pytest.raises(InvalidInput, match="hold a rating room"):
        copy_room(tmp_path / "none.db", tmp_path / "other.db")


def test_a_copy_put_back_goes_on_counting(
    opened: Room, where: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    task = opened.rating.next("rater-1")
    assert task is not None
    answer(opened, "rater-1", task)
    copy_room(where, tmp_path / "copy.db")
    back = store("postgres", tmp_path, request.getfixturevalue("server"))
    copy_room(tmp_path / "copy.db", back)
    with Room(back) as room:
        assert rate_all(room, "rater-1") == 11


def test_an_erased_rater_leaves_nothing_behind(study: Path, opened: Room) -> None:
    token = opened.access.invite("rater-1")
    secret = opened.access.start(token)
    first = opened.rating.next("rater-1")
    assert first is not None
    opened.rating.say("rater-1", said(first, "", comment="zqxvk"))
    rate_all(opened, "rater-1")
    rate_all(opened, "rater-2")
    done = erase(Study.open_whole(study), opened, "rater-1", SECRET, labels=True)
    assert done.rows["judgements"] > 12
    if opened.database.is_file:
        path = opened.database.path
        left = [one.read_bytes() for one in path.parent.glob(f"{path.name}*")]
        assert not any(b"zqxvk" in one for one in left)
    assert opened.access.look_up(token) is None
    assert opened.access.session(str(secret)) is None
    assert opened.rating.stand("rater-1").standing == "closed"
    assert opened.rating.stand("rater-2").progress.done == 12
    export_room(Study.open_whole(study), opened)
    frame = Study.open_whole(study).judgements_on_file.frame
    assert frame["rater"].unique().to_list() == ["rater-2"]


def test_links_are_written_for_a_mail_merge_and_nothing_is_sent(
    study: Path, where: str, tmp_path: Path
) -> None:
    people = tmp_path / "people.csv"
    people.write_text(
        "rater,email\nanna,anna@ward.example;a.b@home.example\nben,ben@ward.example\n",
        encoding="utf-8",
    )
    created(study, where, raters=str(people))
    with open_room(Study.open_whole(study)) as room:
        done = invite(Study.open_whole(study), room, "https://rate.ward.example/")
        assert set(done.links) == {"anna", "ben"}
        again = invite(Study.open_whole(study), room, "https://rate.ward.example", ["anna"])
        token = done.links["anna"].partition("#")[2]
        assert room.access.look_up(token) is None
        person = room.access.look_up(again.links["anna"].partition("#")[2])
        assert person is not None
        assert person.name == "anna"
    rows = (study / "campaigns/main/invitations.csv").read_text(encoding="utf-8")
    assert "anna@ward.example" in rows
    assert "a.b@home.example" in rows
    # What was not sent yet is still there, once, and no link that has ended.
    assert (again.kept, done.kept) == (["ben"], [])
    assert done.links["ben"] in rows
    assert done.links["anna"] not in rows
    with open_room(Study.open_whole(study)) as room:
        lead = invite(Study.open_whole(study), room, "https://rate.ward.example", ["lead"])
    assert lead.files == []
    assert (study / "campaigns/main/invitations.csv").read_text(encoding="utf-8") == rows


def test_calibration_is_reviewed_before_the_rest_opens(study: Path, where: str, time: Time) -> None:
    created(study, where, calibration=2)
    with open_room(Study.open_whole(study), clock=time) as room:
        room.rating.consent("rater-1", room.design.options.information.version)
        seen = []
        while (task := room.rating.next("rater-1")) is not None:
            assert task.calibration
            answer(room, "rater-1", task)
            seen.append(task)
        assert len(seen) == 2
        task = seen[-1]
        assert room.rating.stand("rater-1").standing == "review"
        first = room.lead.calibration_of("reviewer", "rater-1")
        assert [each.code for each in first.tasks][-1] == task.code
        room.lead.review("reviewer", Reviewed("rater-1", "mistake", task.code, "Look at the dose."))
        room.lead.review("reviewer", Reviewed("rater-1", "again", note="One to look at again."))
        stand = room.rating.stand("rater-1")
        assert (stand.standing, stand.note) == ("again", "One to look at again.")
        assert not room.rating.hand_in("rater-1")
        question = task.questions[0]
        changed = said(task, question.id, question.labels[1].label)
        assert room.rating.say("rater-1", changed).saved
        assert room.rating.hand_in("rater-1")
        assert room.rating.stand("rater-1").standing == "review"
        room.lead.review("reviewer", Reviewed("rater-1", "passed"))
        stand = room.rating.stand("rater-1")
        assert [remark.settled for remark in stand.remarks] == ["changed"]
        assert stand.standing == "reviewed"
        room.rating.read_review("rater-1", stand.review)
        stand = room.rating.stand("rater-1")
        assert stand.standing in {"task", "break"}
        late = room.rating.say("rater-1", said(task, question.id, question.labels[0].label))
        assert late.refusal is not None
        assert late.refusal.word == "too_late"


def test_systems_are_guessed_at_the_end_and_only_then(study: Path, opened: Room) -> None:
    rate_all(opened, "rater-1")
    assert opened.rating.stand("rater-1").standing == "guess"
    due = opened.rating.guesses_due("rater-1")
    assert len(due) == 5
    for place, task in enumerate(due):
        guess = Guess(f"guess-{place}", task.code, opened.design.systems[0], 0.5)
        assert opened.rating.guess("rater-1", guess).saved
        assert opened.rating.guess("rater-1", guess).again
    assert opened.rating.stand("rater-1").standing == "done"
    strange = Guess("guess-x", due[0].code, "nobody")
    assert not opened.rating.guess("rater-1", strange).saved
    export_room(Study.open_whole(study), opened)
    lines = (study / "campaigns/main/guesses.csv").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 6
