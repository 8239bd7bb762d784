"""After `campaign erase` the name that a lead gave a rater is nowhere in the study."""

import csv
import io
import re
import zipfile
from pathlib import Path

import pytest

from medassay.campaign import (
    RaterWishes,
    Wishes,
    collect_sheets,
    create_campaign,
    write_sheets,
)
from medassay.campaign.room import change_raters_midway, open_room
from medassay.campaign.room.progress import status_with_rooms
from medassay.study import Study
from medassay.study.config.study_toml import CorrectionChoice
from medassay.study.contents.ratings import write_correction
from medassay.study.runs.raters_key import write_key

from .conftest import SECRET
from .test_own_words import medassay, rate

pytestmark = pytest.mark.web
NAME = "Quillon"


def places_of(study: Path, name: str) -> list[str]:
    """List the files of a study that hold a name, in what they are called or in what they hold."""
    found = []
    for path in sorted(study.rglob("*")):
        if path.is_dir():
            continue
        held = path.read_bytes()
        if zipfile.is_zipfile(io.BytesIO(held)):
            with zipfile.ZipFile(io.BytesIO(held)) as book:
                held = b"".join(map(book.read, book.namelist()))
        word = re.compile(rf"(?<![a-z]){re.escape(name)}(?![a-z])".encode(), re.IGNORECASE)
        if word.search(held) or word.search(path.name.encode()):
            found.append(path.relative_to(study).as_posix())
    return found


@pytest.fixture
def used(study: Path) -> Path:
    """Give a study in which somebody did all that a rater can, in the room and in sheets."""
    people = study.parent / "people.csv"
    people.write_text(
        f"rater,email,specialty,built\n{NAME},q@ward.example,,\nben,ben@ward.example,,\n", "utf-8"
    )
    create_campaign(Study.open_whole(study), Wishes(raters=str(people)), SECRET)
    write_sheets(Study.open_whole(study), "main", "xlsx")
    medassay("invite", study)
    with open_room(Study.open_whole(study)) as room:
        for rater in (NAME, "ben"):
            rate(room, rater)
        room.lead.set_status("lead", "paused", f"{NAME} asked for it")
        room.lead.set_status("lead", "open", "")
    medassay("export", study)
    wishes = RaterWishes("dora", (NAME,), (), f"{NAME} is on leave")
    change_raters_midway(Study.open_whole(study), "main", wishes)
    create_campaign(Study.open_whole(study), Wishes(raters=f"{NAME.upper()}-x,y", name="b"), SECRET)
    opened = Study.open_whole(study)
    write_key(study, opened.pseudonyms)
    dimension = opened.rubric.ids[0]
    write_correction(
        study,
        CorrectionChoice(
            rater=NAME, dimension=dimension, labels="as-given", reason=f"{NAME} meant it"
        ),
    )
    return study


def test_a_name_is_in_no_file_after_it_was_erased(used: Path) -> None:
    for path in (used / "campaigns" / "b").iterdir():
        path.unlink()  # a campaign of somebody whose name begins alike is another's
    (used / "campaigns" / "b").rmdir()
    assert len(places_of(used, NAME)) > 10
    before = status_with_rooms(Study.open_whole(used)).raters["main"]
    medassay("erase", used, NAME)
    assert places_of(used, NAME) == []
    # What was said stays, and is found under the code: nothing is exported a second time.
    study = Study.open_whole(used)
    after = status_with_rooms(study).raters["main"]
    assert sorted((one.asked, one.done) for one in after) == sorted(
        (one.asked, one.done) for one in before
    )
    assert "0 rows added" in medassay("export", used)
    assert places_of(used, NAME) == []


def test_with_its_labels_nothing_of_it_is_left_either(used: Path) -> None:
    medassay("erase", used, NAME, "--labels")
    left = places_of(used, NAME)
    assert {path.partition("/b/")[0] for path in left} <= {"campaigns"}, left


def test_another_whose_name_begins_alike_keeps_it(used: Path) -> None:
    medassay("erase", used, NAME)
    assert places_of(used, f"{NAME}-x") != []


def test_the_rooms_of_other_campaigns_call_the_rater_by_the_code_too(study: Path) -> None:
    wishes = Wishes(raters=f"{NAME},ben", adjudicate=True, name="b")
    create_campaign(Study.open_whole(study), Wishes(raters=f"{NAME},ben"), SECRET)
    create_campaign(Study.open_whole(study), wishes, SECRET)
    with open_room(Study.open_whole(study), "b") as room:
        token = room.access.invite(NAME)
    medassay("invite", study)
    medassay("erase", study, NAME)
    assert places_of(study, NAME) == []
    with open_room(Study.open_whole(study), "b") as room:
        person = room.access.look_up(token)
        assert person is not None
        assert person.name.startswith("erased-")


def test_what_a_sheet_brought_back_is_called_by_the_code(study: Path, tmp_path: Path) -> None:
    create_campaign(Study.open_whole(study), Wishes(raters=f"{NAME},ben"), SECRET)
    write_sheets(Study.open_whole(study), "main", "csv")
    back = tmp_path / f"{NAME}.csv"
    sheet = study / "campaigns" / "main" / "sheets" / f"{NAME}.csv"
    back.write_bytes(sheet.read_bytes())
    collect_sheets(Study.open_whole(study), [back])
    open_room(Study.open_whole(study)).close()
    medassay("erase", study, NAME)
    assert places_of(study, NAME) == []
    [kept] = (study / "campaigns" / "main" / "returned").iterdir()
    assert "erased-" in kept.name


def said_in(audit: Path) -> list[str]:
    """Give what labels became, line by line; what was done besides tells of people."""
    rows = csv.DictReader(audit.read_text(encoding="utf-8").splitlines())
    return [row["new"] for row in rows if re.match(r"[A-Z]{4}-[A-Z]{4} ", row["what"])]


@pytest.mark.parametrize("name", ["Yes", "reason", "rater", "open"])
def test_a_name_that_is_a_word_of_the_study_changes_no_other_word(study: Path, name: str) -> None:
    create_campaign(Study.open_whole(study), Wishes(raters=f"{name},ben"), SECRET)
    with open_room(Study.open_whole(study)) as room:
        for rater in (name, "ben"):
            rate(room, rater)
    medassay("export", study)
    dimension = Study.open_whole(study).rubric.ids[0]
    settled = CorrectionChoice(rater="ben", dimension=dimension, labels="as-given", reason="so")
    write_correction(study, settled)
    before = Study.open_whole(study)
    home = study / "campaigns" / "main"
    labelled = said_in(home / "audit.csv")
    medassay("erase", study, name)
    after = Study.open_whole(study)
    for column in ("label", "case", "dimension", "phase"):
        said = [one.judgements_on_file.frame[column].to_list() for one in (before, after)]
        assert said[0] == said[1]
    assert after.config.corrections == before.config.corrections
    assert said_in(home / "audit.csv") == labelled
    assert "0 rows added" in medassay("export", study)
