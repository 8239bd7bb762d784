"""A room with everybody in it, asked through its application or served for a browser."""

import atexit
import socket
import threading
import time as real_time
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.apart import stands_aside
from tests.campaign.conftest import write_study
from tests.campaign.room.conftest import cheap_passphrases

from medassay.campaign import Wishes, create_campaign
from medassay.campaign.room import Room, RoomOptions, create_room
from medassay.judgements.campaign import Secret, find_plans
from medassay.study import Study
from medassay.web import Setup, room_app

if TYPE_CHECKING:
    from anyio.from_thread import BlockingPortal
    from playwright.sync_api import Page

    from medassay.campaign.catalogues import Catalogues

__all__ = ["cheap_passphrases"]

SECRET = Secret(bytes(32))
INFORMATION = {
    "text": "We compare automatic answers to patients' questions.",
    "ethics": "Ethics committee, 2026-114",
    "danger": "The study's physician, extension 117",
    "withdrawal": "Write to the study lead; your labels are erased.",
}
ADDRESS = "http://127.0.0.1:8000"
PASSPHRASE = "four green teapots"  # noqa: S105 - of invented raters

pytest_ignore_collect = stands_aside("web", "starlette")


def leave_answer(page: "Page", press: Callable[[], None]) -> None:
    """Leave the open answer; whoever presses before it is gone presses at the next one."""
    page.locator(".task").evaluate("task => { task.dataset.left = 'yes' }")
    press()
    page.locator(".task[data-left]").wait_for(state="detached")


def open_room(folder: Path, where: Path, options: dict[str, Any], **wishes: object) -> Room:
    """Draw up a campaign and open its room."""
    asked = Wishes(**{"raters": "2", **wishes})  # type: ignore[arg-type] # the tests' own words
    create_campaign(Study.open_whole(folder), asked, SECRET)
    plan = find_plans(folder)[asked.name]
    settled = RoomOptions(**{"information": INFORMATION, "guesses": 2, **options})
    create_room(Study.open_whole(folder), plan, SECRET, where, settled)
    return Room(where)


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Room]:
    """Give a room of twelve answers and two raters who agreed; the first answer calibrates.

    What they rate is signed, and each has set a passphrase.
    """
    path = tmp_path_factory.mktemp("room")
    folder = write_study(path / "study")
    with open_room(folder, path / "room.db", {"signatures": True}, calibration=1) as room:
        for rater in room.design.settings.raters:
            room.rating.consent(rater, room.design.options.information.version)
            room.signing.set_passphrase(rater, PASSPHRASE)
        yield room


@cache
def one_loop() -> "BlockingPortal":
    """Start the event loop that answers all visitors: one a request takes longer than to answer."""
    from anyio.from_thread import start_blocking_portal

    started = start_blocking_portal()
    portal = started.__enter__()
    atexit.register(started.__exit__, None, None, None)
    return portal


class Visitor:
    """Somebody who asks the application, with what their browser would send along."""

    def __init__(
        self,
        room: Room,
        name: str = "",
        setup: Setup | None = None,
        through: "Callable[[Any], Any]" = lambda app: app,
    ) -> None:
        from starlette.testclient import TestClient

        from medassay.web.gate import csrf_of

        self.setup = setup or Setup(ADDRESS)
        self.http = TestClient(
            through(room_app(room, self.setup)),
            base_url=self.setup.address,
            follow_redirects=False,
            raise_server_exceptions=False,
        )
        self.http.portal = one_loop()
        self.csrf = ""
        if name:
            session = room.access.start(room.access.invite(name))
            assert session is not None
            self.http.cookies.set(self.setup.cookie, session)
            self.csrf = csrf_of(session)

    def get(self, path: str, **more: Any) -> Any:  # noqa: ANN401 - a response
        return self.http.get(path, **more)

    def post(self, path: str, body: object, **headers: str) -> Any:  # noqa: ANN401 - a response
        """Send JSON to the interface, and a form to a page."""
        sent = {"x-csrf": self.csrf, **headers}
        if path.startswith("/api/"):
            return self.http.post(path, json=body, headers=sent)
        form = {**body, "csrf": sent.pop("x-csrf")}  # type: ignore[dict-item, misc, unused-ignore]  # a mapping
        return self.http.post(path, data=form, headers=sent)  # type: ignore[arg-type, unused-ignore]  # a mapping


@pytest.fixture
def visitor(room: Room) -> Callable[..., Visitor]:
    return lambda name="": Visitor(room, name)


class Listening:
    """An application served by the real server, in a thread."""

    def __init__(self, app: Any) -> None:  # noqa: ANN401 - ASGI
        import uvicorn

        listening = socket.socket()
        listening.bind(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{listening.getsockname()[1]}"
        config = uvicorn.Config(app, log_level="error", access_log=False)
        self.server = uvicorn.Server(config)
        self.thread = threading.Thread(target=self.server.run, kwargs={"sockets": [listening]})
        self.thread.start()
        while not self.server.started:
            real_time.sleep(0.02)

    def close(self) -> None:
        self.server.should_exit = True
        self.thread.join()


class Proxy:
    """A reverse proxy that passes the path on, or strips it; all else is another application's.

    Attributes:
        elsewhere: What was asked for and is not under the path.
    """

    def __init__(self, app: Any, prefix: str, *, strips: bool) -> None:  # noqa: ANN401 - ASGI
        self.app, self.prefix, self.strips = app, prefix, strips
        self.elsewhere: list[str] = []

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:  # noqa: ANN401 - ASGI
        from starlette.responses import PlainTextResponse

        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        path = scope["path"]
        if not f"{path}/".startswith(f"{self.prefix}/"):
            self.elsewhere.append(path)
            await PlainTextResponse("another application", 404)(scope, receive, send)
            return
        passed = path.removeprefix(self.prefix) or "/" if self.strips else path
        await self.app({**scope, "path": passed, "raw_path": passed.encode()}, receive, send)


class Serving(Listening):
    """A room served so; under a path, behind a proxy."""

    def __init__(
        self,
        room: Room,
        prefix: str = "",
        catalogues: "Catalogues | None" = None,
        *,
        strips: bool = False,
    ) -> None:
        self.room, self.prefix = room, prefix
        # A script asks for more in a second than any hand does; the limit has tests of its own.
        self.setup = Setup(f"http://127.0.0.1{prefix}", busy=1e4)
        self.proxy = Proxy(room_app(room, self.setup, catalogues), prefix, strips=strips)
        super().__init__(self.proxy)

    def link(self, name: str) -> str:
        return Setup(f"{self.address}{self.prefix}").link(self.room.access.invite(name))


@pytest.fixture
def serving() -> Iterator[Callable[..., Serving]]:
    running: list[Serving] = []

    def start(room: Room, catalogues: "Catalogues | None" = None) -> Serving:
        running.append(Serving(room, catalogues=catalogues))
        return running[-1]

    yield start
    for one in running:
        one.close()


OUT_OF_REACH = """[...document.body.querySelectorAll("*")]
  .filter((part) => /auto|scroll/.test(getComputedStyle(part).overflow) && part.checkVisibility())
  .filter((part) => part.tabIndex < 0 && !part.querySelector("a, button, input, select, textarea"))
  .map((part) => part.outerHTML.slice(0, 120))"""
"""What may scroll and takes no key: it cannot be focused, and holds nothing that one presses."""


@pytest.fixture
def checked() -> "Callable[[Page, str], None]":
    """Look for what keeps people out: axe's serious findings, a page too wide, a text out of reach.

    Axe sees only what scrolls with the texts of the test; longer ones scroll wherever they may.
    """
    from axe_playwright_python.sync_playwright import Axe

    def check(page: "Page", screen: str) -> None:
        found = Axe().run(page).response["violations"]
        serious = [
            (one["id"], [node["html"][:120] for node in one["nodes"]])
            for one in found
            if one["impact"] in {"serious", "critical"}
        ]
        assert serious == [], screen
        wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert wide <= 0, screen
        assert page.evaluate(OUT_OF_REACH) == [], screen

    return check
