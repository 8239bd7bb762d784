"""A rubric in the rater's language: what is shown, what is kept, and what is exported."""

import csv
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.campaign.conftest import write_study

from medassay.campaign import Wishes, create_campaign
from medassay.campaign.catalogues import shipped
from medassay.campaign.room import (
    Room,
    export_room,
    invite,
    open_room,
    remarks_in,
    task_in,
)
from medassay.errors import InvalidInput
from medassay.judgements import load_rubric
from medassay.study import Study

from .conftest import SECRET, Time, opened, said

pytestmark = pytest.mark.web

GERMAN = """\

[translations.de]
by = "A translator; checked by nobody"
keep_open = "die Leitlinien"

[translations.de.dimensions.quality]
title = "Güte"
question = "Wie gut ist die Antwort?"
words = { good = "gut", bad = "schlecht" }
descriptions = { good = "Sie hilft." }
"""
RUBRIC = """\
name = "own"
language = "en"
{translation}
[[dimensions]]
id = "quality"
title = "Quality"
question = "How good is the answer?"
scale = "ordinal"
labels = [
  {{ label = "bad", score = 0 }},
  {{ label = "good", score = 1, description = "It helps." }},
]
"""


def rubric_file(folder: Path, translation: str = GERMAN) -> Path:
    path = folder / "rubric.toml"
    path.write_text(RUBRIC.format(translation=translation), encoding="utf-8")
    return path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = write_study(tmp_path / "study")
    rubric_file(folder)
    toml = folder / "study.toml"
    text = toml.read_text(encoding="utf-8")
    head, _, _ = text.partition("[[dimensions]]")
    toml.write_text(f'{head}[[dimensions]]\nrubric = "rubric.toml"\n', encoding="utf-8")
    people = folder.parent / "raters.csv"
    people.write_text("rater,email,language\nanna,a@x.example,de\nben,b@x.example,\n", "utf-8")
    create_campaign(Study.open_whole(folder), Wishes(str(people)), SECRET)
    return folder


@pytest.fixture
def room(folder: Path, time: Time) -> Iterator[Room]:
    with open_room(Study.open_whole(folder), "main", time) as room:
        for rater in room.design.settings.raters:
            room.rating.consent(rater, room.design.options.information.version)
        yield room


def test_a_rater_reads_the_translation_and_the_rubrics_word_is_kept(
    room: Room, folder: Path
) -> None:
    task = room.rating.next("anna")
    assert task is not None
    read = task_in(task, room.design.rubric, shipped().texts["de"])
    (question,) = read.questions
    assert (question.title, question.question) == ("Güte", "Wie gut ist die Antwort?")
    assert question.shown == {"bad": "schlecht", "good": "gut"}
    assert [label.label for label in question.labels] == ["bad", "good"]
    assert question.labels[1].description == "Sie hilft."
    (own,) = task_in(task, room.design.rubric, shipped().texts["fr"]).questions
    assert (question.language, own.language, own.shown) == ("de", "en", {})
    assert room.rating.say("anna", said(task, "quality", "good", language="de")).saved
    other = room.rating.next("ben")
    assert other is not None
    assert room.rating.say("ben", said(other, "quality", "bad", language="en")).saved
    wrong = room.rating.say("ben", said(other, "quality", "bad", language="tlh"))
    assert wrong.refusal is not None
    export_room(Study.open_whole(folder), room)
    with (folder / "judgements.csv").open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    kept = {row["rater"]: (row["label"], row["language"]) for row in rows}
    assert kept == {"anna": ("good", "de"), "ben": ("bad", "en")}


def test_pairs_are_asked_in_every_language_of_the_room(tmp_path: Path, time: Time) -> None:
    with opened(
        write_study(tmp_path / "study"), tmp_path / "room.db", time, kind="preferences"
    ) as room:
        rater = room.design.settings.raters[0]
        room.rating.consent(rater, room.design.options.information.version)
        task = room.rating.next(rater)
        assert task is not None
        (question,) = task_in(task, room.design.rubric, shipped().texts["ar"]).questions
        assert (question.title, question.shown["A"]) == ("أيهما أفضل؟", "أ")
        assert room.rating.say(rater, said(task, "overall", "A", language="ar")).saved


def test_what_is_taken_back_is_in_the_language_that_it_was_said_in(room: Room) -> None:
    task = room.rating.next("anna")
    assert task is not None
    room.rating.say("anna", said(task, "quality", "good", language="de"))
    second = said(task, "quality", "bad", language="en")
    room.rating.say("anna", second)
    room.rating.say("anna", said(task, "quality", takes_back=second.client))
    after = room.rating.task("anna", task.code)
    assert after is not None
    given = after.given["quality", ""]
    assert (given.label, given.language) == ("good", "de")


def test_an_invitation_is_in_the_language_that_the_lead_named(room: Room, folder: Path) -> None:
    invite(Study.open_whole(folder), room, "https://rate.ward.example")
    path = folder / "campaigns/main/invitations.csv"
    with path.open(encoding="utf-8-sig", newline="") as lines:
        text = {row["rater"]: row["text"] for row in csv.DictReader(lines)}
    assert "Zu bewertende Antworten" in text["anna"]
    assert "Answers to rate" in text["ben"]
    assert {one.name: one.language for one in room.access.people()}["anna"] == "de"
    # Whoever chose another one inside is written to in that.
    room.access.speak("ben", "ar")
    invite(Study.open_whole(folder), room, "https://rate.ward.example", ["ben"])
    with path.open(encoding="utf-8-sig", newline="") as lines:
        row, others = csv.DictReader(lines)
    assert (row["rater"], others["rater"]) == ("ben", "anna")
    assert "تحية طيبة" in row["text"]
    link = next(line for line in row["text"].splitlines() if "https" in line)
    assert link == row["link"]


def test_a_language_that_nobody_speaks_is_refused(room: Room, folder: Path) -> None:
    people = folder / "campaigns/main/people.csv"
    people.write_text(people.read_text("utf-8").replace(",de", ",it"), encoding="utf-8")
    with pytest.raises(InvalidInput, match=r'"it" of anna.*languages/it\.toml'):
        invite(Study.open_whole(folder), room, "https://rate.ward.example")
    assert remarks_in((), room.design.rubric, shipped().texts["de"]) == ()


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('bad = "schlecht"', 'worse = "schlecht"', "have each word of the question"),
        ('bad = "schlecht"', 'bad = "gut"', "show each label by a different word"),
        ('bad = "schlecht"', 'bad = "good"', "show each label by a different word"),
        ('{ good = "Sie hilft." }', "{}", "translations.de.dimensions.quality.descriptions"),
        ('title = "Güte"\n', "", "have a title"),
        ("dimensions.quality", "dimensions.quantity", "name questions that raters are asked"),
        ('by = "A translator; checked by nobody"\n', "", "by"),
        ("translations.de", "translations.Deutsch", "Deutsch"),
    ],
)
def test_half_a_translation_is_named(tmp_path: Path, old: str, new: str, told: str) -> None:
    assert old in GERMAN
    with pytest.raises(InvalidInput) as refused:
        load_rubric(rubric_file(tmp_path, GERMAN.replace(old, new)))
    assert told in str(refused.value)
    assert "rubric.toml" in str(refused.value)
