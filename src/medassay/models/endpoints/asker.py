"""Ask an endpoint many questions at once, each answer kept in a journal."""

import json
import os
import signal
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final, Self, TypeAlias, TypeVar

from medassay.errors import InvalidInput, Problem
from medassay.models.endpoints.backend import Backend
from medassay.models.endpoints.messages import (
    Body,
    Failure,
    Reply,
    count_roughly,
    key_of,
    most_tokens,
)
from medassay.models.endpoints.settings import Limits
from medassay.tables import json_fault, make_folder, text_bytes

if TYPE_CHECKING:
    from asyncio import Future

Ask: TypeAlias = Callable[..., Awaitable[Reply]]
"""`await ask(body, about={...}, sample=0)`: the reply, kept or asked for now."""
_NO_USE: Final[frozenset[Failure]] = frozenset({"key", "not_found", "quota", "not_allowed"})
"""After such a failure every other question would fail as well."""
_IN_A_ROW: Final = 20
_Job = TypeVar("_Job")
_AS_IT_LIES: Final = getattr(os, "O_NOFOLLOW", 0)


class NotKept(Exception):
    """No reply is kept, and none was to be asked for."""


class Stopped(Exception):
    """Nothing more is asked."""


class Journal:
    """A file of JSON lines, one a reply: `key`, what it was about, and the reply.

    The last line of a key holds; one that failed does not hold, so that it is asked again. What a
    killed process left of its last line is dropped, and `torn` says so. Replies stay on disk: in
    memory are the places of their lines alone.

    Args:
        path: The file; it is made with the first reply.
        shown_as: What messages call it.

    Raises:
        InvalidInput: A line before the last is no reply.
    """

    def __init__(self, path: Path, shown_as: str) -> None:
        self._path, self._shown = path, shown_as
        self._places: dict[bytes, int] = {}
        self._failed: set[bytes] = set()
        self._file: IO[bytes] | None = None
        self._reading: IO[bytes] | None = None
        self._end = 0
        self.torn = False
        if path.exists():
            self._look_through()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __contains__(self, key: str) -> bool:
        """Say whether a reply is kept."""
        return bytes.fromhex(key) in self._places

    def __len__(self) -> int:
        """Count the replies that hold."""
        return len(self._places)

    @property
    def failed(self) -> int:
        """Count the questions whose last try failed."""
        return len(self._failed)

    def has_failed(self, key: str) -> bool:
        """Say whether the last try of a question failed."""
        return bytes.fromhex(key) in self._failed

    def get(self, key: str) -> Reply | None:
        """Read a reply as it is shown; None where there is none, or it failed."""
        place = self._places.get(bytes.fromhex(key))
        if place is None:
            return None
        if self._reading is None:
            self._reading = self._path.open("rb")
        self._reading.seek(place)
        return Reply.of_row(json.loads(self._reading.readline())).shown()

    def add(self, key: str, about: Mapping[str, object], reply: Reply) -> None:
        """Write a reply down as it was sent; it is in the hands of the system when this returns.

        Raises:
            InvalidInput: The file cannot be written.
        """
        row = {"key": key, **about, **reply.as_row()}
        line = json.dumps(row, ensure_ascii=False, allow_nan=False) + "\n"
        content = text_bytes(line)
        try:
            self._open().write(content)
        except OSError as error:
            got = error.strerror or str(error)
            hint = "What was answered is kept. Make room, then run again."
            raise InvalidInput(Problem(self._shown, "be writable", got, hint)) from error
        self._note(bytes.fromhex(key), failed=reply.ended == "failed")
        self._end += len(content)

    def close(self) -> None:
        """Flush to disk and let go of the file."""
        if self._file is not None:
            os.fsync(self._file.fileno())
            self._file.close()
        if self._reading is not None:
            self._reading.close()
        self._file = self._reading = None

    def _open(self) -> IO[bytes]:
        if self._file is None:
            make_folder(self._path.parent)
            flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | _AS_IT_LIES
            # Unbuffered: what was written survives whatever becomes of this process.
            self._file = os.fdopen(os.open(self._path, flags, 0o666), "ab", buffering=0)
            if self.torn:
                self._file.truncate(self._end)
                # What was read ahead may hold the torn line, where a whole one is written now.
                if self._reading is not None:
                    self._reading.close()
                self._reading = None
        return self._file

    def _note(self, key: bytes, *, failed: bool) -> None:
        if failed:
            self._failed.add(key)
        else:
            self._failed.discard(key)
            self._places[key] = self._end

    def _look_through(self) -> None:
        with self._path.open("rb") as file:
            for number, line in enumerate(file, 1):
                if not line.endswith(b"\n"):
                    self.torn = True
                    return
                try:
                    row = json.loads(line)
                    key, failed = bytes.fromhex(row["key"]), Reply.of_row(row).ended == "failed"
                except (ValueError, KeyError, TypeError, RecursionError) as error:
                    fault = json_fault(error) if isinstance(error, ValueError) else "another form"
                    hint = "Remove the line; its question is asked again."
                    must = "hold a reply a line, as medassay wrote it"
                    problem = Problem(self._shown, must, fault, hint, row=number)
                    raise InvalidInput(problem) from error
                self._note(key, failed=failed)
                self._end += len(line)


@dataclass
class Asker:
    """Asks one backend, within limits, and keeps every reply.

    The same question of the same backend is asked once: a kept reply is given back, and who asks
    while it is under way waits for it.

    Attributes:
        backend: Who is asked.
        journal: Where replies are kept.
        limits: How fast and for how much.
        budget: What all may cost from now on; None: whatever it costs.
        only_kept: Ask nothing; raise `NotKept` where no reply is kept, and give a failed one where
            the last try failed.
        counts: How the replies of this run ended, and how many were kept (`kept`).
        spent: What this run cost.
        tokens_in: Tokens of its questions.
        tokens_out: Tokens of its answers.
        stopped: Why nothing more is asked; empty as long as it is.
    """

    backend: Backend
    journal: Journal
    limits: Limits
    budget: float | None = None
    only_kept: bool = False

    def __post_init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.failures: Counter[str] = Counter()
        self.spent = 0.0
        self.tokens_in = self.tokens_out = 0
        self.stopped = ""
        self._reserved = 0.0
        self._in_a_row = 0
        self._longer = 1.0
        self._under_way: dict[str, Future[Reply]] = {}
        self._rates: list[tuple[Any, bool]] = []

    async def __call__(
        self, body: Body, *, about: Mapping[str, object] | None = None, sample: int = 0
    ) -> Reply:
        """Give the reply to a question.

        Raises:
            NotKept: None is kept, and none is to be asked for.
            Stopped: Nothing more is asked: the budget is spent, the user stopped, or it is of no
                use.
        """
        from asyncio import get_running_loop, shield

        key = key_of(self.backend.identity, body, sample)
        kept_reply = self.journal.get(key)
        if kept_reply is not None:
            self.counts["kept"] += 1
            return kept_reply
        if self.only_kept:
            if self.journal.has_failed(key):
                return Reply.failed("other", "as when it was asked")
            raise NotKept
        if key in self._under_way:
            return await shield(self._under_way[key])
        future = self._under_way[key] = get_running_loop().create_future()
        try:
            reply = await self._ask(key, body, about or {})
        except BaseException as error:
            future.set_exception(error if isinstance(error, Exception) else Stopped())
            future.exception()  # looked at: who waits hears of it, and nobody need
            raise
        else:
            future.set_result(reply)
            return reply
        finally:
            del self._under_way[key]

    def stop(self, why: str) -> None:
        """Ask nothing more; what is under way comes to its end."""
        self.stopped = self.stopped or why

    def worst_cost(self, body: Body) -> float | None:
        """Give what a question costs at most: its estimated tokens, and the most of an answer.

        Where questions of this run had more tokens than estimated, this one is taken to have as
        many more.
        """
        return self.limits.cost(int(count_roughly(body) * self._longer) + 1, most_tokens(body))

    async def _ask(self, key: str, body: Body, about: Mapping[str, object]) -> Reply:
        await self._wait(count_roughly(body) + most_tokens(body))
        worst = self._reserve(body)
        started = time.perf_counter()
        try:
            reply = await self.backend.send(body)
        finally:
            self._reserved -= worst
        reply = reply.after(time.perf_counter() - started)
        cost = self.limits.cost(reply.tokens_in, reply.tokens_out)
        reply = replace(reply, cost=cost)
        self.journal.add(key, about, reply)
        self._longer = max(self._longer, (reply.tokens_in or 0) / count_roughly(body))
        # An endpoint that does not count its tokens is taken to have used as many as it might.
        self.spent += (worst if cost is None and reply.failure is None else cost) or 0.0
        self._count(reply)
        return reply.shown()

    def _reserve(self, body: Body) -> float:
        if self.stopped:
            raise Stopped
        worst = self.worst_cost(body) or 0.0
        if self.budget is not None and self.spent + self._reserved + worst > self.budget:
            self.stop("the budget would be passed")
            raise Stopped
        self._reserved += worst
        return worst

    async def _wait(self, tokens: int) -> None:
        """Wait until the rates allow another question."""
        if self.stopped:
            raise Stopped
        if not self._rates and (self.limits.per_minute or self.limits.tokens_per_minute):
            from aiolimiter import AsyncLimiter

            if self.limits.per_minute:
                # By the second: a minute's worth at once is what endpoints refuse.
                a_second = self.limits.per_minute / 60
                period = max(1.0, 1 / a_second)
                self._rates.append((AsyncLimiter(max(1.0, a_second), period), False))
            if self.limits.tokens_per_minute:
                self._rates.append((AsyncLimiter(self.limits.tokens_per_minute, 60), True))
        for limiter, of_tokens in self._rates:
            await limiter.acquire(min(tokens, limiter.max_rate) if of_tokens else 1)

    def _count(self, reply: Reply) -> None:
        self.counts[reply.ended] += 1
        self.tokens_in += reply.tokens_in or 0
        self.tokens_out += reply.tokens_out or 0
        if reply.failure is None:
            self._in_a_row = 0
            return
        self.failures[f"{reply.failure}: {reply.detail}"] += 1
        self._in_a_row += 1
        if reply.failure in _NO_USE:
            self.stop(f"{self.backend.where}: {reply.detail}")
        elif self._in_a_row >= max(_IN_A_ROW, 2 * self.limits.concurrency):
            self.stop(f"{self._in_a_row} questions in a row failed, the last by {reply.detail}")


async def run_all(
    jobs: Iterable[_Job],
    work: Callable[[_Job], Awaitable[None]],
    concurrency: int,
    stop: Callable[[str], None],
) -> None:
    """Do every job, a fixed number at a time; `Stopped` in one ends the giving out.

    Ctrl-C once: no new question, and those under way, which cost already, come to their end. Twice:
    they are dropped.

    Args:
        jobs: What is to be done; taken one by one, so that there may be any number.
        work: Does one.
        concurrency: How many at a time.
        stop: Is told why, when the user stops.
    """
    from asyncio import TaskGroup

    waiting = iter(jobs)
    async with _heeding_the_user(stop), TaskGroup() as group:
        for _ in range(concurrency):
            group.create_task(_worker(waiting, work))


async def _worker(waiting: Iterator[_Job], work: Callable[[_Job], Awaitable[None]]) -> None:
    for job in waiting:
        try:
            await work(job)
        except Stopped:
            return


@asynccontextmanager
async def _heeding_the_user(stop: Callable[[str], None]) -> AsyncIterator[None]:
    import asyncio

    loop, whole = asyncio.get_running_loop(), asyncio.current_task()
    pressed = 0

    def press() -> None:
        nonlocal pressed
        pressed += 1
        if pressed == 1:
            stop("you stopped it")
        elif pressed == 2 and whole is not None:  # noqa: PLR2004 - Ctrl-C twice
            whole.cancel()

    try:
        loop.add_signal_handler(signal.SIGINT, press)
    except (NotImplementedError, RuntimeError, ValueError):  # Windows, or not the main thread
        yield
        return
    try:
        yield
    except asyncio.CancelledError:
        if not pressed or whole is None:
            raise
        whole.uncancel()
    finally:
        loop.remove_signal_handler(signal.SIGINT)
