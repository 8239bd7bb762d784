"""The room that comes with medassay: every kind of rating, from its link to the study's report."""

import shutil
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, get_args

import pytest
from tests.campaign.room.conftest import SECRET, answer

from medassay.__main__ import main
from medassay.campaign.room import DemoRoom, Reviewed, Room, export_room, open_demo
from medassay.errors import InvalidInput
from medassay.judgements.campaign import Secret
from medassay.study import Study

from .conftest import Serving, Visitor, enter, leave_answer

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.web
RATERS = ("rater-1", "rater-2", "rater-3")
KINDS: tuple[DemoRoom, ...] = get_args(DemoRoom)


@pytest.fixture(scope="module")
def demos(tmp_path_factory: pytest.TempPathFactory) -> Callable[[DemoRoom], Path]:
    """Give the folder of a demo, made once."""
    home = tmp_path_factory.mktemp("demos")

    def made(rate: DemoRoom) -> Path:
        folder = home / rate
        if not folder.exists():
            with pytest.MonkeyPatch.context() as drawn:
                # Which sides the answers of a pair lie on decides whether raters who always take
                # the first label differ at all: one draw in many leaves the lead nothing to settle.
                drawn.setattr(Secret, "new", lambda: SECRET)
                open_demo(folder, rate).close()
        return folder

    return made


@pytest.fixture
def folder(demos: Callable[[DemoRoom], Path], rate: DemoRoom, tmp_path: Path) -> Path:
    return shutil.copytree(demos(rate), tmp_path / "study")


@pytest.fixture
def room(folder: Path, rate: DemoRoom) -> Iterator[Room]:
    with open_demo(folder, rate) as room:
        yield room


@pytest.mark.parametrize("rate", KINDS)
def test_it_goes_on_where_it_was_left(folder: Path, rate: DemoRoom) -> None:
    with open_demo(folder, rate) as room:
        room.rating.consent("rater-1", room.design.options.information.version)
        first = room.rating.next("rater-1")
        assert first is not None
        answer(room, "rater-1", first)
    with open_demo(folder, rate) as again:
        assert again.rating.stand("rater-1").progress.done == 1
        loads = [again.rating.stand(rater).progress.asked for rater in RATERS]
    assert max(loads) - min(loads) <= 1
    assert 10 <= min(loads) <= max(loads) <= 20


@pytest.mark.parametrize("rate", ["answers"])
def test_it_takes_the_place_of_no_other_study(folder: Path) -> None:
    with pytest.raises(InvalidInput, match="be a new folder"):
        open_demo(folder, "conversations")


def come_in(page: "Page", served: Serving, name: str) -> None:
    enter(page, served.link(name))
    page.get_by_role("button", name="I have read this and take part").click()
    page.locator(".task .ask").first.wait_for()


def rate_one(room: Room, page: "Page", rater: str, *, by_keys: bool) -> None:
    """Rate the answer that is open, stage after stage, and go on."""
    before = room.rating.stand(rater).progress.done
    for _ in range(200):
        ready = page.locator(".next.ready")
        if ready.count():
            leave_answer(page, partial(page.keyboard.press, "Enter") if by_keys else ready.click)
            # Only whoever has gone on is done: the last label may be stored before that.
            if room.rating.stand(rater).progress.done > before:
                return
        elif page.locator(".ask.current .number-said").count():
            give_number(page, by_keys=by_keys)
        elif page.locator(".ask.current .whole").count():
            nothing = page.get_by_role("button", name="Nothing wrong here")
            page.keyboard.press("n") if by_keys else nothing.click()
        elif by_keys:
            page.keyboard.press("1")
        else:
            page.locator(".ask.current .label").first.click()
    raise AssertionError(room.rating.next(rater))


def give_number(page: "Page", *, by_keys: bool) -> None:
    """Give a number that is asked for, having marked the first word as wrong, by keys."""
    if by_keys:
        page.keyboard.press("m")
        page.keyboard.press("2")
        page.locator(".marks .label[aria-pressed=true]").first.wait_for()
        page.keyboard.press("ArrowUp")
        page.keyboard.type("140")
        page.keyboard.press("Enter")
        page.get_by_text("Please give a number from 0 to 100 points.").wait_for()
        page.keyboard.type("40")
        page.keyboard.press("Enter")
    else:
        page.locator(".ask.current .number-said").fill("62,5")
        page.locator(".ask.current .number-said").blur()


@pytest.mark.browser
@pytest.mark.parametrize("rate", KINDS)
def test_a_whole_campaign(
    folder: Path,
    room: Room,
    serving: "Callable[[Room], Serving]",
    browser: "Browser",
) -> None:
    """One rates by keyboard, one on a phone, one loses the line and drops out."""
    served = serving(room)
    wide = {"width": 1440, "height": 900}
    keyed = browser.new_context(locale="en-GB", viewport=wide)  # type: ignore[arg-type, unused-ignore]  # a size
    phone = browser.new_context(
        locale="en-GB",
        viewport={"width": 360, "height": 740},
        has_touch=True,
    )
    third = browser.new_context(locale="en-GB")
    ways = ((keyed, True), (phone, False), (third, True))
    for rater, (context, by_keys) in zip(RATERS, ways, strict=True):
        page = context.new_page()
        come_in(page, served, rater)
        rate_one(room, page, rater, by_keys=by_keys)
        page.get_by_role("heading", name="Your first answers are with the reviewer").wait_for()
    review(browser, served)
    for rater, context, by_keys in ((RATERS[0], keyed, True), (RATERS[1], phone, False)):
        page = context.pages[0]
        go_on(page)
        rate_one(room, page, rater, by_keys=by_keys)
        assert room.rating.stand(rater).progress.done == 2
    page = third.pages[0]
    go_on(page)
    third.set_offline(True)
    page.keyboard.press("1")
    page.get_by_text("No connection. Kept here: 1").wait_for()
    third.close()
    for place, rater in enumerate(RATERS[:2]):
        finish(room, rater, place)
    lead(browser, served)
    export(folder, room)
    report(folder)


def go_on(page: "Page") -> None:
    """Come back after the review, and after the break behind the first answers."""
    page.reload()
    rest = page.get_by_role("button", name="Go on")
    rest.or_(page.locator(".task .ask")).first.wait_for()
    if rest.count():
        rest.click()
        page.locator(".task .ask").first.wait_for()


def review(browser: "Browser", served: Serving) -> None:
    page = browser.new_page(locale="en-GB")
    enter(page, served.link("reviewer"))
    for rater in RATERS:
        page.get_by_role("link", name=f"First answers of {rater}").click()
        page.get_by_role("button", name="Open the rest").click()
    page.get_by_text("No first answers are waiting for a review.").wait_for()


def finish(room: Room, rater: str, label: int) -> None:
    """Rate what is left, as quickly as the store takes it, with the label at this place."""
    for _ in range(100):
        stand = room.rating.stand(rater)
        if stand.pause:
            room.rating.take_break(rater, stand.pause.after)
        task = room.rating.next(rater)
        if task is not None:
            answer(room, rater, task, label)
        elif not stand.pause:
            return


def lead(browser: "Browser", served: Serving) -> None:
    page = browser.new_page(locale="en-GB")
    enter(page, served.link("lead"))
    page.get_by_role("heading", name="The campaign").wait_for()
    page.get_by_role("button", name="Close").click()
    page.get_by_text("closed").first.wait_for()
    page.get_by_role("link", name="Agreement so far").click()
    page.get_by_role("heading", name="Agreement so far").wait_for()
    page.get_by_role("link", name="Differences").click()
    page.locator(".due a").first.click()
    page.get_by_label("Why").first.fill("Settled by the lead.")
    page.locator(".difference .label").first.click()
    page.get_by_text("Kept. Another label corrects it.").wait_for()
    assert page.locator(".difference .label[aria-pressed=true]").count() == 1


def export(folder: Path, room: Room) -> None:
    done = export_room(Study.open_whole(folder), room)
    assert done.added > 0
    assert done.notes == []
    study = Study.open_whole(folder)
    asked = {room.rating.stand(rater).progress.done for rater in RATERS[:2]}
    assert min(asked) >= 10
    said = study.preferences_on_file if len(study.preferences_on_file) else study.judgements_on_file
    assert {*RATERS, "lead"} <= set(said.frame["rater"])
    (settled,) = said.frame.filter(said.frame["phase"] == "adjudication").iter_rows(named=True)
    assert (settled["rater"], settled["comment"]) == ("lead", "Settled by the lead.")


@pytest.mark.browser
@pytest.mark.parametrize("rate", ["parts"])
def test_documents_passages_and_numbers_come_home(
    folder: Path,
    room: Room,
    serving: "Callable[[Room], Serving]",
    browser: "Browser",
    checked: "Callable[[Page, str], None]",
) -> None:
    """Documents are labelled before the answer is there; a phone marks nothing, keys one word."""
    served = serving(room)
    for rater, by_keys in ((RATERS[0], True), (RATERS[1], False)):
        page = browser.new_page(locale="en-GB")
        come_in(page, served, rater)
        page.get_by_text("The answer opens when the documents are labelled.").wait_for()
        assert page.locator(".answer").count() == 0
        checked(page, "documents")
        rate_one(room, page, rater, by_keys=by_keys)
        page.close()
    export_room(Study.open_whole(folder), room)
    frame = Study.open_whole(folder).judgements_on_file.frame
    first, second = (frame.filter(frame["rater"] == rater) for rater in RATERS[:2])
    assert first.filter(first["dimension"] == "relevance").height == 2
    (mark,) = first.filter(first["dimension"] == "errors").iter_rows(named=True)
    assert (mark["kind"], mark["severity"]) == ("contradicted", "serious")
    assert mark["about"].startswith("span:0-")
    (nothing,) = second.filter(second["dimension"] == "errors").iter_rows(named=True)
    assert (nothing["kind"], nothing["about"]) == ("none", "")
    numbers = frame.filter(frame["dimension"] == "usefulness").sort("rater")["number"]
    assert numbers.to_list() == [40.0, 62.5]


@pytest.mark.parametrize("rate", ["parts"])
def test_who_settles_is_told_in_their_language_which_numbers_are_asked(room: Room) -> None:
    for place, rater in enumerate(RATERS):
        room.rating.consent(rater, room.design.options.information.version)
        finish(room, rater, place)
        room.lead.review("reviewer", Reviewed(rater, "passed"))
        room.rating.read_review(rater, room.rating.stand(rater).review)
        finish(room, rater, place)
    lead = Visitor(room, "lead")
    lead.post("/language", {"language": "de"})
    lines = room.settling.waiting("lead")
    pages = [lead.get(f"/settle/{line.item}").text for line in lines]
    assert any("eine Zahl von 0 bis 100 (points)" in page for page in pages)
    assert not any("a number from" in page for page in pages)


def report(folder: Path) -> None:
    """Run the study as it came home, unchanged."""
    with pytest.raises(SystemExit) as stopped:
        main(["run", str(folder)])
    assert not stopped.value.code
    assert any((folder / "results").rglob("report.html"))
