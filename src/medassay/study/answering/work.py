"""Work that asks: many questions of one backend, kept as they come, whatever is made of them."""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Final, Protocol, TypeVar

from medassay.errors import InvalidInput, MedassayError, Problem
from medassay.models.endpoints import Ask, Asker, Backend, Journal, Limits, NotKept, Reply, run_all
from medassay.models.endpoints.messages import Body, count_roughly, key_of, most_tokens
from medassay.study.files.names import STUDY_FILE
from medassay.study.scoring.score_study import Progress

__all__ = ["NOBODY", "Estimate", "Replies", "Work", "ask_all", "estimate"]

_Job = TypeVar("_Job")
_Made = TypeVar("_Made")
_Made_co = TypeVar("_Made_co", covariant=True)


class Work(Protocol[_Job, _Made_co]):
    """What is to be asked, and what is made of the replies: a system's answers, a judge's labels.

    What it makes of a job must follow from the replies alone: it is made anew of kept ones.
    """

    @property
    def name(self) -> str:
        """Give the name of who is asked."""

    @property
    def section(self) -> str:
        """Name the table of study.toml that sets it."""

    @property
    def doing(self) -> str:
        """Say what it does, for whoever waits: answers, judges."""

    @property
    def backend(self) -> Backend:
        """Give whom it asks; `NOBODY` where it asks nobody."""

    @property
    def limits(self) -> Limits:
        """Give how fast and for how much it asks."""

    @property
    def jobs(self) -> Iterable[_Job]:
        """Give all that is to be done, in the order of what is made."""

    @property
    def total(self) -> int:
        """Count the jobs."""

    async def make(self, job: _Job, ask: Ask) -> _Made_co | None:
        """Do one; None where nothing came of it."""


class _Nobody:
    """Who is asked by a system that asks nobody."""

    identity: dict[str, object] = {}  # noqa: RUF012 - of every one of them, and never changed
    where = ""

    async def send(self, body: Body) -> Reply:
        raise AssertionError(body)

    async def close(self) -> None:
        """Nothing is open."""


NOBODY: Final = _Nobody()


@dataclass(frozen=True, kw_only=True)
class Replies:
    """How one run of questions went.

    Attributes:
        where: Who was asked; empty where nobody was.
        ended: How the replies that were asked for now ended: answered, empty, refused ...
        failures: Why there is no reply to some, with how many.
        kept: Replies that were kept from before.
        spent: What the replies cost; None where no price is known.
        tokens_in: Tokens of the questions asked now.
        tokens_out: Tokens of the replies.
        stopped: Why not everything was asked; empty where it was.
        torn: Whether the last line of the kept replies was torn off, and dropped.
    """

    where: str = ""
    ended: dict[str, int] = field(default_factory=dict)
    failures: dict[str, int] = field(default_factory=dict)
    kept: int = 0
    spent: float | None = None
    tokens_in: int = 0
    tokens_out: int = 0
    stopped: str = ""
    torn: bool = False


@dataclass(frozen=True)
class Estimate:
    """What asking would take, at most.

    Attributes:
        name: The system or judge.
        where: Who would be asked.
        questions: Questions that are to be asked; where later ones depend on replies, the first.
        kept: Replies that are kept already.
        tokens_in: Tokens of the questions, estimated from their length.
        tokens_out: The most tokens that the answers may have; 0 where no limit is set.
        cost: What it costs at most; None where no price is known.
        not_asked: Of a judge: dimension, and why no prompt can show what it speaks of; how often.
    """

    name: str
    where: str
    questions: int
    kept: int
    tokens_in: int
    tokens_out: int
    cost: float | None
    not_asked: dict[str, int] = field(default_factory=dict)


def ask_all(
    work: Work[_Job, _Made],
    journal: Journal,
    refuse: Callable[[list[_Made]], None],
    *,
    budget: float | None = None,
    tell: Progress | None = None,
) -> tuple[list[_Made], Replies]:
    """Do all of a work, asking only what no reply is kept of.

    Every reply is on disk the moment it comes: stopped anywhere, it goes on where it was. A failed
    question is asked again the next time, and nothing else is.

    Args:
        work: What is to be asked.
        journal: Where replies are kept; it is closed at the end.
        refuse: Is given what the kept replies make, before anything is asked, and may raise.
        budget: What it may cost from now on; the settings' if not given.
        tell: Is told how far it is.

    Returns:
        What the replies make, in the order of the jobs; and how they ended.

    Raises:
        InvalidInput: A budget without prices, or what `refuse` raises.
    """
    asker = Asker(work.backend, journal, work.limits, only_kept=True)
    asker.budget = work.limits.budget if budget is None else budget
    asked: Counter[str] = Counter()
    try:
        _refuse_budget(asker, work)
        refuse(asyncio.run(_kept(work, asker)))
        if work.backend is not NOBODY:
            asker.only_kept, asker.counts = False, asked
            asyncio.run(_ask(work, asker, tell))
            asker.only_kept, asker.counts = True, Counter()
        made = asyncio.run(_kept(work, asker))
    except* MedassayError as group:
        raise _first_of(group) from None
    finally:
        journal.close()
    return made, Replies(
        where=work.backend.where,
        ended={name: count for name, count in sorted(asked.items()) if name != "kept"},
        failures=dict(sorted(asker.failures.items())),
        kept=asked["kept"],
        spent=None if asker.limits.price_in is None else round(asker.spent, 6),
        tokens_in=asker.tokens_in,
        tokens_out=asker.tokens_out,
        stopped=asker.stopped,
        torn=journal.torn,
    )


def estimate(work: Work[_Job, _Made], journal: Journal) -> Estimate:
    """Say what a work would take; nothing is asked and nothing written."""
    identity = work.backend.identity
    asked: dict[str, tuple[int, int]] = {}
    known_keys: set[str] = set()

    async def ask(body: Body, *, about: object = None, sample: int = 0) -> Reply:
        del about
        key = key_of(identity, body, sample)
        reply = journal.get(key)
        if reply is not None:
            known_keys.add(key)
            return reply
        asked[key] = count_roughly(body), most_tokens(body)
        raise NotKept

    async def all_of_them() -> None:
        for job in work.jobs:
            try:
                await work.make(job, ask)
            except NotKept:
                continue

    asyncio.run(all_of_them())
    journal.close()
    tokens_in = sum(n_in for n_in, _ in asked.values())
    tokens_out = sum(n_out for _, n_out in asked.values())
    cost = work.limits.cost(tokens_in, tokens_out)
    where = work.backend.where
    return Estimate(work.name, where, len(asked), len(known_keys), tokens_in, tokens_out, cost)


async def _kept(work: Work[_Job, _Made], asker: Asker) -> list[_Made]:
    """Make what the kept replies make, in the order of the jobs."""
    results = []
    for job in work.jobs:
        try:
            made = await work.make(job, asker)
        except NotKept:
            continue
        if made is not None:
            results.append(made)
    return results


async def _ask(work: Work[_Job, _Made], asker: Asker, tell: Progress | None) -> None:
    done = 0

    async def one(job: _Job) -> None:
        nonlocal done
        await work.make(job, asker)
        done += 1
        if tell is not None:
            tell(f"{work.name} {work.doing}", done, work.total)

    try:
        await run_all(work.jobs, one, work.limits.concurrency, asker.stop)
    finally:
        await work.backend.close()


def _refuse_budget(asker: Asker, work: Work[_Job, _Made]) -> None:
    """Refuse a budget where nobody knows what anything costs."""
    limits = work.limits
    if asker.budget is not None and (limits.price_in is None or limits.price_out is None):
        must = "have price_in and price_out, of a million tokens, where there is a budget"
        problem = Problem(STUDY_FILE, must, "a budget without them", "", None, work.section)
        raise InvalidInput(problem)


def _first_of(group: BaseExceptionGroup[MedassayError]) -> BaseException:
    """Give the first of several errors that happened at once."""
    error: BaseException = group
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error
