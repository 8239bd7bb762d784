"""Documents are labelled once a case: carried to other answers, marked, and counted once."""

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

import pytest
from tests.campaign.conftest import write_study

from medassay.agreement import agree
from medassay.analyses.inputs.study_description import methods_of
from medassay.campaign import Wishes, create_campaign
from medassay.campaign.room import Reviewed, Room, Task, export_room, open_demo
from medassay.errors import InvalidInput
from medassay.judgements import Judgements, Rubric, units
from medassay.judgements.campaign import Item, Secret, Settings, find_plans, make_assignments
from medassay.study import Study

from .conftest import answer, said

pytestmark = pytest.mark.web
RATER = "rater-1"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "study"


@pytest.fixture
def room(folder: Path) -> Iterator[Room]:
    with open_demo(folder, "parts") as room:
        for rater in room.design.settings.raters:
            room.rating.consent(rater, room.design.options.information.version)
        yield room


def until_carried(room: Room, rater: str = RATER) -> Task:
    """Rate until an answer comes whose documents were labelled before."""
    for _ in range(200):
        stand = room.rating.stand(rater)
        if stand.standing == "review":
            room.lead.review("reviewer", Reviewed(rater, "passed"))
            continue
        if stand.pause is not None:
            room.rating.take_break(rater, stand.pause.after)
            continue
        task = room.rating.next(rater)
        assert task is not None, stand
        if task.earlier_labels:
            return task
        answer(room, rater, task)
    raise AssertionError("no document came twice")


def carry(room: Room, task: Task, rater: str = RATER) -> None:
    """Say what the browser says when it opens the answer."""
    for (dimension, about), given in task.earlier_labels.items():
        again = said(task, dimension, given.label, about=about, number=given.number, carried=True)
        assert room.rating.say(rater, again).saved


def now(room: Room, task: Task, rater: str = RATER) -> Task:
    after = room.rating.task(rater, task.code)
    assert after is not None
    return after


def test_an_earlier_label_is_offered_and_opens_the_answer(room: Room) -> None:
    task = until_carried(room)
    assert task.shown.answer is None
    asked = {(question.id, about.about) for question in task.questions for about in question.about}
    assert task.earlier_labels.keys() <= asked
    assert all(given.carried and given.label for given in task.earlier_labels.values())
    carry(room, task)
    after = now(room, task)
    assert (after.shown.answer is None) == bool(asked - task.earlier_labels.keys())
    assert {given.carried for given in after.given.values()} == {True}


def test_nothing_is_called_carried_that_was_not_said(room: Room) -> None:
    first = room.rating.next(RATER)
    assert first is not None
    (question,) = first.questions
    label = question.labels[0].label
    made_up = said(first, question.id, label, about=question.about[0].about, carried=True)
    receipt = room.rating.say(RATER, made_up)
    assert (receipt.saved, receipt.refusal and receipt.refusal.word) == (False, "not_asked")
    task = until_carried(room)
    (dimension, about), given = next(iter(task.earlier_labels.items()))
    question = next(question for question in task.questions if question.id == dimension)
    other = next(label.label for label in question.labels if label.label != given.label)
    assert not room.rating.say(RATER, said(task, dimension, other, about=about, carried=True)).saved
    # Another label is this answer's own.
    assert room.rating.say(RATER, said(task, dimension, other, about=about)).saved
    assert not now(room, task).given[dimension, about].carried


def test_rows_are_stored_for_each_system_and_agreement_counts_one(folder: Path, room: Room) -> None:
    for rater in room.design.settings.raters[:2]:
        task = until_carried(room, rater)
        carry(room, task, rater)
        answer(room, rater, now(room, task, rater))
    export_room(Study.open_whole(folder), room)
    study = Study.open_whole(folder)
    frame = study.judgements.in_phases()
    carried = frame.filter(frame["carried"].is_not_null())
    assert len(carried) > 0
    assert set(carried["about"].str.slice(0, 9)) == {"document:"}
    dimension = carried["dimension"][0]
    each, once = (units(study.judgements, dimension, once=one) for one in (False, True))
    assert len(once.code) == len(each.code) - len(carried)
    assert any(note.title == "Labels of documents" for note in methods_of(study, ()))


def test_one_rater_may_carry_where_another_was_asked() -> None:
    """Worked out by hand: both labelled the document once, beside different answers."""
    relevance = {"id": "relevance", "question": "Does it help?", "about": "document"}
    labels = {"scale": "nominal", "labels": [{"label": "yes"}, {"label": "no"}]}
    rubric = Rubric.model_validate({"name": "documents", "dimensions": [{**relevance, **labels}]})
    rows = [
        ("r1", "A", "yes", None), ("r1", "B", "yes", "yes"),
        ("r2", "B", "no", None), ("r2", "A", "no", "yes"),
    ]  # fmt: skip
    names = ("rater", "system", "label", "carried")
    about = {"case": "1", "about": "document:d1", "dimension": "relevance"}
    judgements = Judgements.from_rows(
        [{**about, **dict(zip(names, row, strict=True))} for row in rows], rubric
    )
    assert units(judgements, "relevance").codes.tolist() == [[0, 1], [0, 1]]
    assert units(judgements, "relevance", once=True).codes.tolist() == [[0, 1]]
    assert agree(judgements, coefficient_names=["unanimous"])[0].n_units == 1
    assert b"carried" in judgements.to_csv()


def test_all_answers_to_a_question_follow_one_another_where_the_lead_wants_it() -> None:
    settings = Settings(name="main", kind="answers", raters=("a", "b"), overlap=2, order="by_case")
    items = [Item(case, system) for case in "123456" for system in "ABC"]
    plan = make_assignments(settings, items, Secret(bytes(32)))
    orders = {}
    for rater in settings.raters:
        mine = [row.item for row in plan if row.rater == rater]
        orders[rater] = [case for case, _ in groupby(mine, key=lambda item: item.case)]
        assert sorted(orders[rater]) == list("123456")
        # The systems have no fixed place within a question.
        within = {tuple(item.system for item in mine if item.case == case) for case in "123456"}
        assert len(within) > 1
    assert orders["a"] != orders["b"]
    with pytest.raises(InvalidInput, match="come without repeats"):
        make_assignments(settings.model_copy(update={"repeats": 2}), items, Secret(bytes(32)))


def test_the_order_is_stored_and_said(tmp_path: Path) -> None:
    folder = write_study(tmp_path / "study")
    home = folder / "campaigns" / "main"
    home.mkdir(parents=True)
    (home / "campaign.toml").write_text('[plan]\norder = "by_case"\n')
    create_campaign(Study.open_whole(folder), Wishes(raters="2"), Secret(bytes(32)))
    assert find_plans(folder)["main"].settings.order == "by_case"
    notes = methods_of(Study.open_whole(folder), ())
    told = next(note for note in notes if note.title == "Order of the answers for raters")
    assert told.text.startswith("In main, each rater met all answers to one question one after")
