"""A script or style sheet that is refused, lost or slow: the page says so, and mends itself."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.campaign.conftest import write_study

from medassay.campaign.room import Room
from medassay.errors import Problem
from medassay.web import Setup
from medassay.web.viewer import Key, Viewed, view_app

from .conftest import Listening, Serving, Visitor, open_room

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route

pytestmark = pytest.mark.web
STATIC = Path(__file__).parents[2] / "src/medassay/web/static"
SCRIPTS = "".join(path.read_text() for path in STATIC.glob("*.js"))
MODULES = sorted(set(re.findall(r'(\w+\.js)"', SCRIPTS)))
"""What one module of the room asks for by name: any of them may be the one that is refused."""
LONGEST = 3_000
"""Milliseconds until a page that lost something tries again the first time, at most."""
LOST = "The page has not loaded in full: the server is busy"


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Room]:
    path = tmp_path_factory.mktemp("lost")
    folder = write_study(path / "study")
    with open_room(folder, path / "room.db", {"signatures": True}) as room:
        for rater in room.design.settings.raters:
            room.rating.consent(rater, room.design.options.information.version)
        yield room


def test_scripts_and_styles_are_given_at_any_pace_and_while_the_database_is_away(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    somebody = Visitor(room, "rater-1", Setup("http://127.0.0.1:8000", busy=0.1))
    for path in ("main.js", "room.css"):
        assert {somebody.get(f"/static/{path}").status_code for _ in range(20)} == {200}
    assert somebody.get("/rate").status_code == 429
    stranger = Visitor(room)
    assert {stranger.get("/static/door.js").status_code for _ in range(250)} == {200}
    assert stranger.get("/in").status_code == 200

    def away(*_: object, **__: object) -> None:
        raise AssertionError(Problem("/srv/room.db", "be left alone", "a look"))

    with monkeypatch.context() as patched:
        patched.setattr(room.access, "ask", away)
        given = somebody.get("/static/main.js")
    assert given.status_code == 200
    assert "set-cookie" not in given.headers


def test_a_page_that_is_refused_as_one_too_many_asks_again_by_itself(room: Room) -> None:
    somebody = Visitor(room, "lead", Setup("http://127.0.0.1:8000", busy=0.1))
    told = somebody.get("/lead")
    assert told.status_code == 429
    assert '<meta http-equiv="refresh" content="5">' in told.text
    # A form is never sent a second time by itself, and no such address is asked for.
    sent = somebody.post("/lead/status", {"status": "paused"})
    assert (sent.status_code, "refresh" in sent.text) == (429, False)


class Refusing:
    """Refuses the named file as often as it is told to, by a status or by a cut line."""

    def __init__(self, page: "Page", name: str, how: int | str, times: int = 1) -> None:
        self.refused, self.how, self.times = 0, how, times
        page.route(re.compile(rf"/static/{re.escape(name)}(\?.*)?$"), self)

    def __call__(self, route: "Route") -> None:
        if self.refused >= self.times:
            route.continue_()
            return
        self.refused += 1
        if isinstance(self.how, int):
            route.fulfill(status=self.how, body="busy")
        else:
            route.abort(self.how)


@pytest.fixture(scope="module")
def served(room: Room) -> Iterator[Serving]:
    serving = Serving(room)
    yield serving
    serving.close()


@pytest.fixture(scope="module")
def viewer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Give the address of a viewer with its key."""
    folder = write_study(tmp_path_factory.mktemp("viewed") / "study")
    key = Key()
    listening = Listening(view_app(Viewed.open(folder), key))
    yield key.address(listening.address)
    listening.close()


@pytest.fixture
def page(browser: "Browser") -> "Iterator[Page]":
    context = browser.new_context(locale="en-GB")
    page = context.new_page()
    page.set_default_timeout(15_000)
    # What waits for its time waits for the test: a slow machine would miss what is gone again.
    page.clock.install(time=0)
    page.clock.pause_at(1_000)
    yield page
    context.close()


def come_in(page: "Page", room: Room, served: Serving, name: str) -> None:
    """Have the page's browser signed in, without opening a page."""
    session = room.access.start(room.access.invite(name))
    assert session is not None
    cookie = {"name": served.setup.cookie, "value": session, "url": served.address}
    page.context.add_cookies([cookie])  # type: ignore[list-item, unused-ignore]  # a mapping


@pytest.mark.browser
def test_a_room_that_is_refused_one_module_says_so_and_comes_back(
    page: "Page", room: Room, served: Serving
) -> None:
    come_in(page, room, served, "rater-1")
    for place, name in enumerate(("main.js", "room.css", *MODULES)):
        refusing = Refusing(page, name, (429, 503, "connectionreset")[place % 3])
        page.goto(f"{served.address}/rate")
        page.get_by_text(LOST).wait_for()
        assert not page.get_by_text("newer browser").filter(visible=True).count(), name
        page.clock.fast_forward(LONGEST)
        page.get_by_text(LOST).wait_for(state="hidden")
        page.locator("main[data-standing] > *").first.wait_for()
        page.unroute_all()
        assert (refusing.refused, page.evaluate("history.state")) == (1, None), name


@pytest.mark.browser
@pytest.mark.parametrize(
    ("name", "path", "file", "how"),
    [
        ("", "/in", "door.js", 429),
        ("", "/in", "room.css", 503),
        ("lead", "/lead", "lead.js", "connectionreset"),
        ("lead", "/review", "written.js", 429),
        ("lead", "/settle", "room.css", "connectionreset"),
        ("lead", "/lead/signatures", "written.js", 503),
        ("viewer", "", "written.js", "connectionreset"),
        ("viewer", "", "view.css", 503),
    ],
)
def test_every_other_page_says_what_is_lost_and_fetches_it_without_a_reload(
    page: "Page", room: Room, served: Serving, viewer: str, name: str, path: str, file: str,
    how: int | str,
) -> None:  # fmt: skip
    if name == "lead":
        come_in(page, room, served, name)
    refusing = Refusing(page, file, how, times=2)
    page.goto(viewer if name == "viewer" else f"{served.address}{path}#token")
    page.get_by_text(LOST).wait_for()
    assert not page.get_by_text("newer browser").filter(visible=True).count()
    page.evaluate("document.body.dataset.same = 'yes'")
    page.clock.fast_forward(LONGEST)
    page.wait_for_load_state("networkidle")
    page.clock.fast_forward(2 * LONGEST)
    page.get_by_text(LOST).wait_for(state="hidden")
    assert refusing.refused == 2
    assert page.locator("body[data-same]").count() == 1
    if path == "/in":
        page.get_by_role("button", name="Open my answers").wait_for()


@pytest.mark.browser
def test_a_script_that_does_not_come_is_told_as_slow_and_no_browser_is_blamed(
    page: "Page", room: Room, served: Serving
) -> None:
    come_in(page, room, served, "rater-1")
    held: list[Route] = []

    def hold(route: "Route") -> None:
        held.append(route)

    page.route("**/static/queue.js", hold)
    page.goto(f"{served.address}/rate", wait_until="commit")
    page.wait_for_function("() => document.readyState === 'interactive'")
    assert not page.get_by_text(LOST).filter(visible=True).count()
    page.clock.fast_forward(10_000)
    page.get_by_text(LOST).wait_for()
    assert not page.get_by_text("newer browser").filter(visible=True).count()
    held[0].continue_()
    page.locator("main[data-standing] > *").first.wait_for()
    page.get_by_text(LOST).wait_for(state="hidden")


@pytest.mark.browser
def test_a_room_whose_server_is_busy_says_so_and_goes_on(
    page: "Page", room: Room, served: Serving
) -> None:
    # No other test has this rater on another device.
    come_in(page, room, served, "rater-2")
    answers: list[int] = []
    body = '{"word": "x", "sentence": "x", "problems": []}'

    def busy(route: "Route") -> None:
        if answers:
            route.fulfill(status=answers[0], body=body, content_type="application/json")
        else:
            route.continue_()

    page.route("**/api/now", busy)
    for status in (429, 503):
        answers.append(status)
        page.goto(f"{served.address}/rate")
        page.get_by_role("heading", name="The server is busy").wait_for()
        answers.clear()
        page.clock.fast_forward(3_000)
        page.get_by_label("Passphrase").first.wait_for()
