"""What raters differ on is settled blindly, and comes home as a judgement of its own."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.campaign.conftest import SYSTEMS, write_study

from medassay.campaign.room import Room, RoomOptions, Settled, create_room, export_room, open_room
from medassay.errors import InvalidInput
from medassay.judgements.campaign import find_plans
from medassay.study import Study

from .conftest import SECRET, Time, answer, opened, planned, said

pytestmark = pytest.mark.web
RATERS = ("rater-1", "rater-2")


@pytest.fixture
def room(study: Path, tmp_path: Path, time: Time) -> Iterator[Room]:
    """Give a room in which two raters are done, and differ on one answer."""
    with opened(study, tmp_path / "room.db", time, RoomOptions(guesses=0)) as room:
        for rater in RATERS:
            room.rating.consent(rater, room.design.options.information.version)
        yield room


def rate_all(room: Room, rater: str, label: int = 0) -> None:
    while (stand := room.rating.stand(rater)).standing in {"task", "break"}:
        if stand.pause is not None:
            room.rating.take_break(rater, stand.pause.after)
        elif (task := room.rating.next(rater)) is not None:
            answer(room, rater, task, label)


def differ(room: Room, study: Path, rater: str = "rater-2") -> tuple[str, str, str]:
    """Let one rater say otherwise of one answer; give its case, its system and the dimension."""
    place = find_plans(study)["main"].of_rater(rater)[0]
    task = room.rating.task(rater, place.code)
    assert task is not None
    question = task.questions[0]
    other = said(task, question.id, question.labels[1].label, comment="Not at all.")
    assert room.rating.say(rater, other).saved
    return place.item.case, place.item.system, question.id


def test_an_answer_comes_up_when_all_of_its_raters_are_done(room: Room, study: Path) -> None:
    rate_all(room, "rater-2")
    differ(room, study)
    assert room.settling.waiting("lead") == []
    rate_all(room, "rater-1")
    (line,) = room.settling.waiting("lead")
    assert (line.differences, line.settled) == (1, 0)


def test_nothing_on_the_page_names_a_rater_or_a_system(room: Room, study: Path) -> None:
    for rater in RATERS:
        rate_all(room, rater)
    differ(room, study)
    (line,) = room.settling.waiting("lead")
    disputed = room.settling.disputed("lead", line.item)
    assert disputed is not None
    (one,) = disputed.differences
    assert one.said == tuple(label.label for label in one.question.labels[:2])
    assert one.words == ("Not at all.",)
    words = repr(disputed)
    assert not any(name in words for name in (*RATERS, *SYSTEMS))


def test_it_is_stored_as_its_own_judgement_and_changes_no_other(room: Room, study: Path) -> None:
    for rater in RATERS:
        rate_all(room, rater)
    case, system, dimension = differ(room, study)
    (line,) = room.settling.waiting("reviewer")
    disputed = room.settling.disputed("reviewer", line.item)
    assert disputed is not None
    labels = [label.label for label in disputed.differences[0].question.labels]
    room.settling.settle("reviewer", Settled(line.item, dimension, label=labels[0]))
    room.settling.settle(
        "reviewer", Settled(line.item, dimension, label=labels[1], comment="The dose is wrong.")
    )
    (after,) = room.settling.waiting("reviewer")
    assert (after.differences, after.settled) == (1, 1)
    room.lead.set_status("lead", "closed")
    export_room(Study.open_whole(study), room)
    current = Study.open_whole(study).judgements_on_file.current()
    mine = current.filter((current["system"] == system) & (current["case"] == case))
    mine = mine.filter(mine["dimension"] == dimension).sort("rater")
    assert mine.select("rater", "phase", "label").rows() == [
        ("rater-1", "main", labels[0]),
        ("rater-2", "main", labels[1]),
        ("reviewer", "adjudication", labels[1]),
    ]
    trail = (study / "campaigns/main/audit.csv").read_text(encoding="utf-8")
    assert "The dose is wrong." in trail
    assert "look at differences" in trail
    export_room(Study.open_whole(study), room)
    assert len(Study.open_whole(study).judgements_on_file.current()) == len(current)


def test_what_nobody_differs_on_cannot_be_settled(room: Room, study: Path) -> None:
    for rater in RATERS:
        rate_all(room, rater)
    _, _, dimension = differ(room, study)
    (line,) = room.settling.waiting("lead")
    other = next(item for item in range(1, 13) if item != line.item)
    for wrong in (
        Settled(other, dimension, label="Yes"),
        Settled(line.item, "kindness", label="Yes"),
        Settled(line.item, dimension, label="no such label"),
        Settled(line.item, dimension, reason="tired"),
        Settled(line.item, dimension),
    ):
        with pytest.raises(InvalidInput):
            room.settling.settle("lead", wrong)


def test_preferences_are_told_apart_whatever_side_each_rater_saw(
    study: Path, tmp_path: Path, time: Time
) -> None:
    plan = planned(study, kind="preferences")
    create_room(Study.open_whole(study), plan, SECRET, tmp_path / "pairs.db", RoomOptions())
    with Room(tmp_path / "pairs.db", time) as room:
        for rater in RATERS:
            room.rating.consent(rater, room.design.options.information.version)
            while (stand := room.rating.stand(rater)).standing in {"task", "break"}:
                if stand.pause is not None:
                    room.rating.take_break(rater, stand.pause.after)
                    continue
                task = room.rating.next(rater)
                assert task is not None
                # Both prefer the same system of every pair but one, whatever side it stood on.
                item = plan.by_code[task.code].item
                first = item.pair[int(rater == "rater-2" and item.case == "01")]
                choice = "A" if item.system == first else "B"
                room.rating.say(rater, said(task, "overall", choice))
        lines = room.settling.waiting("lead")
        assert len(lines) == 3
        room.lead.set_status("lead", "closed")
        wanted = {}
        for line in lines:
            disputed = room.settling.disputed("lead", line.item)
            assert disputed is not None
            assert disputed.shown.answer is not None
            choice = "A" if disputed.shown.answer.text < disputed.shown.answer_b.text else "B"  # type: ignore[union-attr, unused-ignore]  # a pair has two
            wanted[line.item] = choice
            room.settling.settle("lead", Settled(line.item, "overall", label=choice))
            again = room.settling.disputed("lead", line.item)
            assert again is not None
            assert again.differences[0].settled.label == choice
        export_room(Study.open_whole(study), room)
        said_by_lead = Study.open_whole(study).preferences_on_file.current()
        said_by_lead = said_by_lead.filter(said_by_lead["phase"] == "adjudication")
        answers = Study.open_whole(study).answers
        for row in said_by_lead.iter_rows(named=True):
            texts = {
                name: answers.get(name, row["case"]).text  # type: ignore[union-attr, unused-ignore]  # all answered
                for name in (row["first"], row["second"])
            }
            assert row["winner"] == min(texts, key=lambda name: str(texts[name]))
        assert len(said_by_lead) == 3


def test_agreement_so_far_is_of_all_together_and_each_look_is_logged(
    room: Room, study: Path
) -> None:
    before = room.lead.agreement("lead")
    assert {one.units for one in before} == {0}
    assert {one.same for one in before} == {None}
    for rater in RATERS:
        rate_all(room, rater)
    differ(room, study)
    found = room.lead.agreement("lead")
    assert {one.units for one in found} == {12}
    assert min(one.same for one in found if one.same is not None) == pytest.approx(11 / 12)
    export_room(Study.open_whole(study), room)
    trail = (study / "campaigns/main/audit.csv").read_text(encoding="utf-8").splitlines()
    looks = [line for line in trail if "look at agreement" in line]
    assert len(looks) == 2
    assert "0.917 the same" in looks[1]


@pytest.mark.parametrize(
    ("of", "counts", "units"), [("own", "true", 12), ("shared", "true", 12), ("shared", "false", 9)]
)
def test_first_answers_are_settled_and_agreed_on_where_the_study_counts_them(
    tmp_path: Path, time: Time, of: str, counts: str, units: int
) -> None:
    study = write_study(tmp_path / "study", f"[raters]\ncount_calibration = {counts}\n")
    options = study / "campaigns" / "main" / "campaign.toml"
    options.parent.mkdir(parents=True)
    options.write_text(
        f'[plan]\ncalibration = 3\ncalibration_of = "{of}"\n'
        "[room]\nreview_calibration = false\nguesses = 0\n"
    )
    planned(study)
    with open_room(Study.open_whole(study), clock=time) as room:
        for place, rater in enumerate(RATERS):
            room.rating.consent(rater, room.design.options.information.version)
            rate_all(room, rater, place)
        assert len(room.settling.waiting("lead")) == units
        found = room.lead.agreement("lead")
        assert {(one.units, one.same) for one in found} == {(units, 0)}
        room.lead.set_status("lead", "closed")
        export_room(Study.open_whole(study), room)
    # As many answers as every number of the study rests on.
    counted = Study.open_whole(study).judgements.counted
    assert counted.select("system", "case").n_unique() == units


def test_hours_count_active_seconds_alone(room: Room, time: Time) -> None:
    task = room.rating.next("rater-1")
    assert task is not None
    for seconds in (30.0, 90.0):
        time.on(hours=1)
        question = task.questions[0]
        room.rating.say(
            "rater-1", said(task, question.id, question.labels[0].label, seconds=seconds)
        )
    (first, second) = room.lead.progress("lead")
    assert first.hours == pytest.approx(120 / 3600)
    assert second.hours == 0
