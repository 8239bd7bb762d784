"""Every route with every visitor: who may is let in, and nobody sees another's."""

from collections.abc import Callable
from typing import Any

import pytest

from medassay.campaign.room import Room
from medassay.web.routes import ROUTES
from medassay.web.routing import Route

from .conftest import ADDRESS, PASSPHRASE, Visitor

pytestmark = pytest.mark.web

VISITORS = {
    "signed out": "",
    "a stranger with a made-up cookie": "",
    "rater A": "rater-1",
    "rater B": "rater-2",
    "reviewer": "reviewer",
    "lead": "lead",
}
ACTORS = {
    "signed out": "signed out",
    "a stranger with a made-up cookie": "signed out",
    "rater A": "rater",
    "rater B": "rater",
    "reviewer": "reviewer",
    "lead": "lead",
}
NAME = "0f0f0f0f-0000-4000-8000-00000000000a"
# What is sent to each route, about rater A's own; a route that is not named here fails its test.
BODIES: dict[tuple[str, str], dict[str, Any] | None] = {
    ("GET", "/"): None,
    ("GET", "/in"): None,
    ("POST", "/in"): {"token": "nobody's"},
    ("POST", "/out"): {},
    ("POST", "/language"): {"language": "de"},
    ("GET", "/static/{file}"): None,
    ("GET", "/api/ping"): None,
    ("GET", "/health"): None,
    ("GET", "/rate"): None,
    ("GET", "/api/now"): None,
    ("GET", "/api/tasks/{code}"): None,
    ("GET", "/api/ahead"): None,
    ("POST", "/api/here"): {"device": NAME},
    ("POST", "/api/said"): {
        "said": [{"client": NAME, "code": "CODE", "dimension": "answers-question", "label": "Yes"}]
    },
    ("POST", "/api/consent"): {"version": "VERSION"},
    ("POST", "/api/first-answers"): {},
    ("POST", "/api/reviews-read"): {"review": 1},
    ("POST", "/api/breaks"): {"after": 1},
    ("POST", "/api/later"): {"code": "CODE"},
    ("POST", "/api/passphrase"): {"passphrase": "seven blue kettles"},
    ("POST", "/api/signatures"): {
        "passphrase": "not mine at all",
        "batches": [{"batch": 1, "sha256": "0" * 64}],
    },
    ("GET", "/api/guesses"): None,
    ("POST", "/api/guesses"): {"client": NAME, "code": "CODE", "system": "clinic"},
    ("GET", "/lead"): None,
    ("GET", "/lead/hours.csv"): None,
    ("GET", "/lead/agreement"): None,
    ("GET", "/lead/signatures"): None,
    ("POST", "/lead/passphrase"): {"rater": "RATER", "why": "forgotten"},
    ("POST", "/lead/status"): {"status": "open"},
    ("GET", "/review"): None,
    ("GET", "/review/{rater}"): None,
    ("POST", "/review/{rater}"): {"decision": "keep", "code.0": "CODE", "outcome.0": "fine"},
    ("GET", "/settle"): None,
    ("GET", "/settle/{item}"): None,
    ("POST", "/settle/{item}"): {"dimension": "answers-question", "label": "Yes"},
}
# A made-up link opens nothing; another's answer is not there; guesses open when all is rated, and
# on the answer that is asked for nobody differs.
EXPECTED = {
    ("POST", "/in"): {403},
    ("GET", "/api/tasks/{code}"): {200, 404},
    ("POST", "/api/first-answers"): {409},
    ("POST", "/api/later"): {200, 409},
    ("GET", "/api/guesses"): {409},
    ("POST", "/api/guesses"): {409},
    ("GET", "/settle/{item}"): {404},
    ("POST", "/settle/{item}"): {404},
}


def code_of(room: Room, rater: str) -> str:
    return room.rating.stand(rater).code


def asked(room: Room, route: Route) -> tuple[str, Any]:
    """Give a path and what is sent, both about rater A's own."""
    code, version = code_of(room, "rater-1"), room.design.options.information.version
    path = route.path.replace("{code}", code).replace("{rater}", "rater-1")
    path = path.replace("{file}", "room.css").replace("{item}", "1")
    body = BODIES[route.method, route.path]

    def filled(value: Any) -> Any:  # noqa: ANN401 - JSON
        if isinstance(value, dict):
            return {key: filled(one) for key, one in value.items()}
        if isinstance(value, list):
            return [filled(one) for one in value]
        return {"CODE": code, "VERSION": version, "RATER": "rater-2"}.get(value, value)

    return path, filled(body)


def ask(visitor: Visitor, route: Route, path: str, body: Any) -> Any:  # noqa: ANN401 - a response
    return visitor.get(path) if route.method == "GET" else visitor.post(path, body)


def come(room: Room, who: str) -> Visitor:
    visitor = Visitor(room, VISITORS[who])
    if who.startswith("a stranger"):
        visitor.http.cookies.set(visitor.setup.cookie, "made-up")
    return visitor


@pytest.fixture(autouse=True)
def passphrases(room: Room) -> None:
    """Set them again where the lead has reset one."""
    for rater in room.design.settings.raters:
        if room.rating.stand(rater).standing == "passphrase":
            room.signing.set_passphrase(rater, PASSPHRASE)


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: f"{route.method} {route.path}")
@pytest.mark.parametrize("who", VISITORS)
def test_only_who_may_is_let_in(room: Room, route: Route, who: str) -> None:
    answer = ask(come(room, who), route, *asked(room, route))
    if ACTORS[who] in route.actors:
        assert answer.status_code in EXPECTED.get((route.method, route.path), {200, 303})
    elif ACTORS[who] == "signed out":
        assert (answer.status_code, answer.headers.get("location")) == (
            (303, "/in") if route.page else (401, None)
        )
    else:
        assert answer.status_code == 403


def test_each_route_stands_once_and_is_asked() -> None:
    rows = [(route.method, route.path) for route in ROUTES]
    assert len(set(rows)) == len(rows)
    assert set(rows) == set(BODIES)


def test_another_raters_answer_is_not_there(room: Room, visitor: Callable[..., Visitor]) -> None:
    mine, other = visitor("rater-1"), visitor("rater-2")
    code = code_of(room, "rater-1")
    assert mine.get(f"/api/tasks/{code}").status_code == 200
    strange = other.get(f"/api/tasks/{code}")
    missing = other.get("/api/tasks/ZZZZZZZZ")
    assert strange.status_code == missing.status_code == 404
    assert strange.json() == missing.json()


def test_nobody_rates_in_anothers_name(room: Room, visitor: Callable[..., Visitor]) -> None:
    code = code_of(room, "rater-1")
    before = room.rating.task("rater-1", code)
    said = {
        "client": "11111111-aaaa",
        "code": code,
        "dimension": "answers-question",
        "label": "Yes",
    }
    answer = visitor("rater-2").post("/api/said", {"said": [said]})
    (receipt,) = answer.json()["receipts"]
    assert (receipt["saved"], receipt["refusal"]["word"]) == (False, "not_yours")
    assert room.rating.task("rater-1", code) == before
    assert visitor("lead").post("/api/said", {"said": [said]}).status_code == 403


@pytest.mark.parametrize(
    ("route", "headers"),
    [
        pytest.param("/api/said", {"x-csrf": "another's"}, id="with another page's sign"),
        pytest.param("/api/said", {"x-csrf": ""}, id="without the page's sign"),
        pytest.param("/api/said", {"origin": "https://evil.example"}, id="from elsewhere"),
        pytest.param("/api/said", {"origin": "null"}, id="from a site that is hidden"),
        pytest.param("/api/said", {"sec-fetch-site": "cross-site"}, id="across sites"),
        pytest.param("/out", {"x-csrf": ""}, id="signed out by another site"),
    ],
)
def test_what_another_site_sends_changes_nothing(
    visitor: Callable[..., Visitor], route: str, headers: dict[str, str]
) -> None:
    rater = visitor("rater-1")
    body = {"said": [{"client": "22222222-aaaa", "code": "x"}]} if route == "/api/said" else {}
    assert rater.post(route, body, **headers).status_code == 403
    assert rater.get("/api/now").status_code == 200


@pytest.mark.parametrize(
    ("host", "status"),
    [("evil.example", 421), ("evil.example:8000", 421), ("127.0.0.1:8000", 200),
     ("localhost:8000", 200), ("192.0.2.7", 200), ("[::1]:8000", 200), ("", 421), ("[::1", 421)],
)  # fmt: skip
def test_a_room_answers_to_its_own_names_alone(
    visitor: Callable[..., Visitor], host: str, status: int
) -> None:
    answer = visitor("").get("/in", headers={"host": host})
    assert answer.status_code == status
    assert status == 200 or ADDRESS in answer.text


@pytest.mark.parametrize("path", ["/in/", "/lead/", "/nowhere"])
def test_no_path_leads_to_another_name(visitor: Callable[..., Visitor], path: str) -> None:
    answer = visitor("").get(path, headers={"host": "evil.example"})
    assert answer.status_code == 404
    assert "evil.example" not in f"{answer.headers}{answer.text}"


def test_nobody_is_signed_in_by_a_page_elsewhere(visitor: Callable[..., Visitor]) -> None:
    stranger = visitor("")
    for origin in ("null", "file://", "https://evil.example"):
        answer = stranger.post("/in", {"token": "x"}, origin=origin)
        assert answer.status_code == 403, origin


def test_nobody_signs_in_anothers_name(room: Room, visitor: Callable[..., Visitor]) -> None:
    """A passphrase is its rater's: whoever else is signed in cannot sign with it, or set it."""
    other = visitor("rater-2")
    receipt = other.post("/api/passphrase", {"passphrase": "seven blue kettles"}).json()
    assert receipt["refusal"]["word"] == "passphrase_set"
    body = {"passphrase": "seven blue kettles", "batches": [{"batch": 1, "sha256": "0" * 64}]}
    assert other.post("/api/signatures", body).json()["refusal"]["word"] == "wrong_passphrase"
    assert room.signing.signatures("lead")[1] == []
    for who in ("lead", "reviewer"):
        assert visitor(who).post("/api/signatures", body).status_code == 403
    assert visitor("reviewer").get("/lead/signatures").status_code == 403
