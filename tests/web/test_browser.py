"""A rater's way through the room, in a real browser: by keyboard, on a phone, with a cut line."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import pytest
from tests.campaign.conftest import write_study

from medassay.campaign.room import Room, Said

from .conftest import Serving, enter, open_room

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

pytestmark = [pytest.mark.web, pytest.mark.browser]
WIDE = {"width": 1440, "height": 900}
PHONE = {"width": 360, "height": 740}


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    folder = write_study(tmp_path / "study")
    with open_room(folder, tmp_path / "room.db", {}, calibration=1, batch=3) as room:
        yield room


@pytest.fixture
def served(room: Room, serving: Callable[[Room], Serving]) -> Serving:
    return serving(room)


@pytest.fixture
def context(browser: "Browser") -> "Iterator[Callable[..., BrowserContext]]":
    opened: list[BrowserContext] = []

    def new(**more: Any) -> "BrowserContext":  # noqa: ANN401 - playwright's options
        opened.append(browser.new_context(locale="en-GB", **more))
        return opened[-1]

    yield new
    for one in opened:
        one.close()


def come_in(context: "BrowserContext", served: Serving, name: str) -> "Page":
    """Open a link, press the button, agree."""
    page = context.new_page()
    page.goto(served.link(name))
    assert "#" not in page.url
    page.get_by_role("button", name="Open my answers").click()
    page.get_by_role("button", name="I have read this and take part").click()
    page.locator(".task").wait_for()
    return page


GONE_ON = """before => {
  const where = document.querySelector(".where").innerText;
  const task = document.querySelector(".task");
  return !task || task.querySelector("h1") || (where && where !== before);
}"""


def rate_by_keys(page: "Page") -> None:
    """Give the first label to all that is asked, and go on."""
    before = page.locator(".where").inner_text()
    asks = page.locator(".ask").count()
    for _ in range(asks):
        page.keyboard.press("1")
    page.locator(".next.ready").wait_for()
    page.keyboard.press("Enter")
    page.wait_for_function(GONE_ON, arg=before)


def test_opening_a_link_records_nothing(
    room: Room, served: Serving, context: "Callable[..., BrowserContext]"
) -> None:
    before = counts(room)
    link = served.link("rater-1")
    page = context().new_page()
    page.goto(link)
    assert page.url == f"{served.address}/in"
    after = counts(room)
    assert {name: after[name] - before[name] for name in after} == {
        name: int(name == "links") for name in after
    }


def counts(room: Room) -> dict[str, int]:
    from sqlalchemy import func, select

    from medassay.campaign.room.schema import tables

    with room.database.reading() as connection:
        return {
            name: connection.execute(select(func.count()).select_from(table)).scalar_one()
            for name, table in vars(tables()).items()
            if name != "metadata"
        }


def test_a_rater_goes_through_all_by_keyboard(
    room: Room, served: Serving, context: "Callable[..., BrowserContext]"
) -> None:
    page = come_in(context(viewport=WIDE), served, "rater-1")
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    rate_by_keys(page)
    page.get_by_role("heading", name="Your first answers are with the reviewer").wait_for()
    review(served, context())
    page.reload()
    for _ in range(100):
        page.locator(".task, .sheet").first.wait_for()
        if page.get_by_role("button", name="Go on").count():
            title = page.locator(".sheet h1").inner_text()
            page.get_by_role("button", name="Go on").click()
            page.get_by_role("heading", name=title).wait_for(state="detached")
        elif page.locator(".labels .label").count() and page.locator(".going").count():
            rate_by_keys(page)
        else:
            break
    assert room.rating.stand("rater-1").standing == "guess"
    assert faults == []


def review(served: Serving, context: "BrowserContext") -> None:
    page = context.new_page()
    enter(page, served.link("reviewer"))
    page.get_by_role("link", name="First answers of rater-1").click()
    page.get_by_label("An honest difference").first.check()
    page.get_by_role("button", name="Open the rest").click()
    page.get_by_text("No first answers are waiting for a review.").wait_for()


def test_a_cut_line_loses_nothing(
    room: Room, served: Serving, context: "Callable[..., BrowserContext]"
) -> None:
    phone = context(viewport=PHONE, has_touch=True)
    page = come_in(phone, served, "rater-2")
    code = room.rating.stand("rater-2").code
    phone.set_offline(True)
    page.locator(".ask.current .label").first.click()
    page.get_by_text("No connection. Kept here: 1").wait_for()
    task = room.rating.task("rater-2", code)
    assert task is not None
    assert not task.given
    phone.set_offline(False)
    page.get_by_text("Saved", exact=True).wait_for()
    task = room.rating.task("rater-2", code)
    assert task is not None
    assert len(task.given) == 1


QUEUE = """async ([shared, steps]) => {
  const { Queue } = await import("/static/queue.js");
  const taken = [];
  const post = async (path, { said }) => {
    taken.push(...said.map((one) => one.client));
    return { receipts: said.map(({ client }) => ({ client, saved: true })) };
  };
  const queue = new Queue({ post }, "rater-2", shared);
  const say = () => queue.put({ client: "the last label" });
  await queue.open();
  %s
  return taken;
}"""
SAID_WHILE_READING = (
    QUEUE
    % """
  queue.send();
  for (let step = 0; step < steps; step++) await null;
  say();
  await queue.send();"""
)
SAID_BY_A_LISTENER = (
    QUEUE
    % """
  queue.addEventListener("state", say, { once: true });
  await queue.send();
  for (let turn = 0; turn < 100 && !taken.length; turn++) {
    await new Promise((yes) => setTimeout(yes, 50));
  }"""
)


@pytest.mark.parametrize("shared", [True, False], ids=["in memory", "on the browser's disk"])
def test_who_waits_for_all_that_was_said_waits_for_what_was_said_meanwhile(
    served: Serving, context: "Callable[..., BrowserContext]", *, shared: bool
) -> None:
    """Else the server is asked too early, and shows the same answer again."""
    page = context().new_page()
    page.goto(served.link("rater-2"))
    for steps in range(20):
        assert page.evaluate(SAID_WHILE_READING, [shared, steps]) == ["the last label"], steps
    assert page.evaluate(SAID_BY_A_LISTENER, [shared, 0]) == ["the last label"]


def test_a_page_that_is_closed_without_a_line_sends_when_it_is_opened_again(
    room: Room, served: Serving, context: "Callable[..., BrowserContext]"
) -> None:
    browser = context(viewport=WIDE)
    page = come_in(browser, served, "rater-2")
    code = room.rating.stand("rater-2").code
    browser.set_offline(True)
    page.keyboard.press("2")
    page.get_by_text("No connection. Kept here: 1").wait_for()
    page.close()
    browser.set_offline(False)
    again = browser.new_page()
    again.goto(f"{served.address}/rate")
    again.get_by_text("Saved", exact=True).wait_for()
    again.locator(".task").wait_for()
    task = room.rating.task("rater-2", code)
    assert task is not None
    assert len(task.given) == 1


def test_what_is_kept_in_the_browser_holds_no_text_and_goes_with_signing_out(
    served: Serving, context: "Callable[..., BrowserContext]"
) -> None:
    browser = context(viewport=WIDE)
    page = come_in(browser, served, "rater-2")
    browser.set_offline(True)
    page.keyboard.press("1")
    page.get_by_text("No connection. Kept here: 1").wait_for()
    kept = page.evaluate(KEPT)
    assert kept.count('"client"') == 1
    assert "ankle" not in kept
    assert "Rest for" not in kept
    browser.set_offline(False)
    page.get_by_text("Saved", exact=True).wait_for()
    page.get_by_text("Menu").click()
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_url("**/in")
    assert '"client"' not in page.evaluate(KEPT)


KEPT = """async () => {
  const names = await indexedDB.databases();
  const found = [JSON.stringify({ ...localStorage }), JSON.stringify({ ...sessionStorage })];
  for (const { name } of names) {
    const open = indexedDB.open(name);
    const database = await new Promise((yes) => (open.onsuccess = () => yes(open.result)));
    for (const store of database.objectStoreNames) {
      const all = database.transaction(store).objectStore(store).getAll();
      await new Promise((yes) => (all.onsuccess = yes));
      found.push(JSON.stringify(all.result));
    }
    database.close();
  }
  return found.join();
}"""


def test_it_reads_from_right_to_left(
    served: Serving, context: "Callable[..., BrowserContext]"
) -> None:
    page = come_in(context(viewport=WIDE), served, "rater-1")
    page.evaluate("document.documentElement.dir = 'rtl'")
    asking, evidence = page.locator(".asking"), page.locator(".reading")
    left, right = asking.bounding_box(), evidence.bounding_box()
    assert left is not None
    assert right is not None
    assert left["x"] < right["x"]
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


def test_it_speaks_the_browsers_language(served: Serving, browser: "Browser") -> None:
    german = browser.new_context(locale="de-DE")
    page = german.new_page()
    page.goto(served.link("rater-1"))
    page.get_by_role("button", name="Meine Antworten öffnen").click()
    page.get_by_role("button", name="Ich habe das gelesen und nehme teil").click()
    page.get_by_role("button", name="Nächste Antwort").wait_for()
    assert page.locator("html").get_attribute("lang") == "de"
    german.close()


def test_who_chooses_a_language_first_keeps_the_link(
    served: Serving, context: "Callable[..., BrowserContext]"
) -> None:
    page = context().new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    link = served.link("rater-1")
    page.goto(link)
    page.get_by_label("Language").select_option("de")
    page.get_by_role("button", name="Choose").click()
    page.locator("html[lang=de]").wait_for()
    page.locator("#come-in button").click()
    page.get_by_role("button", name="Ich habe das gelesen und nehme teil").wait_for()
    assert page.url == f"{served.address}/rate"
    token = link.partition("#")[2]
    assert token not in "".join(url.partition("#")[0] for url in asked)


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize(
    ("page_of", "broken"),
    [
        pytest.param("/in", "", id="the door without JavaScript"),
        pytest.param("/in", "door.js", id="the door, not parsed"),
        pytest.param("/rate", "", id="the room without JavaScript"),
        pytest.param("/rate", "main.js", id="the room, not parsed"),
    ],
)
def test_whoever_has_no_browser_for_it_is_told_which_and_what_to_do(
    room: Room, served: Serving, browser: "Browser", page_of: str, broken: str, language: str
) -> None:
    context = browser.new_context(locale=language, java_script_enabled=bool(broken))
    session = room.access.start(room.access.invite("rater-1"))
    assert session is not None
    if page_of == "/rate":
        cookie = {"name": served.setup.cookie, "value": session, "url": served.address}
        context.add_cookies([cookie])  # type: ignore[list-item, unused-ignore]  # a mapping
    page = context.new_page()
    script = {"body": "class {", "content_type": "text/javascript"}
    page.route(f"**/static/{broken or 'none.js'}", lambda route: route.fulfill(**script))
    page.goto(f"{served.address}{page_of}#token")
    needs = page.locator(".needs").filter(has_text="Firefox").filter(visible=True)
    needs.wait_for()
    assert needs.count() == 1
    assert ("workbook" if language == "en" else "Arbeitsmappe") in needs.inner_text()
    assert not page.locator("#no-link, #come-in").filter(visible=True).count()
    context.close()


@pytest.mark.parametrize("later", ["while it is looked at", "on leaving", "both at once"])
def test_a_second_device_shows_what_holds_now(
    room: Room, served: Serving, context: "Callable[..., BrowserContext]", later: str
) -> None:
    """One says Yes, the other Partially: nobody leaves an answer that shows what no more holds."""
    tablet = come_in(context(viewport=PHONE), served, "rater-2")
    code = room.rating.stand("rater-2").code
    for _ in range(tablet.locator(".ask").count()):
        tablet.locator(".ask.current .label").first.click()
    tablet.locator(".next.ready").wait_for()
    tablet.get_by_text("Saved", exact=True).wait_for()
    task = room.rating.task("rater-2", code)
    assert task is not None
    question = task.questions[0]
    other = Said("other-device", code, question.id, label=question.labels[1].label)
    assert room.rating.say("rater-2", other).saved
    if later == "both at once":
        # The look that the focus begins is on its way still when the answer is left.
        tablet.evaluate(
            """() => { const ask = window.fetch; window.fetch = (where, how) =>
            new Promise((go) => setTimeout(go, String(where).includes("/api/tasks/") ? 900 : 0))
            .then(() => ask(where, how)); }"""
        )
    if later != "on leaving":
        tablet.evaluate("dispatchEvent(new Event('focus'))")
    if later != "while it is looked at":
        tablet.locator(".next").click()
    tablet.get_by_text("A label was changed on another device.").wait_for()
    shown = tablet.locator(".ask").first.locator("[aria-pressed=true]")
    assert question.labels[1].label in shown.all_inner_texts()[0]
    assert tablet.locator(".where").inner_text().startswith("Answer 1 ")
    tablet.locator(".next").click()
    tablet.get_by_role("heading", name="Your first answers are with the reviewer").wait_for()


@pytest.mark.parametrize("viewport", [WIDE, PHONE], ids=["wide", "phone"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_screen_keeps_anybody_out(
    served: Serving,
    context: "Callable[..., BrowserContext]",
    viewport: dict[str, int],
    scheme: Literal["light", "dark"],
    checked: "Callable[[Page, str], None]",
) -> None:
    browser = context(viewport=viewport, color_scheme=scheme)
    page = browser.new_page()
    page.goto(served.link("rater-1"))
    checked(page, "door")
    page.get_by_role("button", name="Open my answers").click()
    page.get_by_role("button", name="I have read this and take part").wait_for()
    checked(page, "consent")
    page.get_by_role("button", name="I have read this and take part").click()
    page.locator(".task").wait_for()
    checked(page, "task")
    page.locator(".helper:visible").first.click()
    checked(page, "labels")
    page.get_by_role("button", name="Close").click()
    page.keyboard.press("k")
    checked(page, "keys")
    led = context(viewport=viewport, color_scheme=scheme).new_page()
    enter(led, served.link("lead"))
    led.get_by_role("heading", name="The campaign").wait_for()
    checked(led, "lead")
