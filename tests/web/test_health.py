"""The health address: good while the database reads and writes, and an error as soon as not."""

import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.campaign.conftest import write_study

from medassay.__about__ import __version__
from medassay.campaign.room import Room, database

from .conftest import Visitor, open_room

pytestmark = pytest.mark.web


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    folder = write_study(tmp_path / "study")
    with open_room(folder, tmp_path / "room.db", {}) as room:
        yield room


def test_a_good_room_says_so_to_anybody(room: Room, visitor: Callable[..., Visitor]) -> None:
    answer = visitor("").get("/health")
    assert (answer.status_code, answer.json()) == (200, {"room": "open", "version": __version__})
    room.lead.set_status("lead", "paused")
    assert visitor("").get("/health").json()["room"] == "paused"


def test_what_watches_over_servers_may_ask_by_number(visitor: Callable[..., Visitor]) -> None:
    assert visitor("").get("/health", headers={"host": "10.0.0.7:8000"}).status_code == 200
    assert visitor("").get("/health", headers={"host": "evil.example"}).status_code == 421


def test_a_database_that_another_holds_is_an_error(
    room: Room, visitor: Callable[..., Visitor], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "_WAIT_MS", 100)
    room.database.engine.dispose()
    with sqlite3.connect(room.database.path, isolation_level=None) as other:
        other.execute("BEGIN IMMEDIATE")
        answer = visitor("").get("/health")
        assert (answer.status_code, answer.json()["word"]) == (503, "no_space")
        other.execute("ROLLBACK")
    assert visitor("").get("/health").status_code == 200


def test_a_database_that_lost_its_tables_is_an_error(
    room: Room, visitor: Callable[..., Visitor]
) -> None:
    with sqlite3.connect(room.database.path) as other:
        other.execute("PRAGMA foreign_keys=OFF")
        other.execute("DROP TABLE facts")
    answer = visitor("").get("/health")
    assert answer.status_code == 503
    assert str(room.database.path) not in answer.text
