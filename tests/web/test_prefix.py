"""Under a path of a server nothing leads out of it, whether the proxy passes it on or strips it."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin, urlsplit

import pytest
from tests.campaign.conftest import write_study

from medassay.campaign.room import Room
from medassay.errors import InvalidInput
from medassay.web import Setup, room_app
from medassay.web.routes import ROUTES

from .conftest import Proxy, Serving, Visitor, open_room
from .test_blinding import STAFF, Crawl, played
from .test_browser import come_in, context, rate_by_keys

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext

__all__ = ["context"]

pytestmark = pytest.mark.web
PREFIX = "/studies/ratings"
ADDRESS = f"https://ward.example{PREFIX}"
LINK = re.compile(r"\b(?:href|action|src)=[\"']([^\"']*)[\"']")
IMPORT = re.compile(r"\bfrom \"([^\"]+)\"")
COOKIE = re.compile(r"^set-cookie: (.*)$", re.MULTILINE)
LED = re.compile(r"^location: (.*)$", re.MULTILINE)

passed_on = pytest.mark.parametrize(
    "strips", [False, True], ids=["the path is passed on", "the path is stripped"]
)


class Proxies(list[Proxy]):
    """A proxy before each application that a visitor asks."""

    def before(self, *, strips: bool) -> Callable[[Any], Proxy]:
        def before(app: Any) -> Proxy:  # noqa: ANN401 - ASGI
            self.append(Proxy(app, PREFIX, strips=strips))
            return self[-1]

        return before

    @property
    def elsewhere(self) -> list[str]:
        return [path for proxy in self for path in proxy.elsewhere]


def outside(page: str, text: str) -> list[str]:
    """List what a page, or its head, leads to that is not under the path."""
    led = [*LINK.findall(text), *LED.findall(text), *IMPORT.findall(text)]
    parts = [urlsplit(urljoin(page, link)) for link in led if not link.startswith("data:")]
    home = urlsplit(ADDRESS)
    return [
        part.geturl()
        for part in parts
        if part.netloc != home.netloc or not f"{part.path}/".startswith(f"{PREFIX}/")
    ]


@pytest.fixture(scope="module", params=[False, True], ids=["passed on", "stripped"])
def crawled(
    tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> Iterator[tuple[Crawl, Proxies]]:
    proxies = Proxies()
    through = proxies.before(strips=request.param)
    home = tmp_path_factory.mktemp("prefix")
    # One answer of each rater leads wherever the others do.
    with played(home, "answers", ADDRESS, through, each=1) as (crawl, _):
        lead = crawl.visitors["lead"]
        # What leads on after something was sent.
        item = next(line for line in crawl.room.settling.waiting("lead") if line.differences).item
        disputed = crawl.room.settling.disputed("lead", item)
        assert disputed is not None
        question = disputed.differences[0].question
        sent = [
            (
                "lead",
                f"/settle/{item}",
                {"dimension": question.id, "label": question.labels[0].label},
            ),
            ("lead", "/lead/passphrase", {"rater": "rater-ann", "why": "forgotten"}),
            ("reviewer", "/review/rater-ann", {"decision": "keep"}),
            ("lead", "/lead/status", {"status": "open"}),
            ("rater-ann", "/language", {"language": "de"}),
            ("rater-ann", "/out", {}),
        ]
        for who, path, body in sent:
            answer = crawl.keep(who, path, crawl.visitors[who].post(path, body))
            assert answer.status_code == 303, (path, answer.text)
        token = crawl.room.access.invite("rater-bob")
        answer = crawl.visitors[""].post("/in", {"token": token, "shared": "yes"})
        assert answer.status_code == 303
        crawl.keep("", "/in", answer)
        # The browser comes to the bare path, too.
        crawl.keep("lead", "", lead.http.get(ADDRESS))
        yield crawl, proxies


def test_no_page_or_redirect_leads_out_of_the_path(crawled: tuple[Crawl, Proxies]) -> None:
    crawl, proxies = crawled
    for who, path, text in crawl.heard:
        assert outside(f"{ADDRESS}{path}", text) == [], (who, path)
    assert proxies.elsewhere == []


def test_all_kinds_of_leads_were_seen(crawled: tuple[Crawl, Proxies]) -> None:
    crawl, _ = crawled
    texts = [text for _, _, text in crawl.heard]
    for kind in (
        r"<form [^>]*action=",
        r"<script [^>]*src=",
        r"<link [^>]*href=",
        r"<a [^>]*href=",
    ):
        assert any(re.search(kind, text) for text in texts), kind
    assert len([text for text in texts if LED.search(text)]) > len(STAFF)
    assert any(IMPORT.search(text) for text in texts)
    pages = [route for route in ROUTES if route.page and route.method == "GET"]
    for route in pages:
        shape = re.compile(re.sub(r"\\\{\w+\\\}", "[^/]+", re.escape(route.path)))
        statuses = [
            status
            for (_, path), some in crawl.statuses.items()
            if shape.fullmatch(path)
            for status in some
        ]
        assert {200, 303} & set(statuses), route.path


def test_cookies_are_the_paths_own(crawled: tuple[Crawl, Proxies]) -> None:
    crawl, _ = crawled
    cookies = [cookie for _, _, text in crawl.heard for cookie in COOKIE.findall(text)]
    names = {cookie.partition("=")[0] for cookie in cookies}
    assert names == {"__Secure-room", "shared", "language"}
    for cookie in cookies:
        words = cookie.lower().split("; ")
        assert {f"path={PREFIX}", "secure", "samesite=lax"} <= set(words), cookie


def test_signing_out_leaves_what_others_keep_on_the_host(crawled: tuple[Crawl, Proxies]) -> None:
    crawl, _ = crawled
    for _, path, text in crawl.heard:
        # Both would be for the whole host.
        assert "clear-site-data" not in text, path
        assert "strict-transport-security" not in text, path


def test_the_document_for_programs_names_addresses_that_are_there(
    crawled: tuple[Crawl, Proxies],
) -> None:
    crawl, proxies = crawled
    visitor = crawl.visitors["lead"]
    document = visitor.get("/openapi.json").json()
    [server] = document["servers"]
    assert document["components"]["securitySchemes"]["session"]["name"] == "__Secure-room"
    for path in document["paths"]:
        asked = urljoin(ADDRESS, server["url"] + re.sub(r"\{\w+\}", "1", path))
        assert outside(ADDRESS, f'href="{asked}"') == []
        assert visitor.http.get(asked).status_code != 405 or "get" not in document["paths"][path]
    assert proxies.elsewhere == []


@pytest.mark.parametrize("first", sorted({route.path.split("/")[1] for route in ROUTES} - {""}))
def test_a_path_that_begins_as_a_page_does_is_refused(room: Room, first: str) -> None:
    """Nobody could tell /rate with the path /rate stripped from /rate itself."""
    for more in ("", "/here"):
        with pytest.raises(InvalidInput, match=rf"--url.*study-{re.escape(first)}"):
            room_app(room, Setup(f"https://ward.example/{first}{more}"))
    room_app(room, Setup(f"https://ward.example/{first}s"))


def test_at_the_root_all_is_for_the_host_as_it_was(room: Room) -> None:
    visitor = Visitor(room, "rater-1", Setup("https://ward.example"))
    answer = visitor.post("/out", {})
    assert answer.headers["location"] == "/in"
    assert answer.headers["clear-site-data"] == '"storage"'
    assert "max-age" in answer.headers["strict-transport-security"]
    assert re.match(r"__Host-room=.*; Path=/;.* Secure", answer.headers["set-cookie"])
    assert visitor.get("/openapi.json").json()["servers"] == [{"url": "/"}]


KEPT = """async () => ({
  storage: [...Object.keys(localStorage), ...Object.keys(sessionStorage)],
  databases: (await indexedDB.databases()).map((one) => one.name),
})"""


@pytest.mark.browser
@passed_on
def test_a_rater_rates_under_a_path_in_a_browser(
    tmp_path: Path, context: "Callable[..., BrowserContext]", *, strips: bool
) -> None:
    folder = write_study(tmp_path / "study")
    with open_room(folder, tmp_path / "room.db", {}, calibration=1, batch=3) as room:
        served = Serving(room, "/ratings", strips=strips)
        try:
            here = context()
            page = come_in(here, served, "rater-1")
            assert urlsplit(page.url).path == "/ratings/rate"
            page.evaluate("localStorage.setItem('of-another', 'application')")
            rate_by_keys(page)
            kept = page.evaluate(KEPT)
            assert "/ratings/room" in kept["databases"]
            names = set(kept["storage"]) - {"of-another"}
            assert names
            assert all(name.startswith("/ratings/") for name in names)
            menu = page.get_by_text("Menu", exact=True)
            menu.click()
            page.get_by_label("Language").select_option("de")
            page.locator("html[lang=de]").wait_for()
            assert {cookie["path"] for cookie in here.cookies()} == {"/ratings"}
            page.locator("summary", has_text="Menü").click()
            page.get_by_role("button", name="Abmelden").click()
            page.wait_for_url("**/ratings/in")
            # What another application of the host keeps is still there, and nothing of the room.
            assert page.evaluate(KEPT)["storage"] == ["of-another"]
            assert not here.cookies()
            lead = here.new_page()
            lead.goto(served.link("lead"))
            lead.get_by_role("button").first.click()
            lead.wait_for_url("**/ratings/lead")
            # Browsers ask a server for this picture by themselves where a page names none.
            assert set(served.proxy.elsewhere) <= {"/favicon.ico"}
            assert room.rating.stand("rater-1").progress.done == 1
        finally:
            served.close()
