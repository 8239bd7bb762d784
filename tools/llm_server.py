"""A server of the OpenAI protocol that can be told to misbehave, in a thread of its own."""

import asyncio
import json
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

Wrong = Callable[[str, int, asyncio.StreamWriter], Any]


def completion(text: str, **more: object) -> dict[str, object]:
    """Make a chat completion as the protocol has it."""
    choice = {
        "index": 0,
        "finish_reason": "stop",
        "message": {"role": "assistant", "content": text},
    }
    choice |= {name: more.pop(name) for name in ("finish_reason", "logprobs") if name in more}
    if "refusal" in more:
        choice["message"] = {"role": "assistant", "content": None, "refusal": more.pop("refusal")}
    usage = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
    return {
        "object": "chat.completion",
        "model": "test-1",
        "choices": [choice],
        "usage": usage,
        **more,
    }


@dataclass
class Server:
    """What the server saw, and how it replies.

    Attributes:
        reply: Body in, completion out.
        wrong: Question, how often it was asked, and the connection in; True where it has misbehaved
            enough and nothing more is to be said.
        delay: Seconds before a reply.
        asked: Question to how often it was asked.
        headers: Those of each request.
        remembers: Whether it keeps what it saw; not where many thousands ask.
    """

    reply: Callable[[dict[str, Any]], Any] = lambda body: completion(
        f"Answer to {body['messages'][-1]['content'][:200]}"
    )
    wrong: Wrong | None = None
    delay: float = 0.0
    asked: Counter[str] = field(default_factory=Counter)
    answered: Counter[str] = field(default_factory=Counter)
    headers: list[dict[str, str]] = field(default_factory=list)
    address: str = ""
    remembers: bool = True

    async def handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer one connection until it closes."""
        try:
            while await self._one(reader, writer):
                pass
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    async def _one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        headers = {n.lower(): v for n, _, v in (line.partition(": ") for line in head[1:] if line)}
        body = json.loads(await reader.readexactly(int(headers.get("content-length", "0"))))
        messages = body.get("messages")
        question = messages[-1]["content"] if messages else json.dumps(body, sort_keys=True)
        if self.remembers:
            self.asked[question] += 1
            self.headers.append(headers)
        if self.wrong is not None:
            done = self.wrong(question, self.asked[question], writer)
            if asyncio.iscoroutine(done):
                done = await done
            if done:
                return False
        if self.delay:
            await asyncio.sleep(self.delay)
        send(writer, 200, json.dumps(self.reply(body)).encode())
        await writer.drain()
        self.answered[question if self.remembers else ""] += 1
        return True


def send(
    writer: asyncio.StreamWriter,
    status: int,
    content: bytes,
    kind: str = "application/json",
    *,
    length: int | None = None,
    more: str = "",
) -> None:
    """Write a response."""
    head = (
        f"HTTP/1.1 {status} X\r\ncontent-type: {kind}\r\n"
        f"content-length: {len(content) if length is None else length}\r\n{more}\r\n"
    )
    writer.write(head.encode() + content)


@contextmanager
def serving(server: Server, port: int = 0) -> Iterator[Server]:
    """Run a server while the block runs; its address is at `server.address`."""
    loop = asyncio.new_event_loop()
    started = threading.Event()

    async def start() -> asyncio.Server:
        made = await asyncio.start_server(server.handle, "127.0.0.1", port, limit=2**24)
        server.address = f"http://127.0.0.1:{made.sockets[0].getsockname()[1]}/v1"
        started.set()
        return made

    def run() -> None:
        made = loop.run_until_complete(start())
        loop.run_forever()
        made.close()
        for task in asyncio.all_tasks(loop):
            task.cancel()
        loop.run_until_complete(asyncio.sleep(0))
        loop.close()

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    started.wait(10)
    try:
        yield server
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join(10)
