"""Give each draw of a computation a stream of random numbers of its own.

What a step draws follows from the study's seed, the step's code and what it draws for (a
dimension, a system, the ids of cases), and from nothing else: not from which steps run, in which
order, or how they are called. So a step gives the same numbers run alone and in a whole run.

A code is frozen: `s01` says nothing in any language, so that no better title, id or name of a step
is ever a reason to change it. A step that is new takes a code that is free, and
`tests/golden/streams.json` holds what every code has drawn since.
"""

import json
from collections.abc import Mapping
from hashlib import blake2b
from typing import Final, Self

import numpy as np

__all__ = ["Seed", "drawn_seed", "stream", "uniform"]

_AND: Final = " and "


class Seed(int):
    """A seed that knows what the names stand for that draws are made for.

    A study that keeps its ids to itself calls its cases by numbers. What is drawn for them follows
    from their ids all the same: whoever may read more sees the same intervals.

    Attributes:
        stands_for: A name in use to the name that draws follow from.

    Example:
        >>> told = stream(Seed(7, {"case-1": "asthma"}), "s00", "case-1")
        >>> told.random() == stream(7, "s00", "asthma").random()
        True
    """

    stands_for: Mapping[str, str]

    def __new__(cls, value: int, stands_for: Mapping[str, str]) -> Self:
        """Make one of a whole number."""
        made = super().__new__(cls, value)
        made.stands_for = stands_for
        return made


class _Stream(np.random.Generator):
    """The random numbers of a step whose seed knows what names stand for."""

    stands_for: Mapping[str, str]


def stream(seed: int, code: str, *drawn_for: str | int) -> np.random.Generator:
    """Give the random numbers of one step.

    Args:
        seed: The study's seed, or one drawn from the step around this one.
        code: The step's frozen code.
        drawn_for: What else tells this draw from others of the step, such as a dimension's id.

    Example:
        >>> first = stream(0, "s00", "fluency").random()
        >>> first == stream(0, "s00", "fluency").random()
        True
        >>> first == stream(0, "s00", "accuracy").random()
        False
    """
    number = _digest(16, seed, code, *drawn_for)
    if not isinstance(seed, Seed):
        return np.random.default_rng(number)
    made = _Stream(np.random.PCG64(number))
    made.stands_for = seed.stands_for
    return made


def uniform(seed: int, code: str, *drawn_for: str | int) -> float:
    """Give one number from 0 to below 1, where a whole stream for it would be dear.

    Example:
        >>> 0 <= uniform(0, "s00", "A", "1") < 1
        True
    """
    # Above 53 bits a float would round up to 1.
    return (_digest(8, seed, code, *drawn_for) >> 11) / 2**53


def _digest(size: int, seed: int, code: str, *drawn_for: str | int) -> int:
    if isinstance(seed, Seed):
        known = seed.stands_for
        drawn_for = tuple(
            _stood_for(part, known) if isinstance(part, str) else part for part in drawn_for
        )
    # JSON tells ("a", "b") from ("ab",), and 1 from "1".
    what = json.dumps((int(seed), code, *drawn_for))
    return int.from_bytes(blake2b(what.encode(), digest_size=size).digest())


def _stood_for(part: str, known: Mapping[str, str]) -> str:
    """Look up a name, or each of a pair of them."""
    return _AND.join(known.get(name, name) for name in part.split(_AND))


def drawn_seed(rng: np.random.Generator) -> int:
    """Draw one number that seeds all streams of a step.

    Example:
        >>> drawn_seed(np.random.default_rng(1)) == drawn_seed(np.random.default_rng(1))
        True
    """
    drawn = int(rng.integers(2**63))
    return Seed(drawn, rng.stands_for) if isinstance(rng, _Stream) else drawn
