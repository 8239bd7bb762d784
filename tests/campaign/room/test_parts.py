"""Numbers, and kinds of passages with how bad each is: what is taken, and what comes home."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.web.conftest import Visitor

from medassay.campaign import Wishes, create_campaign
from medassay.campaign.room import (
    Reviewed,
    Room,
    Settled,
    Task,
    export_room,
    open_demo,
    open_room,
)
from medassay.errors import InvalidInput
from medassay.study import Study

from .conftest import SECRET, answer, said

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


@pytest.mark.parametrize(
    ("said_of_it", "done", "rows"),
    [
        ([], False, []),
        ([{"label": "none"}], True, [("none", None)]),
        ([{"reason": "cannot_judge"}], True, [(None, "cannot_judge")]),
        ([{"label": ONCE[0], "about": ONCE[1]}], True, [("contradicted", None)]),
        (
            [{"reason": "cannot_judge"}, {"label": ONCE[0], "about": ONCE[1]}],
            True,
            [("contradicted", None)],
        ),
        (
            [{"label": ONCE[0], "about": ONCE[1]}, {"reason": "not_applicable", "about": ONCE[1]}],
            False,
            [("contradicted", None), (None, "not_applicable")],
        ),
    ],
    ids=["nothing", "none pressed", "cannot judge", "a mark", "a mark after all", "taken back"],
)
def test_passages_are_open_until_somebody_says_something_of_them(
    folder: Path,
    room: Room,
    task: Task,
    said_of_it: list[dict[str, object]],
    done: bool,  # noqa: FBT001 - a parameter of pytest
    rows: list[tuple[str | None, str | None]],
) -> None:
    room.rating.say("rater-1", said(task, "usefulness", number=40.0))
    for more in said_of_it:
        assert room.rating.say("rater-1", said(task, "errors", **more)).saved  # type: ignore[arg-type] # the tests' own words
    assert room.rating.stand("rater-1").progress.done == int(done)
    assert room.rating.stand("rater-1").standing == ("review" if done else "task")
    export_room(Study.open_whole(folder), room)
    frame = Study.open_whole(folder).judgements_on_file.frame
    of_errors = frame.filter(frame["dimension"] == "errors")
    held = [(row.get("kind"), row.get("reason")) for row in of_errors.iter_rows(named=True)]
    assert held == rows


def rate_all(room: Room, rater: str, number: float) -> None:
    """Answer everything alike but for the number; first answers are reviewed."""
    while (stand := room.rating.stand(rater)).standing in {"task", "break", "review"}:
        if stand.standing == "review":
            room.lead.review("reviewer", Reviewed(rater, "passed"))
        elif stand.pause is not None:
            room.rating.take_break(rater, stand.pause.after)
        else:
            task = room.rating.next(rater)
            assert task is not None
            answer(room, rater, task)
            room.rating.say(rater, said(task, "usefulness", number=number))


def test_numbers_that_differ_are_settled_too(folder: Path, room: Room) -> None:
    room.rating.consent("rater-2", room.design.options.information.version)
    for rater, given in (("rater-1", 40.0), ("rater-2", 62.5)):
        rate_all(room, rater, given)
    room.lead.set_status("lead", "closed")
    lines = room.settling.waiting("lead")
    assert {(line.labels, line.differences) for line in lines} == {(False, 1)}
    line = lines[0]
    disputed = room.settling.disputed("lead", line.item)
    assert disputed is not None
    (one,) = disputed.differences
    assert one.said == (40.0, 62.5)
    for wrong in (
        {"number": 101.0},
        {"label": "41"},
        {"number": 41.0, "reason": "cannot_judge"},
        {},
    ):
        with pytest.raises(InvalidInput, match="a number from 0 to 100 points"):
            room.settling.settle("lead", Settled(line.item, "usefulness", **wrong))
    room.settling.settle("lead", Settled(line.item, "usefulness", number=40.5, comment="Between."))
    after = {each.item: each.settled for each in room.settling.waiting("lead")}
    assert after[line.item] == 1
    assert list(after)[-1] == line.item
    export_room(Study.open_whole(folder), room)
    frame = Study.open_whole(folder).judgements_on_file.frame
    (row,) = frame.filter(frame["phase"] == "adjudication").iter_rows(named=True)
    assert (row["rater"], row["number"], row["comment"]) == ("lead", 40.5, "Between.")


@pytest.mark.parametrize("typed", ["420", "4O", "nan", "", "1e400"])
def test_a_number_that_is_none_comes_back_to_be_mended_with_all_that_was_typed(
    room: Room, typed: str
) -> None:
    room.rating.consent("rater-2", room.design.options.information.version)
    for rater, given in (("rater-1", 40.0), ("rater-2", 62.5)):
        rate_all(room, rater, given)
    room.lead.set_status("lead", "closed")
    line, *_ = room.settling.waiting("lead")
    lead = Visitor(room, "lead")
    why = "The dose is wrong, and <b>so</b> is the unit."
    form = {"dimension": "usefulness", "number": typed, "comment": why, "at": "d1"}
    told = lead.post(f"/settle/{line.item}", form)
    assert told.status_code == 422
    assert "This is not a number that is asked for." in told.text
    assert f'value="{typed}" aria-invalid="true"' in told.text
    assert "The dose is wrong, and &lt;b&gt;so&lt;/b&gt; is the unit." in told.text
    assert {each.settled for each in room.settling.waiting("lead")} == {0}
    assert lead.post(f"/settle/{line.item}", form | {"number": "41,5"}).status_code == 303
    disputed = room.settling.disputed("lead", line.item)
    assert disputed is not None
    (one,) = disputed.differences
    assert (one.settled.number, one.settled.comment) == (41.5, why)


SURE = ("unsure", "fairly sure", "sure")


@pytest.fixture
def asked(folder: Path) -> Iterator[Room]:
    """Give a room whose rubric asks how sure a rater is: in words of documents, else a share."""
    open_demo(folder, "parts").close()
    rubric = (folder / "rubric.toml").read_text(encoding="utf-8")
    words = ", ".join(f'"{word}"' for word in SURE)
    rubric = rubric.replace('about = "document"\n', f'about = "document"\nconfidence = [{words}]\n')
    rubric = rubric.replace("number = {", 'confidence = "0-1"\nnumber = {')
    (folder / "rubric.toml").write_text(rubric, encoding="utf-8")
    wishes = Wishes("eva,finn", "sure", "answers", overlap=2)
    create_campaign(Study.open_whole(folder), wishes, SECRET)
    with open_room(Study.open_whole(folder), "sure") as room:
        room.rating.consent("eva", room.design.options.information.version)
        yield room


def test_how_sure_a_rater_is_is_stored_before_the_answer_is_seen(folder: Path, asked: Room) -> None:
    task = asked.rating.next("eva")
    assert task is not None
    (documents,) = task.questions
    assert documents.confidence == SURE
    for about in documents.about:
        asked.rating.say("eva", said(task, documents.id, "helps", about=about.about))
    still = asked.rating.task("eva", task.code)
    assert still is not None
    assert (still.stage, still.shown.answer) == ("documents", None)
    early = asked.rating.say("eva", said(task, "usefulness", number=40.0))
    assert early.refusal is not None
    assert early.refusal.word == "not_asked"
    for about in documents.about:
        label = said(task, documents.id, "helps", about=about.about, confidence="fairly sure")
        assert asked.rating.say("eva", label).saved
    opened = asked.rating.task("eva", task.code)
    assert opened is not None
    assert opened.shown.answer is not None
    late = said(task, documents.id, "helps", about=documents.about[0].about, confidence="sure")
    receipt = asked.rating.say("eva", late)
    assert receipt.refusal is not None
    assert receipt.refusal.word == "too_late"
    number = said(task, "usefulness", number=40.0, confidence=0.75)
    assert asked.rating.say("eva", number).saved
    export_room(Study.open_whole(folder), asked)
    frame = Study.open_whole(folder).judgements_on_file.current()
    sure = dict(frame.select("dimension", "confidence").unique().rows())
    assert sure == {"relevance": "fairly sure", "usefulness": "0.75"}


@pytest.mark.parametrize(
    ("dimension", "confidence", "word"),
    [
        ("relevance", "sure", ""),
        ("relevance", "certain", "no_label"),
        ("relevance", 0.5, "no_label"),
        ("usefulness", 0.5, ""),
        ("usefulness", 1.5, "no_label"),
        ("usefulness", "sure", "no_label"),
        ("usefulness", "0-1", "no_label"),
    ],
)
def test_how_sure_is_said_as_the_rubric_asks_it(
    asked: Room, dimension: str, confidence: object, word: str
) -> None:
    task = asked.rating.next("eva")
    assert task is not None
    if dimension == "usefulness":
        (documents,) = task.questions
        for about in documents.about:
            label = said(task, documents.id, "helps", about=about.about, confidence="sure")
            asked.rating.say("eva", label)
        words = said(task, dimension, number=40.0, confidence=confidence)
    else:
        first = task.questions[0].about[0]
        words = said(task, dimension, "helps", about=first.about, confidence=confidence)
    receipt = asked.rating.say("eva", words)
    assert (receipt.saved, receipt.refusal.word if receipt.refusal else "") == (not word, word)


def test_nobody_is_asked_how_sure_they_are_where_the_study_has_no_place_for_it(
    folder: Path,
) -> None:
    open_demo(folder, "parts").close()
    create_campaign(Study.open_whole(folder), Wishes("eva,finn", "more", "answers"), SECRET)
    options = folder / "campaigns/more/campaign.toml"
    options.write_text("[room]\nask_confidence = true\n", encoding="utf-8")
    with pytest.raises(InvalidInput, match="relevance, errors, usefulness") as told:
        open_room(Study.open_whole(folder), "more")
    assert "campaign.toml" in str(told.value)
