"""Ask, keep, and stop in time: what stands between whoever has a question and who replies."""

import asyncio
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, TypeAlias

from medassay.models.endpoints.backend import Backend
from medassay.models.endpoints.body import Body, count_roughly, key_of, most_tokens
from medassay.models.endpoints.journal import Journal
from medassay.models.endpoints.reply import Failure, Reply
from medassay.models.endpoints.settings import Limits

__all__ = ["Ask", "Asker", "NotKept", "Stopped"]

Ask: TypeAlias = Callable[..., Awaitable[Reply]]
"""`await ask(body, about={...}, sample=0)`: the reply, kept or asked for now."""

_NO_USE: Final[frozenset[Failure]] = frozenset({"key", "not_found", "quota", "not_allowed"})
"""After such a failure every other question would fail as well."""
_IN_A_ROW: Final = 20


class NotKept(Exception):
    """No reply is kept, and none was to be asked for."""


class Stopped(Exception):
    """Nothing more is asked."""


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
        self._under_way: dict[str, asyncio.Future[Reply]] = {}
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
            return await asyncio.shield(self._under_way[key])
        future = self._under_way[key] = asyncio.get_running_loop().create_future()
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
