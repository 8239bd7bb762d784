"""First answers and their review, in three browsers: a rater's, a reviewer's and the lead's."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest
from tests.campaign.conftest import write_study

from medassay.campaign.room import Room

from .conftest import Serving, enter, leave_answer, open_room

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

pytestmark = [pytest.mark.web, pytest.mark.browser]
FIRST = 5
MISTAKES = {1: "The dose is wrong.", 2: "It leaves out the cast.", 4: "Really?"}


class People(NamedTuple):
    """Three browsers, each signed in."""

    rater: "Page"
    reviewer: "Page"
    lead: "Page"


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    folder = write_study(tmp_path / "study")
    with open_room(folder, tmp_path / "room.db", {"guesses": 0}, calibration=FIRST) as room:
        yield room


@pytest.fixture(params=[1300, 390], ids=["wide", "phone"])
def people(
    request: pytest.FixtureRequest,
    room: Room,
    serving: Callable[[Room], Serving],
    browser: "Browser",
) -> "Iterator[People]":
    served = serving(room)
    viewport = {"width": request.param, "height": 844}
    contexts = [browser.new_context(locale="en-GB", viewport=viewport) for _ in People._fields]  # type: ignore[arg-type, unused-ignore]  # a mapping
    pages = [context.new_page() for context in contexts]
    for page, name in zip(pages, ("rater-1", "reviewer", "lead"), strict=True):
        enter(page, served.link(name))
    pages[0].get_by_role("button", name="I have read this and take part").click()
    yield People(*pages)
    for context in contexts:
        context.close()


def rate(page: "Page") -> None:
    """Give the first label to all that is open here, and go on."""
    while not page.locator(".next.ready").count():
        page.locator(".ask.current .label").first.click()
    leave_answer(page, page.locator(".next").click)


def judged(page: "Page", answer: int) -> "Locator":
    """Give the first label of an answer, as the reviewer has it."""
    return page.locator(f"#a{answer} .judged").first


def open_review(people: People) -> "Page":
    page = people.reviewer
    page.goto(page.url.partition("/review")[0] + "/review")
    page.get_by_role("link", name="First answers of rater-1").click()
    page.get_by_role("heading", name="First answers of rater-1").wait_for()
    return page


def stands_at(people: People) -> str:
    people.lead.reload()
    return str(people.lead.get_by_role("row").filter(has_text="rater-1").inner_text())


def test_first_answers_are_corrected_kept_and_opened(
    room: Room, people: People, checked: "Callable[[Page, str], None]"
) -> None:
    """Five answers, two corrections, one difference of opinion kept, opened."""
    rater = people.rater
    rater.locator(".task").wait_for()
    assert "A reviewer looks at them before the rest opens." in rater.inner_text(".reading")
    for _ in range(FIRST):
        rate(rater)
    rater.get_by_role("heading", name="Your first answers are with the reviewer").wait_for()
    send_back(people, checked)
    correct_two_and_keep_one(rater, checked)
    assert "waits for review" in stands_at(people)
    open_the_rest(people)
    rater.reload()
    read = rater.get_by_role("heading", name="Your first answers have been reviewed")
    read.wait_for()
    rater.get_by_text("Fair enough.").wait_for()
    assert rater.get_by_text("Changed by you. Before: Yes").count() == len(MISTAKES) - 1
    checked(rater, "reviewed")
    rater.get_by_role("button", name="Go on").click()
    read.wait_for(state="detached")
    assert room.rating.stand("rater-1").standing in {"task", "break"}
    assert len([what for what in _trail(room) if what.startswith("review ")]) == len(MISTAKES) + 2


def send_back(people: People, checked: "Callable[[Page, str], None]") -> None:
    """Say something of four labels; words under one answer outlive what is said of another."""
    page = open_review(people)
    for answer, words in MISTAKES.items():
        judged(page, answer).get_by_label("A clear mistake").check()
        judged(page, answer).get_by_label("A word to the rater").fill(words)
    judged(page, FIRST).get_by_label("Fine").check()
    page.get_by_role("button", name="Save and decide later").click()
    page.get_by_text("Your verdicts: 4").wait_for()
    word = judged(page, 2).get_by_label("A word to the rater")
    assert word.input_value() == MISTAKES[2]
    # Nothing reaches the rater before the reviewer has decided.
    now = people.rater.evaluate("fetch('/api/now').then((answer) => answer.text())")
    assert MISTAKES[1] not in now
    page.get_by_label("A word to the rater on all of them").fill("Three to look at.")
    checked(page, "review")
    page.get_by_role("button", name="Send back to look again").click()
    page.get_by_text("No first answers are waiting for a review.").wait_for()
    assert "corrects first answers" in stands_at(people)


def correct_two_and_keep_one(rater: "Page", checked: "Callable[[Page, str], None]") -> None:
    rater.reload()
    rater.get_by_role("heading", name="Please look at your first answers again").wait_for()
    for words in ("Three to look at.", *MISTAKES.values()):
        rater.get_by_text(words).wait_for()
    checked(rater, "sent back")
    assert rater.get_by_role("button", name="Hand in again").count() == 0
    rater.get_by_role("button", name="Look at them: 3 open").click()
    remark = rater.locator(".ask.current .remarked")
    for answer in (1, 2):
        remark.filter(has_text=MISTAKES[answer]).wait_for()
        checked(rater, "remark")
        rater.locator(".ask.current .label").nth(1).click()
        changed = rater.locator(".remarked").filter(has_text="Changed by you. Before: Yes")
        changed.wait_for(state="attached")
        rater.locator(".next").click()
    remark.filter(has_text=MISTAKES[4]).wait_for()
    rater.locator(".next").click()
    assert remark.count() == 1  # it is open: nobody goes on past it
    rater.get_by_role("button", name="Keep it, because").click()
    rater.get_by_role("textbox", name="Why do you keep it?").fill("The guideline says so.")
    rater.get_by_role("button", name="Keep", exact=True).click()
    rater.get_by_text("You keep it, because: The guideline says so.").wait_for()
    rater.locator(".next").click()
    rater.get_by_role("button", name="Hand in again").click()
    rater.get_by_role("heading", name="Your first answers are with the reviewer").wait_for()


def open_the_rest(people: People) -> None:
    """See what was changed and what was kept, agree to differ, and open the rest."""
    page = open_review(people)
    for answer in (1, 2):
        told = "Changed since your last word. Before: Yes."
        assert told in judged(page, answer).inner_text()
    kept = judged(page, 4)
    assert "The rater keeps it, because: The guideline says so." in kept.inner_text()
    assert kept.get_by_label("A clear mistake").is_checked()
    kept.get_by_label("An honest difference").check()
    kept.get_by_label("A word to the rater").fill("Fair enough.")
    page.get_by_role("button", name="Open the rest").click()
    page.get_by_text("No first answers are waiting for a review.").wait_for()
    assert "passed" in stands_at(people)


def _trail(room: Room) -> list[str]:
    from sqlalchemy import select

    from medassay.campaign.room.schema import tables

    with room.database.reading() as connection:
        return list(connection.execute(select(tables().events.c.what)).scalars())


def test_what_two_reviewers_say_on_one_page_is_kept_of_both(people: People) -> None:
    """The second is told, finds the words of both, and overwrites nothing that was left alone."""
    people.rater.locator(".task").wait_for()
    for _ in range(FIRST):
        rate(people.rater)
    waits = people.rater.get_by_role("heading", name="Your first answers are with the reviewer")
    waits.wait_for()
    one = open_review(people)
    other = people.reviewer.context.new_page()
    other.goto(one.url)
    for answer, words in ((1, "The dose is wrong."), (2, "Say why.")):
        judged(one, answer).get_by_label("A clear mistake").check()
        judged(one, answer).get_by_label("A word to the rater").fill(words)
    one.get_by_role("button", name="Save and decide later").click()
    one.get_by_text("Your verdicts: 2").wait_for()
    judged(other, 1).get_by_label("An honest difference").check()
    judged(other, 1).get_by_label("A word to the rater").fill("I would rate it so.")
    judged(other, 3).get_by_label("Fine").check()
    judged(other, 3).get_by_label("A word to the rater").fill("Well seen.")
    other.get_by_role("button", name="Open the rest").click()
    other.get_by_role("alert").wait_for()
    word = judged(other, 1).get_by_label("A word to the rater")
    assert word.input_value() == "The dose is wrong.\nI would rate it so."
    assert "A clear mistake" in judged(other, 1).locator(".note").inner_text()
    # What only one of them said is there, of either; and nothing was decided.
    for answer, words in ((2, "Say why."), (3, "Well seen.")):
        said = judged(other, answer).get_by_label("A word to the rater")
        assert said.input_value() == words
    assert "waits for review" in stands_at(people)
    other.get_by_role("button", name="Save and decide later").click()
    other.get_by_text("Your verdicts: 3").wait_for()
    one.reload()
    assert judged(one, 1).get_by_label("An honest difference").is_checked()
    word = judged(one, 1).get_by_label("A word to the rater")
    assert word.input_value() == "The dose is wrong.\nI would rate it so."
