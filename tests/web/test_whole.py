"""One key for a whole answer, and how few keys an answer takes."""

from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest
from tests.campaign.conftest import write_study

from medassay.campaign.room import Given, Room, Task

from .conftest import Serving, Visitor, enter, open_room

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.web, pytest.mark.browser]
RATER = "rater-1"


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    folder = write_study(tmp_path / "study")
    with open_room(folder, tmp_path / "room.db", {"guesses": 0}, batch=12) as room:
        room.rating.consent(RATER, room.design.options.information.version)
        yield room


@pytest.fixture
def page(room: Room, serving: Callable[[Room], Serving], browser: "Browser") -> "Iterator[Page]":
    context = browser.new_context(locale="en-GB", viewport={"width": 1300, "height": 844})
    page = context.new_page()
    enter(page, serving(room).link(RATER))
    page.locator(".task").wait_for()
    yield page
    context.close()


def due(room: Room) -> Task:
    task = room.rating.next(RATER)
    assert task is not None
    return task


def held(room: Room, task: Task) -> dict[tuple[str, str], Given]:
    now = room.rating.task(RATER, task.code)
    return {key: given for key, given in now.given.items() if given.holds} if now else {}


def until(page: "Page", now: Callable[[], object], wanted: object) -> object:
    for _ in range(100):
        if now() == wanted:
            break
        page.wait_for_timeout(50)
    return now()


def next_answer(page: "Page", press: str) -> None:
    where = page.locator(".where").inner_text()
    page.keyboard.press(press)
    page.locator(".where").filter(has_not_text=where).wait_for()


def test_one_key_and_a_reason_say_that_an_answer_cannot_be_judged(room: Room, page: "Page") -> None:
    task = due(room)
    first, *rest = task.questions
    page.keyboard.press("1")
    page.keyboard.press("x")
    page.get_by_role("heading", name="Why can you not judge this answer?").wait_for()
    page.keyboard.press("2")
    page.get_by_text("Cannot judge: I cannot understand the answer.").wait_for()
    words = "I cannot understand the answer"
    wanted = {(first.id, ""): Given(first.labels[0].label)} | {
        (question.id, ""): Given(reason="cannot_judge", comment=words) for question in rest
    }
    assert until(page, lambda: held(room, task), wanted) == wanted
    page.locator(".next.ready").wait_for()
    page.keyboard.press("u")
    wanted = {(first.id, ""): Given(first.labels[0].label)}
    assert until(page, lambda: held(room, task), wanted) == wanted
    page.keyboard.press("x")
    page.keyboard.press("Escape")
    page.locator("dialog").wait_for(state="detached")
    assert held(room, task) == wanted
    page.keyboard.press("x")
    page.get_by_label("Another reason").fill("Not my language")
    page.keyboard.press("Enter")
    last = (rest[-1].id, "")
    said = Given(reason="cannot_judge", comment="Not my language")
    assert until(page, lambda: held(room, task).get(last), said) == said
    next_answer(page, "Enter")
    assert due(room).code != task.code


def test_one_key_puts_an_answer_off_to_the_end_of_its_batch(room: Room, page: "Page") -> None:
    first = due(room)
    page.keyboard.press("1")
    next_answer(page, "l")
    assert due(room).code != first.code
    for _ in range(11):
        for _ in due(room).questions:
            page.keyboard.press("1")
        page.locator(".next.ready").wait_for()
        next_answer(page, "Enter")
    assert due(room).code == first.code
    assert page.locator(".where").inner_text().endswith("1 of 12")
    page.locator(".ask.done").first.wait_for()
    page.keyboard.press("l")
    page.get_by_text("No other answer is open in this batch").wait_for()


def test_the_reasons_of_a_row_are_behind_one_button(room: Room, page: "Page") -> None:
    task = due(room)
    row = page.locator(".ask").first
    assert row.locator(".labels > button:visible").count() == len(task.questions[0].labels) + 1
    row.get_by_role("button", name="No label …").click()
    row.get_by_role("button", name="Does not apply").click()
    wanted = Given(reason="not_applicable")
    key = (task.questions[0].id, "")
    assert until(page, lambda: held(room, task).get(key), wanted) == wanted
    row.get_by_role("button", name="Does not apply", pressed=True).first.wait_for()


def go_on_by_itself(page: "Page") -> None:
    page.keyboard.press("k")
    page.get_by_label("Go on by itself when all is labelled").check()
    page.keyboard.press("Escape")
    page.locator("dialog").wait_for(state="detached")


def test_who_asks_for_it_goes_on_without_a_key(room: Room, page: "Page") -> None:
    go_on_by_itself(page)
    keys = labels = 0
    for at in range(6):
        task = due(room)
        page.wait_for_timeout(800)
        for _ in task.questions:
            page.keyboard.press(str(1 + at % 2))
            keys, labels = keys + 1, labels + 1
        page.locator(".where").filter(has_text=f"Answer {at + 2} of 12").wait_for()
        assert len(held(room, task)) == len(task.questions)
    assert keys / labels <= 1.15


def test_a_key_too_many_labels_nothing_of_the_answer_that_comes(room: Room, page: "Page") -> None:
    go_on_by_itself(page)
    rng = Random(2)  # noqa: S311 - draws keys and moments
    for _ in range(8):
        task = due(room)
        where = page.locator(".where").inner_text()
        page.wait_for_timeout(800)
        for _ in task.questions:
            page.keyboard.press("1")
        page.locator(".next.ready").wait_for()
        # Late keys, meant for a row of the answer before: none of them counts anywhere.
        page.wait_for_timeout(rng.randrange(900))
        page.keyboard.press("2")
        if rng.random() < 0.5:
            page.keyboard.press("3")
        wanted = {(question.id, ""): Given(question.labels[0].label) for question in task.questions}
        assert until(page, lambda task=task: held(room, task), wanted) == wanted  # type: ignore[misc]
        page.wait_for_timeout(1_200)
        assert held(room, task) == wanted
        assert held(room, due(room)) == {}
        # On a slow machine the answer may have gone before the key came.
        if page.locator(".where").inner_text() == where:
            next_answer(page, "Enter")


def test_the_answer_that_comes_by_itself_takes_no_key_at_once(room: Room, page: "Page") -> None:
    go_on_by_itself(page)
    for at in range(3):
        page.wait_for_timeout(800)
        for _ in due(room).questions:
            page.keyboard.press("1")
        page.locator(".where").filter(has_text=f"Answer {at + 2} of 12").wait_for()
        page.keyboard.press("2")
        page.wait_for_timeout(900)
        assert held(room, due(room)) == {}
        assert page.locator(".ask.done").count() == 0


def test_the_lead_sees_how_raters_go_and_raters_do_not(room: Room) -> None:
    task = due(room)
    for _ in range(3):
        visitor = Visitor(room, RATER)
        task = due(room)
        for at, question in enumerate(task.questions):
            said = {"client": f"aaaaaaaa-{task.code}-{at}".lower(), "code": task.code}
            said |= {"dimension": question.id, "label": question.labels[0].label}
            visitor.post(
                "/api/said", {"said": [{**said, "client": f"aaaaaaaa-{at}{task.position:04}"}]}
            )
    page = Visitor(room, "lead").get("/lead").text
    question = task.questions[0]
    assert "Median seconds per answer" in page
    assert f'3 × <span dir="auto">{question.labels[0].label}</span>' in page
    now = Visitor(room, RATER).get("/api/now")
    assert "pace" not in now.text
    assert not {"run", "median"} & {*now.json(), *now.json()["progress"]}
    for path in ("/lead", "/lead/hours.csv"):
        assert Visitor(room, RATER).get(path).status_code == 403
