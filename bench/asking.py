"""10,000 questions to an endpoint that takes 50 ms, 16 at a time, beside a raw asyncio client.

    python bench/run.py asking        (in .venv-llm: it needs the extra llm)

The endpoint is `tools.llm_server`, in a process of its own. The raw client keeps 16 connections
open and does nothing else: it writes a request, reads a response, and keeps nothing. Ours is
`medassay answer`: OpenAI's client, limits, a journal on disk, answers made anew from it. Both ask
the same server in turn. Asked for: at least 85 % of the raw client's questions a second, and memory
that does not grow with the questions; printed is the process's at a tenth of them and at the end.
"""

import asyncio
import json
import multiprocessing
import resource
import tempfile
import time
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

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


def _ours(folder: Path, address: str, questions: int) -> tuple[float, list[float]]:
    """Have the same questions answered; give the seconds of asking, and memory on the way."""
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
    seen: dict[int, tuple[float, float]] = {}

    def tell(what: str, done: int, total: int) -> None:
        del what
        if done in {1, total // 10, total}:
            seen[done] = (time.perf_counter(), _megabytes())

    start = time.perf_counter()
    answered = answer_study(folder, "a", tell=tell)
    whole = time.perf_counter() - start
    if answered.unanswered:
        raise RuntimeError(f"{answered.unanswered} questions without an answer")
    asking = seen[questions][0] - seen[1][0]
    return asking, [seen[questions // 10][1], seen[questions][1], whole]


def main(questions: int = QUESTIONS) -> dict[str, object]:
    """Ask with both; print and return what it took."""
    ours_end, theirs = multiprocessing.Pipe()
    process = multiprocessing.Process(target=_serve, args=(theirs,), daemon=True)
    process.start()
    address = ours_end.recv()
    found: dict[str, object] = {}
    with tempfile.TemporaryDirectory() as folder:
        start = time.perf_counter()
        asyncio.run(_raw(address, questions))
        raw = time.perf_counter() - start
        ours, (early, late, whole) = _ours(Path(folder) / "s", address, questions)
    ours_end.send("enough")
    process.join(10)
    share = raw / ours
    print(f"{questions:,} questions, {AT_A_TIME} at a time, {DELAY * 1000:.0f} ms each")
    print(f"at best {questions * DELAY / AT_A_TIME:.1f} s; raw client {raw:.1f} s")
    print(f"medassay answer {ours:.1f} s of asking: {share:.0%} of the raw client's speed")
    print(f"reading the study and writing the answers too: {whole:.1f} s")
    print(f"memory {early:.0f} MB at a tenth of the questions, {late:.0f} MB at the end")
    found |= {"raw": raw, "ours": ours, "whole": whole, "share": share}
    return found | {"early megabytes": early, "late megabytes": late}


if __name__ == "__main__":
    main()
