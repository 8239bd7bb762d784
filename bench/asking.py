"""10,000 questions to an endpoint that takes 50 ms, 16 at a time, beside a raw asyncio client.

    python bench/run.py asking        (runs in .venv-llm: it needs the extra llm)

The endpoint is `tools.llm_server`, in a process of its own. The raw client keeps 16 connections
open and does nothing else: it writes a request, reads a response, and keeps nothing. Ours is
`medassay answer`: OpenAI's client, limits, a journal on disk, answers made anew from it. Both ask
the same server in turn. Asked for: at least 85 % of the raw client's questions a second, and memory
that does not grow with the questions; printed is the process's at each tenth of them. Printed too
is the processor time a question: what others do on the machine moves the share, and hardly that.
"""

import asyncio
import importlib.util
import json
import multiprocessing
import resource
import tempfile
import time
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from peers import run_in
from tools.llm_server import Server, completion, serving

QUESTIONS: Final = 10_000
AT_A_TIME: Final = 16
DELAY: Final = 0.05
REPEATS: Final = 1
_STATUS: Final = Path("/proc/self/statm")


def _serve(end: Connection) -> None:
    server = Server(reply=lambda _: completion("An answer."), delay=DELAY, remembers=False)
    with serving(server):
        end.send(server.address)
        end.recv()


async def _raw(address: str, questions: int) -> None:
    """Ask as fast as asyncio can."""
    parts = urlsplit(address)
    waiting = iter(range(questions))

    async def worker() -> None:
        reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
        for number in waiting:
            message = {"role": "user", "content": f"Question {number}?"}
            body = json.dumps({"model": "m", "messages": [message]}).encode()
            head = f"POST /v1/chat/completions HTTP/1.1\r\ncontent-length: {len(body)}\r\n\r\n"
            writer.write(head.encode() + body)
            heading = (await reader.readuntil(b"\r\n\r\n")).decode()
            length = int(heading.lower().split("content-length:")[1].split("\r\n")[0])
            json.loads(await reader.readexactly(length))
        writer.close()

    await asyncio.gather(*(worker() for _ in range(AT_A_TIME)))


def _megabytes() -> float:
    pages = int(_STATUS.read_text(encoding="ascii").split()[1])
    return pages * resource.getpagesize() / 1e6


@dataclass(frozen=True)
class _Moment:
    """Seconds on the clock and of the processor, and memory, when so many were answered."""

    clock: float = field(default_factory=time.perf_counter)
    processor: float = field(default_factory=time.process_time)
    megabytes: float = field(default_factory=_megabytes)


def _ours(folder: Path, address: str, questions: int) -> tuple[list[_Moment], float]:
    """Have the same questions answered; give the moments of each tenth, and the whole seconds."""
    from medassay.study import answer_study

    folder.mkdir()
    (folder / "study.toml").write_text(
        f'schema = 1\ntitle = "T"\n[systems.a]\nkind = "endpoint"\nbase_url = "{address}"\n'
        f'model = "m"\nconcurrency = {AT_A_TIME}\n',
        encoding="utf-8",
    )
    rows = ({"case": str(n), "question": f"Question {n}?"} for n in range(questions))
    text = "".join(json.dumps(row) + "\n" for row in rows)
    (folder / "cases.jsonl").write_text(text, encoding="utf-8")
    moments: list[_Moment] = []

    def tell(what: str, done: int, total: int) -> None:
        del what
        if done == 1 or done % (total // 10) == 0:
            moments.append(_Moment())

    start = time.perf_counter()
    answered = answer_study(folder, "a", tell=tell)
    whole = time.perf_counter() - start
    if answered.unanswered:
        raise RuntimeError(f"{answered.unanswered} questions without an answer")
    return moments, whole


def main(questions: int = QUESTIONS) -> dict[str, object]:
    """Ask with both, where OpenAI's client is installed; print and return what it took."""
    if importlib.util.find_spec("openai") is None:
        return run_in(".venv-llm", "asking")
    ours_end, theirs = multiprocessing.Pipe()
    process = multiprocessing.Process(target=_serve, args=(theirs,), daemon=True)
    process.start()
    address = ours_end.recv()
    found: dict[str, object] = {}
    with tempfile.TemporaryDirectory() as folder:
        start = _Moment()
        asyncio.run(_raw(address, questions))
        end = _Moment()
        moments, whole = _ours(Path(folder) / "s", address, questions)
    ours_end.send("enough")
    process.join(10)
    raw, ours = end.clock - start.clock, moments[-1].clock - moments[0].clock
    share = raw / ours
    processor = {
        "raw": (end.processor - start.processor) / questions * 1000,
        "ours": (moments[-1].processor - moments[0].processor) / questions * 1000,
    }
    memory = [round(moment.megabytes) for moment in moments]
    print(f"{questions:,} questions, {AT_A_TIME} at a time, {DELAY * 1000:.0f} ms each")
    print(f"at best {questions * DELAY / AT_A_TIME:.1f} s; raw client {raw:.1f} s")
    print(f"medassay answer {ours:.1f} s of asking: {share:.0%} of the raw client's speed")
    print(f"reading the study and writing the answers too: {whole:.1f} s")
    print("processor, ms a question: {raw:.2f} raw, {ours:.2f} medassay answer".format(**processor))
    print(f"memory, MB, after the first and each tenth: {' '.join(map(str, memory))}")
    found |= {"raw": raw, "ours": ours, "whole": whole, "share": share}
    return found | {"processor, ms a question": processor, "megabytes": memory}


if __name__ == "__main__":
    main()
