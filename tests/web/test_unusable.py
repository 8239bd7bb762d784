"""A full disk, and a database that is away: each page and each request says so in words."""

from collections.abc import Callable, Iterator
from concurrent.futures import Future

import pytest

from medassay.campaign.room import Room, UnusableRoom
from medassay.errors import Problem

from .conftest import Visitor

pytestmark = pytest.mark.web
FULL = 507
SENTENCE = "The server cannot save just now."
PAGES = ("/lead", "/lead/agreement", "/lead/hours.csv", "/lead/signatures", "/review", "/settle")
SENT: dict[str, tuple[tuple[str, dict[str, object]], ...]] = {
    "lead": (("/lead/status", {"status": "paused"}), ("/out", {})),
    "rater-1": (
        ("/api/breaks", {"after": 1}),
        ("/api/said", {"said": [{"client": "abcdef-0001", "code": "none"}]}),
        ("/out", {}),
    ),
}


@pytest.fixture(params=[507, 503], ids=["full", "away"])
def status(request: pytest.FixtureRequest) -> int:
    """Give the status of HTTP where the disk is full, or the database away."""
    return int(request.param)


@pytest.fixture
def people(
    room: Room, visitor: Callable[..., Visitor], status: int, monkeypatch: pytest.MonkeyPatch
) -> Iterator[dict[str, Visitor]]:
    """Give people who came in before nothing could be written any more."""
    inside = {name: visitor(name) for name in SENT}

    def refused(*_: object, **__: object) -> "Future[object]":
        future: Future[object] = Future()
        problem = Problem("/srv/room.db", "be writable", "words of the database")
        future.set_exception(UnusableRoom(problem, full=status == FULL))
        return future

    with monkeypatch.context() as patched:
        patched.setattr(room.database, "submit", refused)
        yield inside
    room.database.unwritten = []


@pytest.mark.parametrize(
    ("name", "path", "body"), [(n, *one) for n, s in SENT.items() for one in s]
)
def test_what_is_sent_is_refused_in_words(
    people: dict[str, Visitor], status: int, name: str, path: str, body: dict[str, object]
) -> None:
    told = people[name].post(path, body)
    assert told.status_code == status
    assert SENTENCE in told.text
    assert "srv" not in told.text
    if path.startswith("/api/"):
        assert told.json()["word"] == "no_space"


def test_the_leads_pages_still_read_where_the_disk_is_full(
    people: dict[str, Visitor], status: int
) -> None:
    for path in PAGES:
        told = people["lead"].get(path)
        if status == FULL:
            assert told.status_code == 200, path
        elif path != "/review":
            assert (told.status_code, SENTENCE in told.text) == (503, True), path
    assert ("disk is full" in people["lead"].get("/lead").text) == (status == FULL)


def test_what_nobody_foresaw_is_told_in_words(
    room: Room, visitor: Callable[..., Visitor], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Odd(Exception):
        detail = ()  # as SQLAlchemy's errors have a list

    def broken(_: object) -> None:
        raise Odd

    lead = visitor("lead")
    monkeypatch.setattr(room.lead, "progress", broken)
    told = lead.get("/lead")
    assert told.status_code == 500
    assert told.json()["sentence"] == "Something went wrong here. Nothing was changed."
