"""Rating where the line is cut, on a phone, a tablet and two devices: answers wait in memory."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.campaign.conftest import write_study

from medassay.campaign.room import Room

from .conftest import Serving, Visitor, enter, leave_answer, open_room

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

pytestmark = pytest.mark.web
RATER = "rater-1"
PHONE = {"width": 390, "height": 844}
TABLET = {"width": 768, "height": 1024}
WIDE = {"width": 1300, "height": 850}


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    folder = write_study(tmp_path / "study")
    with open_room(folder, tmp_path / "room.db", {"guesses": 0}, batch=6) as room:
        for rater in room.design.settings.raters:
            room.rating.consent(rater, room.design.options.information.version)
        yield room


@pytest.fixture
def context(browser: "Browser") -> "Iterator[Callable[..., BrowserContext]]":
    opened: list[BrowserContext] = []

    def new(**more: Any) -> "BrowserContext":  # noqa: ANN401 - playwright's options
        opened.append(browser.new_context(locale="en-GB", **more))
        return opened[-1]

    yield new
    for one in opened:
        one.close()


def come_in(context: "BrowserContext", served: Serving) -> "Page":
    page = context.new_page()
    enter(page, served.link(RATER))
    return page


def rate(page: "Page") -> None:
    """Give the first label to all that is asked."""
    for _ in range(page.locator(".ask").count()):
        page.keyboard.press("1")
    page.locator(".next.ready").wait_for()


def answer_all(room: Room, code: str) -> None:
    from medassay.campaign.room import Said

    task = room.rating.task(RATER, code)
    assert task is not None
    for question in task.questions:
        for about in question.about:
            name = f"0000-{code}-{question.id}-{about.about}".encode().hex()[:60]
            said = Said(name, code, question.id, about.about, label=question.labels[0].label)
            assert room.rating.say(RATER, said).saved


def test_the_next_five_are_given_and_none_of_the_next_batch(room: Room) -> None:
    visitor = Visitor(room, RATER)
    first = room.rating.stand(RATER).code
    batch = [task["code"] for task in visitor.get("/api/ahead").json()["tasks"]]
    mine = visitor.get("/api/now").json()["task"]
    assert (len(batch), first in batch, mine["batch"]) == (5, False, 1)
    for left in (4, 3, 2, 1, 0, 0):
        answer_all(room, room.rating.stand(RATER).code)
        ahead = visitor.get("/api/ahead").json()["tasks"]
        assert {task["batch"] for task in ahead} <= {1}
        assert len(ahead) == left, left
    # The batch is done and a break is due: nothing of the next batch is given before it.
    assert room.rating.stand(RATER).standing == "break"


def test_what_comes_next_holds_no_more_than_its_rater_may_see(tmp_path: Path) -> None:
    folder = write_study(tmp_path / "study")
    options = {"guesses": 0, "day_limit": 3}
    with open_room(folder, tmp_path / "limited.db", options, calibration=2, batch=5) as room:
        visitor = Visitor(room, RATER)
        # Nothing before somebody has agreed, and of first answers none of the rest.
        assert visitor.get("/api/ahead").json() == {"tasks": []}
        room.rating.consent(RATER, room.design.options.information.version)
        ahead = visitor.get("/api/ahead").json()["tasks"]
        assert [task["calibration"] for task in ahead] == [True]
        text = visitor.get("/api/ahead").text
        assert not [system for system in room.design.systems if system in text]


def test_a_second_device_is_asked_and_the_first_stops(room: Room) -> None:
    tablet, desktop = Visitor(room, RATER), Visitor(room, RATER)
    one, two = "aaaaaaaa-1", "bbbbbbbb-2"

    def here(visitor: Visitor, device: str, **more: bool) -> bool:
        return bool(visitor.post("/api/here", {"device": device, **more}).json()["here"])

    assert here(tablet, one)
    assert not here(desktop, two)
    assert here(tablet, one)
    assert here(desktop, two, takes=True)
    assert not here(tablet, one)
    # A page that was closed leaves its place at once.
    assert not here(desktop, two, leaves=True)
    assert here(tablet, one)
    assert here(Visitor(room, "rater-2"), two)


@pytest.mark.browser
def test_rating_goes_on_with_the_line_cut(
    room: Room, serving: Callable[[Room], Serving], context: "Callable[..., BrowserContext]"
) -> None:
    phone = context(viewport=PHONE, has_touch=True)
    page = come_in(phone, serving(room))
    # A function: the policy for scripts lets no expression be evaluated a second time.
    page.wait_for_function(
        "() => performance.getEntriesByName(location.origin + '/api/ahead').length"
    )
    page.wait_for_load_state("networkidle")
    first = room.rating.stand(RATER).code
    phone.set_offline(True)
    for place in range(1, 7):
        assert page.locator(".where").inner_text().startswith(f"Answer {place} ")
        rate(page)
        if place < 6:
            leave_answer(page, lambda: page.keyboard.press("Enter"))
    # One may look back without a line, and what was said is there.
    page.keyboard.press("b")
    page.locator(".where").filter(has_text="Answer 5 ").wait_for()
    assert page.locator(".label[aria-pressed=true]").count() == page.locator(".ask").count()
    task = room.rating.task(RATER, first)
    assert task is not None
    assert not task.given
    phone.set_offline(False)
    page.get_by_text("Saved", exact=True).wait_for()
    leave_answer(page, lambda: page.keyboard.press("Enter"))
    page.get_by_role("heading", name="Time for a break").wait_for()
    assert room.rating.stand(RATER).progress.done == 6
    kept = page.evaluate("[localStorage, sessionStorage].map((one) => JSON.stringify(one)).join()")
    assert task.shown.answer is not None
    assert task.shown.answer.text[:40] not in kept


@pytest.mark.browser
def test_go_on_here(
    room: Room, serving: Callable[[Room], Serving], context: "Callable[..., BrowserContext]"
) -> None:
    served = serving(room)
    tablet = come_in(context(viewport=TABLET), served)
    tablet.locator(".task").wait_for()
    desktop = come_in(context(viewport=WIDE), served)
    desktop.get_by_role("heading", name="You are rating on another device").wait_for()
    desktop.get_by_role("button", name="Go on here").click()
    desktop.locator(".task").wait_for()
    tablet.evaluate("dispatchEvent(new Event('focus'))")
    tablet.get_by_role("heading", name="You are rating on another device").wait_for()
    # Loading a page again is no other device.
    desktop.reload()
    desktop.locator(".task").wait_for()


@pytest.mark.browser
@pytest.mark.parametrize("viewport", [PHONE, TABLET, WIDE], ids=["phone", "tablet", "wide"])
def test_next_never_changes_place(
    room: Room,
    serving: Callable[[Room], Serving],
    context: "Callable[..., BrowserContext]",
    checked: "Callable[[Page, str], None]",
    viewport: dict[str, int],
) -> None:
    page = come_in(context(viewport=viewport), serving(room))
    page.locator(".task").wait_for()
    places = set()
    for _ in range(4):
        for count in range(page.locator(".ask").count()):
            places.add(tuple(page.locator(".next").bounding_box().values()))  # type: ignore[union-attr] # it is there
            page.keyboard.press("1")
            assert count < 20
        page.locator(".next.ready").wait_for()
        leave_answer(page, lambda: page.keyboard.press("Enter"))
    assert len(places) == 1, places
    checked(page, "task")
    if viewport is PHONE:
        dock = page.locator(".asking").bounding_box()
        assert dock is not None
        assert dock["height"] < 844 / 3
        page.get_by_role("button", name="More").click()
        assert page.get_by_role("button", name="Dangerous").is_visible()
    if viewport is TABLET:
        reading, asking = (page.locator(name).bounding_box() for name in (".reading", ".asking"))
        assert reading is not None
        assert asking is not None
        assert reading["width"] > 1.8 * (asking["width"] - 28)


@pytest.mark.browser
@pytest.mark.parametrize("viewport", [WIDE, TABLET, PHONE])
def test_a_scale_stands_on_one_line_and_the_evidence_right_below_the_answer(
    tmp_path: Path,
    serving: "Callable[[Room], Serving]",
    context: "Callable[..., BrowserContext]",
    viewport: Any,  # noqa: ANN401 - playwright's sizes
) -> None:
    study = write_study(tmp_path / "scale")
    settings = (study / "study.toml").read_text(encoding="utf-8")
    (study / "study.toml").write_text(settings.replace("archehr", "likert5"), encoding="utf-8")
    with open_room(study, tmp_path / "scale.db", {}) as room:
        room.rating.consent(RATER, room.design.options.information.version)
        page = come_in(context(viewport=viewport), serving(room))
        labels = page.locator(".label.bare")
        boxes = [label.bounding_box() for label in labels.all()]
        assert [label.inner_text() for label in labels.all()] == list("12345")
        assert len({box["y"] for box in boxes if box}) == 1
        assert min(box["width"] for box in boxes if box) >= 40
        if viewport is TABLET:
            reading, evidence = (
                page.locator(name).bounding_box() for name in (".reading", ".evidence")
            )
            assert reading is not None
            assert evidence is not None
            assert evidence["y"] - (reading["y"] + reading["height"]) < 40
