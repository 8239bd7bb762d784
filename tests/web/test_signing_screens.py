"""Signing in a real browser: by keyboard alone, told what is wrong, and open to everybody."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import pytest
from tests.campaign.conftest import write_study
from tests.campaign.room.conftest import answer, said

from medassay.campaign import Wishes, create_campaign
from medassay.campaign.room import Room, export_room, open_demo, open_room
from medassay.study import Study

from .conftest import PASSPHRASE, SECRET, Serving, enter
from .conftest import open_room as open_new_room

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.web, pytest.mark.browser]
RATER = "rater-1"
WIDE = {"width": 1440, "height": 900}
PHONE = {"width": 360, "height": 740}

CHOOSING = """
- main:
  - paragraph: Ankles
  - heading "Choose a passphrase" [level=1]
  - paragraph
  - text: Passphrase
  - textbox "Passphrase"
  - paragraph: /12 characters or more/
  - text: The same once more
  - textbox "The same once more"
  - checkbox "Show what I type"
  - text: Show what I type
  - alert
  - paragraph:
    - button "Set my passphrase"
  - paragraph
"""
SIGNING = """
- main:
  - paragraph: Ankles
  - heading "Sign your ratings" [level=1]
  - paragraph
  - table "Sign your ratings":
    - rowgroup:
      - row "Batch Answers Judgements"
    - rowgroup:
      - row "1 4 12":
        - rowheader "1"
        - cell "4"
        - cell "12"
  - blockquote:
    - paragraph: Your signature says
    - paragraph: I made these judgements myself.
    - paragraph: Signed as rater-1, with date and time.
  - text: Your passphrase
  - textbox "Your passphrase"
  - checkbox "Show what I type"
  - text: Show what I type
  - alert
  - paragraph:
    - button "Sign"
    - button "Look at them again"
  - group: I have forgotten it
  - paragraph
"""
LEADING = """
- main:
  - heading "Signatures" [level=1]
  - paragraph
  - region "Signatures by rater":
    - table:
      - rowgroup:
        - row /Rater Passphrase Batches signed . finished Answers rated, not signed Wrong/
      - rowgroup:
        - row "rater-1 set 1 / 1 0 0"
        - row "rater-2 not yet 0 / 0 0 0"
  - heading "Signatures given" [level=2]
  - region "Signatures given":
    - table:
      - rowgroup:
        - row "Time (UTC) Rater Batch Answers It says Valid SHA-256"
      - rowgroup:
        - row /rater-1 1 4 I made these judgements myself. yes/
  - form "A passphrase was forgotten":
    - heading "A passphrase was forgotten" [level=2]
    - paragraph
    - text: Rater
    - combobox "Rater"
    - text: Why
    - textbox "Why"
    - paragraph:
      - button "Reset the passphrase"
  - paragraph
"""


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    folder = write_study(tmp_path / "study")
    with open_new_room(folder, tmp_path / "room.db", {"signatures": True}, batch=4) as room:
        yield room


@pytest.fixture
def served(room: Room, serving: Callable[[Room], Serving]) -> Serving:
    return serving(room)


def come_in(browser: "Browser", served: Serving, **more: Any) -> "Page":  # noqa: ANN401 - playwright's options
    page = browser.new_context(locale="en-GB", **more).new_page()
    enter(page, served.link(RATER))
    page.get_by_role("button", name="I have read this and take part").click()
    page.get_by_role("heading", name="Choose a passphrase").wait_for()
    return page


def rate_batch(room: Room) -> None:
    while (stand := room.rating.stand(RATER)).standing in {"task", "break"}:
        if stand.pause is not None:
            room.rating.take_break(RATER, stand.pause.after)
        elif (task := room.rating.next(RATER)) is not None:
            answer(room, RATER, task)


def test_a_batch_is_signed_by_keyboard_alone(
    room: Room, served: Serving, browser: "Browser"
) -> None:
    page = come_in(browser, served, viewport=WIDE)
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.get_by_label("Passphrase").focus()
    for typed, told in (
        (("short", "short"), "Please take 12 characters or more, at least 5 of them different."),
        ((PASSPHRASE, "another one of mine"), "The two are not the same."),
        ((PASSPHRASE, PASSPHRASE), ""),
    ):
        page.get_by_label("Passphrase").focus()
        for word in typed:
            page.keyboard.press("ControlOrMeta+a")
            page.keyboard.type(word)
            page.keyboard.press("Tab")
        page.get_by_label("The same once more").focus()
        page.keyboard.press("Enter")
        if told:
            page.get_by_role("alert").get_by_text(told).wait_for()
            assert page.locator(".secret[aria-invalid=true]:focus").count() == 1
    page.locator(".task").wait_for()
    rate_batch(room)
    page.reload()
    page.get_by_role("heading", name="Sign your ratings").wait_for()
    page.get_by_label("Your passphrase").focus()
    page.keyboard.type("not mine at all")
    page.keyboard.press("Enter")
    page.get_by_role("alert").get_by_text("Tries left: 4.").wait_for()
    assert room.signing.signatures("lead")[1] == []
    page.keyboard.type(PASSPHRASE)
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Time for a break").wait_for()
    (signature,) = room.signing.signatures("lead")[1]
    assert (signature.rater, signature.batch, signature.holds) == (RATER, 1, True)
    assert faults == []


def test_what_was_changed_after_signing_is_signed_again(
    room: Room, served: Serving, browser: "Browser"
) -> None:
    page = come_in(browser, served, viewport=PHONE)
    room.signing.set_passphrase(RATER, PASSPHRASE)
    rate_batch(room)
    page.reload()
    page.get_by_role("button", name="Look at them again").click()
    page.locator(".task .ask").first.wait_for()
    page.reload()
    due = {one.batch: one.sha256 for one in room.rating.stand(RATER).signing}
    code = room.rating.stand(RATER).signing[0].code
    room.signing.sign(RATER, PASSPHRASE, due)
    task = room.rating.task(RATER, code)
    assert task is not None
    question = task.questions[0]
    room.rating.say(RATER, said(task, question.id, question.labels[1].label))
    page.reload()
    page.get_by_text("changed since you signed it").wait_for()
    page.get_by_text("and the changes since I last signed them.").wait_for()
    page.get_by_label("Your passphrase").fill(PASSPHRASE)
    page.get_by_role("button", name="Sign", exact=True).click()
    page.get_by_role("heading", name="Time for a break").wait_for()
    assert [one.holds for one in room.signing.signatures("lead")[1]] == [False, True]


@pytest.mark.parametrize("viewport", [WIDE, PHONE], ids=["wide", "phone"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_screen_keeps_anybody_out(
    room: Room,
    served: Serving,
    browser: "Browser",
    viewport: dict[str, int],
    scheme: Literal["light", "dark"],
    checked: "Callable[[Page, str], None]",
) -> None:
    from playwright.sync_api import expect

    page = come_in(browser, served, viewport=viewport, color_scheme=scheme)
    checked(page, "passphrase")
    expect(page.get_by_role("main")).to_match_aria_snapshot(CHOOSING)
    page.get_by_role("button", name="Set my passphrase").click()
    checked(page, "passphrase, refused")
    room.signing.set_passphrase(RATER, PASSPHRASE)
    rate_batch(room)
    page.reload()
    page.get_by_role("heading", name="Sign your ratings").wait_for()
    checked(page, "sign")
    expect(page.get_by_role("main")).to_match_aria_snapshot(SIGNING)
    due = {one.batch: one.sha256 for one in room.rating.stand(RATER).signing}
    room.signing.sign(RATER, PASSPHRASE, due)
    led = browser.new_context(locale="en-GB", viewport=viewport, color_scheme=scheme).new_page()  # type: ignore[arg-type, unused-ignore]  # a size
    enter(led, served.link("lead"))
    led.get_by_role("heading", name="The campaign").wait_for()
    checked(led, "lead")
    led.goto(f"{served.address}/lead/signatures")
    checked(led, "signatures")
    expect(led.get_by_role("main")).to_match_aria_snapshot(LEADING)
    led.get_by_role("combobox").select_option(RATER)
    led.get_by_label("Why").fill("forgotten")
    led.get_by_role("button", name="Reset the passphrase").click()
    led.get_by_role("row", name="rater-1 not yet 1 / 1 0 0").wait_for()
    page.reload()
    page.get_by_text("The study lead has reset your earlier passphrase.").wait_for()
    checked(page, "passphrase, anew")


def test_how_sure_a_rater_is_is_asked_in_the_rubrics_words(
    tmp_path: Path,
    serving: Callable[[Room], Serving],
    browser: "Browser",
    checked: "Callable[[Page, str], None]",
) -> None:
    """By keys and by hand: words beside documents, shares beside a number, words of a mark."""
    folder = tmp_path / "study"
    open_demo(folder, "parts").close()
    rubric = (folder / "rubric.toml").read_text(encoding="utf-8")
    words = 'confidence = ["unsure", "fairly sure", "sure"]'
    rubric = rubric.replace('about = "document"\n', f'about = "document"\n{words}\n')
    rubric = rubric.replace('about = "span"\n', f'about = "span"\n{words}\n')
    rubric = rubric.replace("number = {", 'confidence = "0-1"\nnumber = {')
    (folder / "rubric.toml").write_text(rubric, encoding="utf-8")
    create_campaign(Study.open_whole(folder), Wishes("eva", "sure", "answers"), SECRET)
    with open_room(Study.open_whole(folder), "sure") as room:
        room.rating.consent("eva", room.design.options.information.version)
        page = browser.new_context(locale="en-GB", viewport=PHONE).new_page()  # type: ignore[arg-type, unused-ignore]  # a size
        enter(page, serving(room).link("eva"))
        page.locator(".ask.current").wait_for()
        checked(page, "how sure")
        for _ in range(2):
            assert page.locator(".ask.current .sure button").first.is_disabled()
            page.keyboard.press("1")
            assert page.locator(".answer").count() == 0
            page.keyboard.press("Shift+Digit2")
        page.locator(".next.ready").click()
        page.locator(".answer").first.wait_for()
        page.locator(".ask.current .number-said").fill("40")
        page.locator(".ask.current .number-said").press("Enter")
        page.get_by_role("button", name="75% sure").click()
        page.keyboard.press("m")
        page.keyboard.press("2")
        page.locator(".marks").get_by_role("button", name="unsure").click()
        page.get_by_text("Saved", exact=True).wait_for()
        page.locator(".next.ready").click()
        page.get_by_text("Answer 2 of").wait_for()
        export_room(Study.open_whole(folder), room)
    frame = Study.open_whole(folder).judgements_on_file.current()
    held = set(
        frame.filter(frame["kind"].is_null() | (frame["kind"] != "none"))
        .select("dimension", "confidence")
        .rows()
    )
    assert held == {("relevance", "fairly sure"), ("usefulness", "0.75"), ("errors", "unsure")}


def test_a_lead_on_a_phone_sees_the_way_to_every_page(served: Serving, browser: "Browser") -> None:
    page = browser.new_context(locale="en-GB", viewport=PHONE).new_page()  # type: ignore[arg-type, unused-ignore]  # a size
    page.goto(served.link("lead"))
    page.get_by_role("button").first.click()
    page.get_by_role("heading", name="The campaign").wait_for()
    ways = page.locator("header nav a").all()
    assert len(ways) == 5
    for way in ways:
        box = way.bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= PHONE["width"]
        nav = page.locator("header nav").bounding_box()
        assert nav is not None
        assert box["x"] + box["width"] <= nav["x"] + nav["width"] + 1
