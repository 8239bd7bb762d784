"""Raters who come and go while sheets are out: those stay, what is new has its own."""

from pathlib import Path

import pytest

from medassay.campaign import (
    RaterWishes,
    campaign_status,
    change_raters,
    collect_sheets,
    write_sheets,
)
from medassay.errors import InvalidInput
from medassay.judgements.campaign import find_plans
from medassay.study import Study
from medassay.tables import csv_bytes

from .conftest import export, ratings, sheet_of

NOW = "2026-03-02T09:00:00.000000Z"
HOME = "campaigns/main"


def filled(folder: Path, rater: str, codes: list[str]) -> Path:
    """Give a file with every label of these codes, as a rater sends it back."""
    header, *_ = ratings(sheet_of(folder, rater))
    asked = [dimension.title for dimension in Study.open_whole(folder).rubric.dimensions]
    asked = [title for title in asked if title in header]
    labels = {d.title: d.labels[0].label for d in Study.open_whole(folder).rubric.dimensions}
    file = folder.parent / f"{rater}.csv"
    rows = [[code, *(labels[title] for title in asked)] for code in codes]
    file.write_bytes(csv_bytes(["Code", *asked], rows))
    return file


def changed(folder: Path, add: str = "", drop: str = "", *give: str) -> dict[str, int]:
    wishes = RaterWishes(add, tuple(drop.split()), give, "on leave")
    return change_raters(Study.open_whole(folder), "main", wishes, NOW).more


@pytest.mark.slow
def test_what_came_back_stays_and_the_rest_goes_to_sheets_of_its_own(folder: Path) -> None:
    export(folder, raters="anna,ben,cleo", overlap=2)
    sheets = {path.name: path.read_bytes() for path in (folder / HOME / "sheets").iterdir()}
    mine = [row.code for row in find_plans(folder)["main"].of_rater("anna")]
    collect_sheets(Study.open_whole(folder), [filled(folder, "anna", mine[:3])])
    more = changed(folder, "dora", "anna")
    assert sum(more.values()) == len(mine) - 3
    assert more["dora"] == len(mine) - 3
    status = {one.rater: one for one in campaign_status(Study.open_whole(folder))["main"]}
    assert (status["anna"].asked, status["anna"].done) == (3, 3)
    assert (status["dora"].asked, status["dora"].done) == (5, 0)
    write_sheets(Study.open_whole(folder))
    there = {p.name: p.read_bytes() for p in (folder / HOME / "sheets").iterdir() if p.is_file()}
    assert there == sheets
    (new,) = (folder / HOME / "sheets" / "added-1").iterdir()
    assert new.name == "dora.xlsx"
    codes = [row[0] for row in ratings(new)[1:]]
    assert codes == [row.code for row in find_plans(folder)["main"].of_rater("dora")]
    done = collect_sheets(Study.open_whole(folder), [new])
    assert not any("without" in note for note in done.notes)
    # A late sheet of who left is still read: no label is lost.
    late = collect_sheets(Study.open_whole(folder), [filled(folder, "anna", mine)])
    assert late.added > 0
    trail = (folder / HOME / "reassigned.csv").read_text(encoding="utf-8").splitlines()
    assert trail[0] == "time,who,what,old,new,why"
    assert f"{NOW},lead,add rater,,dora,on leave" in trail
    assert f"{NOW},lead,drop rater,anna,,on leave" in trail
    assert sum(",reassign," in line for line in trail) == 5


def test_one_person_under_two_addresses_stays_one_rater(folder: Path, tmp_path: Path) -> None:
    people = tmp_path / "people.csv"
    people.write_text("email,built\nanna@ward.example,phi-3\nben@ward.example,\n", encoding="utf-8")
    export(folder, raters=str(people), overlap=1)
    later = tmp_path / "later.csv"
    # The same mailbox, and a name beside a new address: both are who they were.
    later.write_text(
        "rater,email\n,anna+private@ward.example\nr02,ben@home.example\n,emil@ward.example\n",
        encoding="utf-8",
    )
    wishes = RaterWishes(str(later), (), (), "")
    done = change_raters(Study.open_whole(folder), "main", wishes, NOW)
    assert list(done.more) == ["r01", "r02", "r03"]
    assert sum("rates already" in note for note in done.notes) == 2
    assert any("Nothing was free for r03" in note for note in done.notes)
    kept = (folder / HOME / "people.csv").read_text(encoding="utf-8")
    assert "ben@ward.example; ben@home.example" in kept
    # Another name for a known mailbox is refused.
    later.write_text("rater,email\nzoe,ben+x@home.example\n", encoding="utf-8")
    with pytest.raises(InvalidInput, match="one person is one"):
        changed(folder, str(later))
    # Who leaves frees answers; what r01 built goes to others.
    assert changed(folder, "", "r02")["r01"] >= 0
    plan = find_plans(folder)["main"]
    assert not any("phi-3" in row.item.pair for row in plan.of_rater("r01"))
    assert sum(row.phase == "main" and not row.ended for row in plan.assignments) == 12


@pytest.mark.parametrize(
    ("add", "drop", "give", "match"),
    [
        pytest.param("", "zoe", "", "--drop", id="a stranger leaves"),
        pytest.param("", "anna ben", "", "everybody", id="nobody is left"),
        pytest.param("3", "", "", "--add", id="a number of raters"),
        pytest.param("Anna", "", "", "different file names", id="a name like another"),
        pytest.param("", "", "BBBB-BBBB", "--give", id="a code of nothing"),
    ],
)
def test_what_does_not_fit_is_refused_and_nothing_is_written(
    folder: Path, add: str, drop: str, give: str, match: str
) -> None:
    export(folder, raters="anna,ben", overlap=1)
    before = {path: path.read_bytes() for path in (folder / HOME).glob("*.*")}
    with pytest.raises(InvalidInput, match=match):
        changed(folder, add, drop, *([give] if give else []))
    assert {path: path.read_bytes() for path in (folder / HOME).glob("*.*")} == before


def test_a_campaign_that_nobody_was_sent_is_drawn_up_anew_instead(folder: Path) -> None:
    from medassay.campaign import Wishes, create_campaign
    from medassay.judgements.campaign import Secret

    create_campaign(Study.open_whole(folder), Wishes(raters="2"), Secret(bytes(32)))
    with pytest.raises(InvalidInput, match="nobody was sent yet"):
        changed(folder, "dora")
