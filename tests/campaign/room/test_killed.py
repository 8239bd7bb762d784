"""The room's process is killed while twenty-six raters write: nothing acknowledged is lost."""

import random
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from tools.endurance import Endurance

from medassay.campaign import Wishes, create_campaign
from medassay.campaign.room import Room, Said, UnusableRoom, open_room
from medassay.campaign.room.schema import tables
from medassay.campaign.room.sql import sql
from medassay.study import Study

from .conftest import SECRET
from .stores import STORES, postgres, store

pytestmark = pytest.mark.web
WRITING = Path(__file__).with_name("writing.py")
RATERS = 26


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with postgres() as address:
        yield address


def kill_while_writing(where: str, lines: int, wait: float) -> list[tuple[str, ...]]:
    """Let raters write until so much is acknowledged and a moment longer; give what was."""
    with subprocess.Popen(  # noqa: S603 - our own script
        [sys.executable, str(WRITING), where], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        first = [process.stdout.readline() for _ in range(lines)]
        time.sleep(wait)
        process.kill()
        said = [*first, *process.stdout.read().splitlines()]
    return [tuple(line.split(maxsplit=2)) for line in said]


def held(room: Room) -> list[tuple[str, str, str]]:
    judgements = tables().judgements.c
    query = sql().select(judgements.rater, judgements.client, judgements.label)
    with room.database.reading() as connection:
        return [tuple(row) for row in connection.execute(query.order_by(judgements.id))]


@pytest.mark.endure
@pytest.mark.parametrize("kind", STORES)
def test_every_acknowledged_judgement_is_there_once(
    study: Path,
    kind: str,
    request: pytest.FixtureRequest,
    endurance: Endurance,
) -> None:
    server = request.getfixturevalue("server") if kind == "postgres" else ""
    where = store(kind, study / "campaigns" / "main", server)
    wishes = Wishes(raters=str(RATERS), database=where if server else None)
    create_campaign(Study.open_whole(study), wishes, SECRET)
    with open_room(Study.open_whole(study)) as room:
        for rater in room.design.settings.raters:
            room.rating.consent(rater, room.design.options.information.version)
        secret = room.access.start(room.access.invite("rater-01"))
    assert secret is not None
    kills = endurance.size("kills", short=5, whole=200)
    rng = random.Random(1)  # noqa: S311 - moments to kill at
    acknowledged = list[tuple[str, ...]]()
    for _ in range(kills):
        acknowledged += kill_while_writing(where, rng.randint(1, 50), rng.uniform(0, 0.05))
        with Room(where) as room:
            now = held(room)
            assert room.access.session(secret) is not None
            # The last that a rater was told is on the disk holds, or what was sent after it does.
            for rater, client, label in acknowledged[-1:]:
                task = room.rating.next(rater)
                assert task is not None
                again = Said(client, task.code, task.questions[0].id, label=label.strip())
                assert room.rating.say(rater, again).again
        clients = [client for _, client, _ in now]
        assert len(clients) == len(set(clients))
        assert {one[1] for one in acknowledged} <= set(clients)
    assert len(acknowledged) > RATERS
    endurance.found(f"{kind}: {len(acknowledged)} acknowledged, all there once")


def test_a_full_disk_is_told_and_nothing_acknowledged_is_lost(study: Path) -> None:
    create_campaign(Study.open_whole(study), Wishes(raters="1"), SECRET)
    acknowledged, filler = list[str](), "x" * 100_000
    with open_room(Study.open_whole(study)) as room:
        room.rating.consent("rater-1", room.design.options.information.version)
        task = room.rating.next("rater-1")
        assert task is not None
        # A disk that is full and a file that may not grow are the same to SQLite.
        engine = room.database.engine
        sql().event.listen(engine, "connect", lambda c, _: c.execute("PRAGMA max_page_count=1000"))
        engine.dispose()

        def fill() -> None:
            for turn in range(1000):
                said = Said(f"c{turn}", task.code, comment=filler)
                assert room.rating.say("rater-1", said).saved
                acknowledged.append(said.client)

        with pytest.raises(UnusableRoom, match="Make room on the disk") as told:
            fill()
        assert told.value.full
        assert len(acknowledged) > 20
        assert room.rating.next("rater-1") is not None
    with Room(study / "campaigns" / "main" / "room.db") as again:
        assert [client for _, client, _ in held(again)] == acknowledged
