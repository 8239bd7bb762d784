"""Every page that an application has, by its own table of routes, keeps nobody out (axe)."""

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import pytest
from tests.campaign.room.conftest import answer

from medassay.__main__ import main
from medassay.campaign.room import Room, Standing
from medassay.web.routes import ROUTES
from medassay.web.viewer import Key, Viewed, view_app

from .conftest import PASSPHRASE, Listening, Serving, open_room
from .test_fresh_eyes import write_study

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.web, pytest.mark.browser]
CASES, FIRST = 6, 4
PARTS = {"{rater}": "rater-1", "{item}": "1"}
"""What stands in a path: a page whose path has another part fails until it is named here."""
PAGES = [r for r in ROUTES if r.page and r.method == "GET" and not r.path.endswith(".csv")]
QUERIES = {
    "/in": "",
    "/": "?col=changed&col=raters&col=flags",
    "/case": "?case=c1",
    "/changed": "?case=c1&answer=zebra",
    "/try": "?case=c1&system_tried=marmot&metric=length",
}
"""How each page of the viewer is asked for; files are no pages."""
FILES = {"/answers.csv", "/static/{file}"}


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Room]:
    """Give a room in which all is rated: rendered answers, differences, signatures."""
    path = tmp_path_factory.mktemp("pages")
    folder = write_study(path / "study", CASES)
    options = {"signatures": True, "guesses": 1, "review_calibration": True}
    with open_room(
        folder, path / "room.db", options, raters="3", calibration=FIRST, batch=30
    ) as room:
        for rater in room.design.settings.raters:
            room.rating.consent(rater, room.design.options.information.version)
            room.signing.set_passphrase(rater, PASSPHRASE)
        for place, rater in enumerate(room.design.settings.raters):
            for code in codes_of(room, rater)[:FIRST]:
                task = room.rating.task(rater, code)
                assert task is not None
                answer(room, rater, task, place % 2)
        room.kept.counts = (*room.kept.counts, "calibration")  # so that raters differ already
        yield room


def codes_of(room: Room, rater: str) -> list[str]:
    """Give the codes of a rater's answers, in order."""
    with room.database.reading() as connection:
        return [place.code for place in room.kept.places(connection) if place.rater == rater]


def signed_in(browser: "Browser", served: Serving, name: str, width: int) -> "Page":
    """Open the link of somebody."""
    page = browser.new_page(locale="en-GB", viewport={"width": width, "height": 844})
    page.goto(served.link(name))
    page.get_by_role("button", name="Open my answers").click()
    page.wait_for_url(lambda url: not url.endswith("/in"))
    if page.url.endswith("/rate"):
        # Another test's browser may have been this rater's device less than a minute ago.
        page.locator("main > *").first.wait_for()
        here = page.get_by_role("button", name="Go on here")
        if here.count():
            here.click()
            here.wait_for(state="hidden")
    return page


@pytest.mark.parametrize("width", [1300, 390])
@pytest.mark.parametrize("who", ["lead", "reviewer", "rater-1", ""])
def test_every_page_of_the_room(
    room: Room,
    serving: Callable[[Room], Serving],
    browser: "Browser",
    checked: "Callable[[Page, str], None]",
    who: str,
    width: int,
) -> None:
    """Whoever may see a page sees it; whoever may not is told so on a page, which counts too."""
    served = serving(room)
    page = browser.new_page(viewport={"width": width, "height": 844})
    if who:
        page.close()
        page = signed_in(browser, served, who, width)
    role = next((person.role for person in room.access.people() if person.name == who), None)
    parts = {**PARTS, "{item}": str(room.settling.waiting("lead")[0].item)}
    for route in PAGES:
        path = "/".join(parts[p] if p.startswith("{") else p for p in route.path.split("/"))
        answered = page.goto(f"{served.address}{path}")
        assert answered is not None
        assert answered.ok == (not who or (role or "signed out") in route.actors), path
        page.get_by_role("heading").or_(page.locator(".task")).first.wait_for()
        checked(page, f"{who or 'nobody'} at {path}")
    page.close()


SAID = {"label": "wrong", "number": None, "reason": "", "comment": "", "confidence": None}
REMARKS = [
    {"code": "c", "position": 1, "title": "Accuracy", "dimension": "accuracy", "about": "",
     "was": SAID, "outcome": outcome, "words": "See the dose.", "settled": "", "because": ""}
    for outcome in ("mistake", "difference")
]  # fmt: skip
DUE = {"batch": 1, "sha256": "0" * 64, "answers": 4, "labels": 12, "meaning": "correction"}


@pytest.mark.parametrize("width", [1300, 390])
def test_every_standing_of_a_rater(
    room: Room,
    serving: Callable[[Room], Serving],
    browser: "Browser",
    checked: "Callable[[Page, str], None]",
    width: int,
) -> None:
    """Wherever the server may say that a rater stands, by its own list of standings."""
    served = serving(room)
    page = signed_in(browser, served, "rater-3", width)
    page.locator(".sheet").wait_for()
    code = codes_of(room, "rater-3")[0]
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    for standing in get_args(Standing):
        # One argument alone: to a handler that takes two Playwright gives the request as well.
        def say(route: Any) -> None:  # noqa: ANN401 - Playwright's
            now = route.fetch().json()
            task = page.request.get(f"{served.address}/api/tasks/{code}").json()
            told = {"standing": standing, "pause": {"after": 1, "batches": 3}, "code": code,  # noqa: B023 - unrouted below
                    "remarks": REMARKS, "note": "Well read.", "task": task,
                    "signing": [{**DUE, "code": code}]}  # fmt: skip
            route.fulfill(json={**now, **told})

        def guesses(route: Any) -> None:  # noqa: ANN401 - Playwright's
            task = page.request.get(f"{served.address}/api/tasks/{code}").json()
            systems = [f"system {number}" for number in range(9)]
            route.fulfill(json={"systems": systems, "tasks": [task]})

        page.route("**/api/now", say)
        page.route("**/api/guesses", guesses)
        page.reload()
        page.locator(f"main[data-standing={standing}] > *").first.wait_for()
        checked(page, standing)
        for button in page.locator("button:visible").all()[-1:]:  # who waits for a review has none
            button.scroll_into_view_if_needed()
            box = button.bounding_box()
            assert box is not None
            assert box["y"] + box["height"] <= 845, standing
        page.unroute_all()
    assert faults == []
    page.close()


@pytest.mark.parametrize("width", [1300, 390])
def test_every_page_of_the_viewer(
    tmp_path: Path, browser: "Browser", checked: "Callable[[Page, str], None]", width: int
) -> None:
    folder, before = write_study(tmp_path / "now", 3), write_study(tmp_path / "before", 4)
    with pytest.raises(SystemExit):
        main(["run", str(folder)])
    key = Key()
    app = view_app(Viewed.open(folder, before), key)
    assert {route.path for route in app._app.routes} == QUERIES.keys() | FILES
    with (
        closing(Listening(app)) as listening,
        closing(browser.new_page(viewport={"width": width, "height": 844})) as page,
    ):
        for path, query in QUERIES.items():
            answered = page.goto(f"{listening.address}{path}{query}")
            assert answered is not None
            assert answered.ok == (path != "/in"), path
            checked(page, path)
            if path == "/in":
                page.goto(key.address(listening.address))
