"""How often the room asks PostgreSQL for one label, and what follows when the line is cut."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from medassay.campaign.room import Room
from medassay.campaign.room import database as databases

from .conftest import Time, opened, said
from .stores import postgres, store

pytestmark = pytest.mark.web


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with postgres() as address:
        yield address


@pytest.fixture
def room(study: Path, tmp_path: Path, server: str, time: Time) -> Iterator[Room]:
    with opened(study, store("postgres", tmp_path, server), time) as room:
        room.rating.consent("rater-1", room.design.options.information.version)
        yield room


def test_a_label_takes_few_messages(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """A session is one message, what decides on a label is one, and the label is one."""
    from psycopg import Connection
    from psycopg.pq import TransactionStatus

    secret = room.access.start(room.access.invite("rater-1"))
    task = room.rating.next("rater-1")
    assert secret is not None
    assert task is not None
    labels = [label.label for label in task.questions[0].labels]

    def rate(turn: int) -> None:
        assert room.access.session(secret)
        told = said(task, task.questions[0].id, labels[turn % 2])
        assert room.rating.say("rater-1", told).saved

    for turn in range(4):
        rate(turn)
    messages: list[str] = []
    sends = Connection.wait

    def wait(line: "Connection[object]", steps: object, *more: object) -> object:
        name = getattr(steps, "__name__", "")
        at_rest = line.pgconn.transaction_status == TransactionStatus.IDLE
        # What is set here, or rolled back at rest, is sent to nobody.
        if not name.startswith("_set_") and not (at_rest and name == "_rollback_gen"):
            messages.extend(["begin"] * (at_rest and not line.autocommit) + [name])
        return sends(line, steps, *more)  # type: ignore[arg-type, unused-ignore]  # as it came

    monkeypatch.setattr(Connection, "wait", wait)
    rate(4)
    assert len(messages) <= 3, messages


def end_all_lines(room: Room) -> None:
    """Have the server end all connections of the room."""
    from sqlalchemy import create_engine

    ends = (
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
        "WHERE datname = current_database() AND pid <> pg_backend_pid()"
    )
    another = create_engine(room.database.engine.url)
    with another.connect() as connection:
        connection.exec_driver_sql(ends)
    another.dispose()


def test_a_line_that_ended_while_nobody_rated_is_not_noticed(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = room.access.start(room.access.invite("rater-1"))
    assert secret is not None
    for _ in range(3):
        end_all_lines(room)
        monkeypatch.setattr(databases, "_PAUSE", 0.0)
        assert room.access.session(secret)
        monkeypatch.undo()


def test_a_line_that_ends_between_two_labels_costs_one_refusal(room: Room) -> None:
    """The browser keeps the label and sends it again; no other line is tried in vain."""
    task = room.rating.next("rater-1")
    assert task is not None
    question = task.questions[0]
    told = said(task, question.id, question.labels[0].label)
    end_all_lines(room)
    refused = 0
    for _ in range(5):
        try:
            assert room.rating.say("rater-1", told).saved
        except databases.UnusableRoom:
            refused += 1
    assert refused <= 1
