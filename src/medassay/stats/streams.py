"""Give each draw of a computation a stream of random numbers of its own.

What a step draws follows from the study's seed, the step's code and what it draws for (a
dimension, a system, the ids of cases), and from nothing else: not from which steps run, in which
order, or how they are called. So a step gives the same numbers run alone and in a whole run.

A code is frozen: `s01` says nothing in any language, so that no better title, id or name of a step
is ever a reason to change it. A step that is new takes a code that is free, and
`tests/golden/streams.json` holds what every code has drawn since.
"""

import json
from hashlib import blake2b

import numpy as np

__all__ = ["drawn_seed", "stream", "uniform"]


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
    return np.random.default_rng(_digest(16, seed, code, *drawn_for))


def uniform(seed: int, code: str, *drawn_for: str | int) -> float:
    """Give one number from 0 to below 1, where a whole stream for it would be dear.

    Example:
        >>> 0 <= uniform(0, "s00", "A", "1") < 1
        True
    """
    # Above 53 bits a float would round up to 1.
    return (_digest(8, seed, code, *drawn_for) >> 11) / 2**53


def _digest(size: int, *what: str | int) -> int:
    # JSON tells ("a", "b") from ("ab",), and 1 from "1".
    return int.from_bytes(blake2b(json.dumps(what).encode(), digest_size=size).digest())


def drawn_seed(rng: np.random.Generator) -> int:
    """Draw one number that seeds all streams of a step.

    Example:
        >>> drawn_seed(np.random.default_rng(1)) == drawn_seed(np.random.default_rng(1))
        True
    """
    return int(rng.integers(2**63))
