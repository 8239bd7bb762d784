"""On a phone nobody has a key U, and much lies out of sight: a button leads to each."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.campaign.room.test_carried import until_carried

from medassay.campaign.catalogues import shipped
from medassay.campaign.room import Room, open_demo

from .conftest import Serving, Visitor, enter, open_room
from .test_fresh_eyes import write_study

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.web, pytest.mark.browser]
LEADING = ("rater", "standing", "dangerous", "calibration", "hours", "last")
LOOK = {"locale": "en-GB", "viewport": {"width": 390, "height": 844}, "has_touch": True}
SELECT = """words => {
  const walker = document.createTreeWalker(document.querySelector(".answer"), NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const at = walker.currentNode.data.indexOf(words);
    if (at >= 0) getSelection().setBaseAndExtent(walker.currentNode, at, walker.currentNode, at + words.length);
  }
}"""  # noqa: E501 - JavaScript


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    folder = write_study(tmp_path / "study", 2)
    with open_room(folder, tmp_path / "room.db", {}) as room:
        room.rating.consent("rater-1", room.design.options.information.version)
        yield room


@pytest.fixture
def page(room: Room, serving: Callable[[Room], Serving], browser: "Browser") -> "Iterator[Page]":
    context = browser.new_context(**LOOK)  # type: ignore[arg-type, unused-ignore]  # a mapping
    page = context.new_page()
    page.set_default_timeout(15_000)
    enter(page, serving(room).link("rater-1"))
    yield page
    context.close()


def to_answer(page: "Page", words: str) -> None:
    """Put answers off until this one is there."""
    for _ in range(6):
        page.locator(".task .next").wait_for()
        if page.locator(".reading").get_by_text(words).count():
            return
        page.get_by_role("button", name="More").tap()
        page.locator(".task").evaluate("task => { task.dataset.left = 'yes' }")
        page.get_by_role("button", name="Later", exact=True).tap()
        page.locator(".task[data-left]").wait_for(state="detached")
    raise AssertionError(words)


def test_what_was_said_is_undone_by_a_button(page: "Page") -> None:
    to_answer(page, "Rest the ankle for")
    page.get_by_role("button", name="wrong", exact=True).first.tap()
    page.get_by_role("button", name="Earlier question").tap()
    page.get_by_role("button", name="partly right").tap()
    told = page.locator(".told")
    told.get_by_text("Accuracy: was wrong, now partly right.").wait_for()
    told.get_by_role("button", name="Undo").tap()
    told.get_by_text("Accuracy: wrong again").wait_for()
    assert not told.get_by_role("button").count()

    page.get_by_role("button", name="Later question").tap()
    page.get_by_role("button", name="safe").tap()
    page.evaluate(SELECT, "ankle")
    page.get_by_role("button", name="unsupported").first.tap()
    told.get_by_text("“ankle”").wait_for()
    assert page.locator("mark").inner_text() == "ankle"
    told.get_by_role("button", name="Undo").tap()
    page.locator("mark").wait_for(state="detached")

    page.get_by_role("button", name="More").tap()
    page.get_by_role("button", name="I cannot judge this one").tap()
    page.get_by_role("button", name="I cannot understand the answer").tap()
    told.get_by_text("Cannot judge: I cannot understand the answer.").wait_for()
    # Who has found the tool reads on: the tools give their room back.
    assert not page.get_by_role("button", name="Later", exact=True).filter(visible=True).count()
    assert told.get_by_role("button", name="Undo").is_visible()


def test_what_an_answer_is_compared_with_is_announced_where_it_lies_below(page: "Page") -> None:
    to_answer(page, "May I walk on day 3")
    evidence = page.get_by_role("complementary", name="What to compare the answer with")
    page.get_by_role("button", name="What to compare the answer with").tap()
    page.wait_for_function("() => document.activeElement.matches('.evidence')")
    box, size = evidence.bounding_box(), page.viewport_size
    assert box is not None
    assert size is not None
    assert box["y"] < size["height"] * 2 / 3
    page.set_viewport_size({"width": 1300, "height": 850})
    assert page.locator(".to-evidence").is_hidden()


@pytest.mark.parametrize("width", [390, 768, 1300])
def test_no_tool_stands_alone_in_its_row(page: "Page", width: int) -> None:
    page.set_viewport_size({"width": width, "height": 844})
    page.locator(".task .next").wait_for()
    more = page.get_by_role("button", name="More")
    assert more.is_visible() == (width < 1100)
    if more.is_visible():
        more.tap()
    boxes = [box for tool in page.locator(".tools button").all() if (box := tool.bounding_box())]
    rows = {box["y"] for box in boxes}
    # Either one below the other, or as many in each row but the last, which then is filled.
    assert len(rows) == (len(boxes) if width == 768 else 2), boxes
    ends = {row: max(box["x"] + box["width"] for box in boxes if box["y"] == row) for row in rows}
    assert max(ends.values()) - min(ends.values()) < 1, boxes


def test_documents_with_earlier_labels_lead_to_their_answer(
    tmp_path: Path, serving: Callable[[Room], Serving], browser: "Browser"
) -> None:
    """All of them are labelled, so the button must not promise another answer."""
    with open_demo(tmp_path / "demo", "parts") as room:
        room.rating.consent("rater-1", room.design.options.information.version)
        until_carried(room)
        page = browser.new_context(**LOOK).new_page()  # type: ignore[arg-type, unused-ignore]
        enter(page, serving(room).link("rater-1"))
        page.get_by_text("The answer opens when").wait_for()
        place = page.get_by_text("Answer").first.inner_text()
        page.get_by_role("button", name="Show the answer").tap()
        page.locator(".answer").wait_for()
        assert page.get_by_role("button", name="Next answer").is_visible()
        assert not page.get_by_text("on another device").count()
        assert page.get_by_text("Answer").first.inner_text() == place
        page.context.close()


def test_a_closed_room_tells_the_lead_how_its_ratings_get_into_the_study(room: Room) -> None:
    lead = Visitor(room, "lead")
    command = "medassay campaign export STUDY"
    assert command not in lead.get("/lead").text
    room.lead.set_status("lead", "closed")
    assert command in lead.get("/lead").text


def test_dangerous_answers_stand_before_what_a_lead_must_scroll_to(room: Room) -> None:
    _, _, page = Visitor(room, "lead").get("/lead").text.partition("<thead>")
    place = {key: page.index(f">{shipped().texts['en'](f'lead.{key}')}<") for key in LEADING}
    assert sorted(place, key=lambda key: place[key]) == list(LEADING)
