"""Single sign-on: a header names the person, where a named proxy sends it, and nowhere else."""

import re
from functools import partial

import pytest

from medassay.campaign.room import Room
from medassay.web import Setup, gate
from medassay.web.gate import Buckets, caller

from .conftest import ADDRESS, Visitor

pytestmark = pytest.mark.web
HEADER = "X-Remote-User"
PROXY = "testclient"  # what the test's client is called in place of an address


@pytest.mark.parametrize(
    ("proxies", "header", "name", "status"),
    [
        pytest.param((PROXY,), HEADER, "rater-1", 200, id="the proxy names a rater"),
        pytest.param((PROXY,), HEADER, "zoe", 401, id="the proxy names a stranger"),
        pytest.param((PROXY,), HEADER, "", 401, id="the proxy names nobody"),
        pytest.param((PROXY,), "X-Forwarded-User", "rater-1", 401, id="another header"),
        pytest.param(("10.0.0.1",), HEADER, "rater-1", 401, id="somebody else sends it"),
        pytest.param((), HEADER, "rater-1", 401, id="no proxy is named"),
    ],
)
def test_only_a_named_proxy_is_believed(
    room: Room, proxies: tuple[str, ...], header: str, name: str, status: int
) -> None:
    visitor = Visitor(room, setup=Setup(ADDRESS, proxies, HEADER))
    assert visitor.get("/api/now", headers={header: name}).status_code == status


@pytest.mark.parametrize(
    ("host", "named", "who"),
    [
        pytest.param("10.1.1.1", "10.9.9.9", "10.1.1.1", id="no proxy: who connects"),
        pytest.param(PROXY, "10.9.9.9", "10.9.9.9", id="whom the proxy names"),
        pytest.param(PROXY, "made up, 10.9.9.9", "10.9.9.9", id="not whom the caller names"),
        pytest.param(PROXY, f"10.9.9.9, {PROXY}", "10.9.9.9", id="through two proxies"),
        pytest.param(PROXY, "", PROXY, id="a proxy that names nobody"),
    ],
)
def test_behind_a_named_proxy_the_limit_counts_people(host: str, named: str, who: str) -> None:
    from starlette.requests import Request

    headers = [(b"x-forwarded-for", named.encode())]
    assert caller(Request({"type": "http", "headers": headers}), host, (PROXY,)) == who


def test_a_made_up_cookie_is_no_way_round_the_limit(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Time stands still, or a slow machine is allowed ten more each second.
    monkeypatch.setattr(gate, "Buckets", partial(Buckets, clock=lambda: 0.0))
    visitor = Visitor(room)
    statuses = set()
    for attempt in range(250):
        visitor.http.cookies.set(visitor.setup.cookie, f"made-up-{attempt}")
        statuses.add(visitor.get("/api/ping").status_code)
    assert statuses == {200, 429}


def test_a_named_person_has_their_own_role_and_no_other(room: Room) -> None:
    visitor = Visitor(room, setup=Setup(ADDRESS, (PROXY,), HEADER))
    assert visitor.get("/lead", headers={HEADER: "lead"}).status_code == 200
    assert visitor.get("/lead", headers={HEADER: "rater-1"}).status_code == 403


def signed_on(room: Room, name: str) -> Visitor:
    visitor = Visitor(room, setup=Setup(ADDRESS, (PROXY,), HEADER))
    visitor.http.headers[HEADER] = name
    return visitor


def csrf_in(page: str) -> str:
    found = re.search(r'"csrf":"([^"]+)"|name="csrf" value="([^"]+)"', page)
    assert found
    return found[1] or found[2]


@pytest.mark.parametrize(
    ("name", "page", "path", "body", "status"),
    [
        pytest.param("rater-1", "/rate", "/api/here", {"device": "a" * 36}, 200, id="a rater"),
        pytest.param("lead", "/lead", "/lead/status", {"status": "open"}, 303, id="the lead"),
    ],
)
def test_whoever_is_named_can_send_what_their_page_sends(
    room: Room, name: str, page: str, path: str, body: dict[str, str], status: int
) -> None:
    """Each is one session from the first page on: what a page sends fits the page."""
    visitor = signed_on(room, name)
    visitor.csrf = csrf_in(visitor.get(page).text)
    assert visitor.post(path, body).status_code == status
    assert visitor.post(path, body).status_code == status


def test_whom_the_proxy_names_now_counts_and_not_who_was_there_before(room: Room) -> None:
    """On a ward's computer somebody else signs in, and the browser is the same."""
    visitor = signed_on(room, "rater-1")
    assert '"who":"rater-1"' in visitor.get("/rate").text
    visitor.http.headers[HEADER] = "rater-2"
    assert '"who":"rater-2"' in visitor.get("/rate").text
    visitor.http.headers[HEADER] = "zoe"
    assert visitor.get("/api/now").status_code == 401


def test_a_name_that_came_twice_is_nobodys(room: Room) -> None:
    """A proxy that adds its header to the browser's own would let anybody choose a name."""
    visitor = Visitor(room, setup=Setup(ADDRESS, (PROXY,), HEADER))
    twice = [(HEADER, "lead"), (HEADER, "rater-1")]
    assert visitor.get("/lead", headers=twice).status_code == 303
    assert visitor.get("/api/now", headers=twice).status_code == 401
