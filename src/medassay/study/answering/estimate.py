"""What asking a system would take, without asking it."""

import asyncio
from dataclasses import dataclass
from pathlib import Path

from medassay.models.endpoints import NotKept, Reply
from medassay.models.endpoints.body import Body, count_roughly, key_of, most_tokens
from medassay.study.answering.opened import OpenedSystem, journal_of
from medassay.systems import Code

__all__ = ["Estimate", "estimate_study"]


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
    """

    name: str
    where: str
    questions: int
    kept: int
    tokens_in: int
    tokens_out: int
    cost: float | None


def estimate_study(
    folder: Path, system: str, *, offline: bool = False, code: Code | None = None
) -> Estimate:
    """Say what it would take to have a system answer; nothing is asked and nothing written.

    Raises:
        InvalidInput: The study or a setting is not as it must be.
        MissingBackend: A package lacks.
    """
    opened = OpenedSystem.of(folder, system, offline=offline, code=code)
    journal = journal_of(folder, system)
    identity = opened.backend.identity
    asked: dict[str, tuple[int, int]] = {}
    kept: set[str] = set()

    async def ask(body: Body, *, about: object = None, sample: int = 0) -> Reply:
        del about
        key = key_of(identity, body, sample)
        reply = journal.get(key)
        if reply is not None:
            kept.add(key)
            return reply
        asked[key] = count_roughly(body), most_tokens(body)
        raise NotKept

    async def all_of_them() -> None:
        for case, sample in opened.jobs:
            try:
                await opened.system.answer(case, sample, ask)
            except NotKept:
                continue

    asyncio.run(all_of_them())
    journal.close()
    tokens_in = sum(one for one, _ in asked.values())
    tokens_out = sum(one for _, one in asked.values())
    cost = opened.system.limits.cost(tokens_in, tokens_out)
    return Estimate(
        system, opened.backend.where, len(asked), len(kept), tokens_in, tokens_out, cost
    )
