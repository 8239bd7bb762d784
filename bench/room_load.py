"""How many labels a second the rating room acknowledges, and how long a rater waits for one.

    .venv-web/bin/python bench/room_load.py [--seconds 20] [--folder DISK]

A closed loop: each of 26, then 200 raters sends a label, waits until the server says that the disk
has it, and sends the next at once, without a pause. Server and generator are two processes on this
machine and share its processors. Beside it stands what the disk itself does: how often a second one
process can append 4 kB and wait for fsync. At the end every acknowledged label is looked for in the
database: none may be lost, none there twice.

Potato and Label Studio are not started here: their figures are those that the rating room was asked
to be held against, from another run on another day, and are printed as given.
"""

import argparse
import asyncio
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

GIVEN = (
    ("Potato 2.12.1, stock, 26 raters", 137.0, None, 275.0),
    ("Label Studio 1.23.2, 26 raters", 5.7, None, 10_300.0),
)
"""Saves a second, p50 and p99 in ms: as given, not measured here."""
SERVE = """
import sys
from medassay.campaign.room import Room
from medassay.web import Served, Setup, room_app, serve

# One rater here says more in a second than any would in an hour: no limit is in the way.
app = room_app(Room(sys.argv[1]), Setup(busy=1e6))
serve(app, Served(port=0), lambda address: print(address.rpartition(":")[2], flush=True))
"""
CASES = [
    {"case": f"{number:03}", "question": f"May I run on day {number}?"} for number in range(40)
]


@dataclass
class Rater:
    """One rater: who they are to the server, and what they were told."""

    name: str
    session: str
    csrf: str
    code: str
    dimension: str
    labels: tuple[str, ...]
    acknowledged: list[str] = field(default_factory=list)
    waits: list[float] = field(default_factory=list)


def fsyncs(folder: Path, seconds: float = 2.0) -> float:
    """Count how often a second the disk takes 4 kB for good, one write after another."""
    path, block, count = folder / "fsync", b"x" * 4096, 0
    with path.open("wb", buffering=0) as file:
        start = time.perf_counter()
        while time.perf_counter() - start < seconds:
            file.write(block)
            os.fsync(file.fileno())
            count += 1
        spent = time.perf_counter() - start
    path.unlink()
    return count / spent


def open_room(folder: Path, many: int) -> tuple[Path, list[Rater]]:
    """Draw up a campaign of so many raters, and let each in."""
    from medassay.campaign import Wishes, create_campaign
    from medassay.campaign.room import Room, RoomOptions, create_room
    from medassay.judgements.campaign import Secret, find_plans
    from medassay.study import Study
    from medassay.web.gate import csrf_of

    study, where = folder / f"study-{many}", folder / f"room-{many}.db"
    (study / "answers").mkdir(parents=True)
    settings = 'schema = 1\ntitle = "Load"\n[[dimensions]]\nrubric = "likert5"\n'
    (study / "study.toml").write_text(settings, encoding="utf-8")
    (study / "cases.jsonl").write_text("\n".join(map(json.dumps, CASES)), encoding="utf-8")
    for system in "abcdef":
        lines = [json.dumps({"case": one["case"], "text": "Rest for a day."}) for one in CASES]
        (study / "answers" / f"{system}.jsonl").write_text("\n".join(lines), encoding="utf-8")
    secret = Secret(bytes(32))
    create_campaign(Study.open_whole(study), Wishes(raters=str(many)), secret)
    create_room(Study.open_whole(study), find_plans(study)["main"], secret, where, RoomOptions())
    raters = []
    with Room(where) as room:
        for name in room.design.settings.raters:
            room.rating.consent(name, room.design.options.information.version)
            task = room.rating.next(name)
            session = room.access.start(room.access.invite(name))
            assert task is not None  # noqa: S101 - it has just been made
            assert session is not None  # noqa: S101 - it has just been made
            question = task.questions[0]
            labels = tuple(label.label for label in question.labels)
            raters.append(Rater(name, session, csrf_of(session), task.code, question.id, labels))
    return where, raters


async def rate(rater: Rater, port: int, until: float) -> None:
    """Send a label, wait for its receipt, and send the next, over one connection."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    head = (
        "POST /api/said HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
        f"Cookie: room={rater.session}\r\nX-CSRF: {rater.csrf}\r\nContent-Length: "
    )
    turn = 0
    while time.perf_counter() < until:
        client = f"{turn:08x}-0000-4000-8000-{abs(hash(rater.name)) % 16**12:012x}"
        said = {
            "client": client,
            "code": rater.code,
            "dimension": rater.dimension,
            "label": rater.labels[turn % len(rater.labels)],
        }
        body = json.dumps({"said": [said]})
        start = time.perf_counter()
        writer.write(f"{head}{len(body)}\r\n\r\n{body}".encode())
        status = await reader.readline()
        length = 0
        while (line := await reader.readline()) not in {b"\r\n", b""}:
            if line.lower().startswith(b"content-length:"):
                length = int(line.partition(b":")[2])
        told = await reader.readexactly(length)
        rater.waits.append(time.perf_counter() - start)
        if b" 200 " not in status or not json.loads(told)["receipts"][0]["saved"]:
            raise SystemExit(f"{rater.name} was told: {status.decode()} {told.decode()}")
        rater.acknowledged.append(client)
        turn += 1
    writer.close()


def lost_or_twice(where: Path, raters: list[Rater]) -> tuple[int, int]:
    """Count acknowledged labels that the database does not hold, and those it holds twice."""
    import sqlite3

    with sqlite3.connect(where) as connection:
        held = connection.execute("SELECT rater, client FROM judgements").fetchall()
    acknowledged = {(rater.name, client) for rater in raters for client in rater.acknowledged}
    return len(acknowledged - set(held)), len(held) - len(set(held))


def load(folder: Path, many: int, seconds: float) -> dict[str, float]:
    """Let so many raters rate for so long; give what came of it."""
    where, raters = open_room(folder, many)
    with subprocess.Popen(  # noqa: S603 - our own script
        [sys.executable, "-c", SERVE, str(where)], stdout=subprocess.PIPE, text=True
    ) as server:
        assert server.stdout is not None  # noqa: S101 - it has just been made
        port = int(server.stdout.readline())
        try:
            time.sleep(2)

            async def all_of_them(long: float) -> None:
                until = time.perf_counter() + long
                await asyncio.gather(*(rate(rater, port, until) for rater in raters))

            start = time.perf_counter()
            asyncio.run(all_of_them(seconds))
            spent = time.perf_counter() - start
        finally:
            server.terminate()
    waits = sorted(1000 * wait for rater in raters for wait in rater.waits)
    lost, twice = lost_or_twice(where, raters)
    return {
        "raters": many,
        "saves a second": len(waits) / spent,
        "p50 ms": statistics.median(waits),
        "p99 ms": waits[int(0.99 * (len(waits) - 1))],
        "acknowledged": len(waits),
        "lost": lost,
        "twice": twice,
    }


def main() -> None:
    """Print a row for each number of raters."""
    asked = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    asked.add_argument("--seconds", type=float, default=20)
    asked.add_argument("--folder", type=Path, default=None, help="a folder on the disk to measure")
    wishes = asked.parse_args()
    with tempfile.TemporaryDirectory(dir=wishes.folder) as name:
        folder = Path(name)
        print(f"{os.cpu_count()} processors; the disk alone: {fsyncs(folder):,.0f} fsyncs a second")
        print(f"{'':34} {'saves/s':>8} {'p50 ms':>8} {'p99 ms':>8}   acknowledged, lost, twice")
        for many in (26, 200):
            row = load(folder, many, wishes.seconds)
            print(
                f"{f'medassay, {many} raters':34} {row['saves a second']:8.1f} "
                f"{row['p50 ms']:8.1f} {row['p99 ms']:8.1f}   "
                f"{row['acknowledged']:,.0f}, {row['lost']:.0f}, {row['twice']:.0f}"
            )
        for title, rate_given, _, p99 in GIVEN:
            print(f"{title:34} {rate_given:8.1f} {'':8} {p99:8.1f}   as given, not measured here")


if __name__ == "__main__":
    main()
