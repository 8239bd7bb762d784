"""What keys say: each of what is open, and a key too many of nothing."""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest
from tests.campaign.conftest import write_study

from medassay.campaign.room import Given, Room, Task

from .conftest import Serving, enter, open_room

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.web, pytest.mark.browser]
RATER = "rater-1"
KEYS = ("0", "-", "1", "2", "3", "4", "9")


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    folder = write_study(tmp_path / "study")
    with open_room(folder, tmp_path / "room.db", {"guesses": 0}, batch=12) as room:
        room.rating.consent(RATER, room.design.options.information.version)
        yield room


@pytest.fixture
def page(room: Room, serving: Callable[[Room], Serving], browser: "Browser") -> "Iterator[Page]":
    page = browser.new_page(locale="en-GB")
    enter(page, serving(room).link(RATER))
    page.locator(".task").wait_for()
    yield page
    page.close()


def task_of(room: Room) -> Task:
    task = room.rating.next(RATER)
    assert task is not None
    return task


def given(room: Room, page: "Page", task: Task) -> dict[tuple[str, str], Given]:
    page.get_by_text("Saved", exact=True).wait_for()
    now = room.rating.task(RATER, task.code)
    assert now is not None
    return {key: label for key, label in now.given.items() if label.holds}


def meant(task: Task, keys: list[str]) -> dict[tuple[str, str], Given]:
    """Say what keys mean: each is for the first question that is open."""
    said: dict[tuple[str, str], Given] = {}
    for key in keys:
        question = next((each for each in task.questions if (each.id, "") not in said), None)
        if question is None:
            continue
        if key in {"0", "-"}:
            reason = "cannot_judge" if key == "0" else "not_applicable"
            said[question.id, ""] = Given(reason=reason)
        elif int(key) <= len(question.labels):
            said[question.id, ""] = Given(question.labels[int(key) - 1].label)
    return said


def until(page: "Page", now: Callable[[], object], wanted: object) -> object:
    """Give what holds once it is what is wanted, or after five seconds.

    The page says what was changed before the server has it, and "Saved" may be of what came before.
    """
    for _ in range(100):
        if now() == wanted:
            break
        page.wait_for_timeout(50)
    return now()


def test_each_key_is_for_what_is_open_and_a_key_too_many_changes_nothing(
    room: Room, page: "Page"
) -> None:
    rng = Random(1)  # noqa: S311 - draws keys
    for _ in range(10):
        task = task_of(room)
        keys = rng.choices(KEYS, k=rng.randint(1, 9))
        for key in keys:
            page.keyboard.press(key)
        wanted = meant(task, keys)
        assert until(page, partial(given, room, page, task), wanted) == wanted, keys
        for _ in task.questions:
            page.keyboard.press("1")
        page.locator(".next.ready").wait_for()
        where = page.locator(".where").inner_text()
        page.keyboard.press("Enter")
        page.locator(".where").filter(has_not_text=where).wait_for()


def test_what_is_changed_by_hand_says_what_it_was_and_is_taken_back(
    room: Room, page: "Page"
) -> None:
    task = task_of(room)
    first, last = task.questions[0], task.questions[-1]
    for _ in task.questions:
        page.keyboard.press("1")
    page.keyboard.press("2")
    page.get_by_text("No question is open here.").wait_for()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("2")
    told = f"{last.title}: was {last.labels[0].label}, now {last.labels[1].label}."
    page.get_by_text(told).wait_for()
    wanted = Given(last.labels[1].label)
    assert until(page, lambda: given(room, page, task).get((last.id, "")), wanted) == wanted
    page.keyboard.press("u")
    page.get_by_text(f"{last.title}: {last.labels[0].label} again").wait_for()
    wanted = Given(last.labels[0].label)
    assert until(page, lambda: given(room, page, task).get((last.id, "")), wanted) == wanted
    page.locator(".ask").first.get_by_role("button", name="No label …").click()
    page.locator(".ask").first.get_by_role("button", name="Cannot judge").click()
    page.get_by_text(f"{first.title}: was {first.labels[0].label}, now Cannot judge.").wait_for()
    page.keyboard.press("w")
    page.keyboard.type("No unit")
    page.keyboard.press("Enter")
    wanted = Given(reason="cannot_judge", comment="No unit")
    assert until(page, lambda: given(room, page, task).get((first.id, "")), wanted) == wanted
